-- STD.ENV of VHDL-2008: control of the simulation. Declarations of our own, without a body.

package env is

  procedure stop (STATUS : integer);
  procedure stop;

  procedure finish (STATUS : integer);
  procedure finish;

  function resolution_limit return delay_length;

end package env;

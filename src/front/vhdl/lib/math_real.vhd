-- IEEE.MATH_REAL: constants and functions of real numbers. Declarations of our own;
-- the functions are native, see NATIVE.md, UNIFORM has a body in math_real-body.vhd.

package math_real is

  constant math_e             : real := 2.718281828459045235360287;
  constant math_1_over_e      : real := 0.367879441171442321595524;
  constant math_pi            : real := 3.141592653589793238462643;
  constant math_2_pi          : real := 6.283185307179586476925287;
  constant math_1_over_pi     : real := 0.318309886183790671537768;
  constant math_pi_over_2     : real := 1.570796326794896619231322;
  constant math_pi_over_3     : real := 1.047197551196597746154214;
  constant math_pi_over_4     : real := 0.785398163397448309615661;
  constant math_3_pi_over_2   : real := 4.712388980384689857693965;
  constant math_log_of_2      : real := 0.693147180559945309417232;
  constant math_log_of_10     : real := 2.302585092994045684017991;
  constant math_log2_of_e     : real := 1.442695040888963407359925;
  constant math_log10_of_e    : real := 0.434294481903251827651129;
  constant math_sqrt_2        : real := 1.414213562373095048801689;
  constant math_1_over_sqrt_2 : real := 0.707106781186547524400844;
  constant math_sqrt_pi       : real := 1.772453850905516027298167;
  constant math_deg_to_rad    : real := 0.017453292519943295769237;
  constant math_rad_to_deg    : real := 57.295779513082320876798155;

  function sign (X : in real) return real;
  function ceil (X : in real) return real;
  function floor (X : in real) return real;
  function round (X : in real) return real;
  function trunc (X : in real) return real;
  function "mod" (X, Y : in real) return real;
  function realmax (X, Y : in real) return real;
  function realmin (X, Y : in real) return real;

  procedure uniform (variable SEED1, SEED2 : inout positive; variable X : out real);

  function sqrt (X : in real) return real;
  function cbrt (X : in real) return real;
  function "**" (X : in integer; Y : in real) return real;
  function "**" (X : in real; Y : in real) return real;
  function exp (X : in real) return real;
  function log (X : in real) return real;
  function log2 (X : in real) return real;
  function log10 (X : in real) return real;
  function log (X : in real; BASE : in real) return real;

  function sin (X : in real) return real;
  function cos (X : in real) return real;
  function tan (X : in real) return real;
  function arcsin (X : in real) return real;
  function arccos (X : in real) return real;
  function arctan (Y : in real) return real;
  function arctan (Y : in real; X : in real) return real;

  function sinh (X : in real) return real;
  function cosh (X : in real) return real;
  function tanh (X : in real) return real;
  function arcsinh (X : in real) return real;
  function arccosh (X : in real) return real;
  function arctanh (X : in real) return real;

end package math_real;

// Booth multiplier; tops: mult, or mult_check (with an assert against *)
booth_pkg.vhd
booth_sum.vhd
mult.vhd
mult_check.vhd

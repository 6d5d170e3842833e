// parameterised multiplier; tops: mult, or mult_check (with an assert against *)
mult_pkg.sv
mult_pp_simple.sv
mult_pp_booth.sv
mult_columns.sv
mult_tree_array.sv
mult_tree_wallace.sv
mult_tree_dadda.sv
adder_ripple.sv
adder_kogge_stone.sv
adder_brent_kung.sv
mult.sv
mult_check.sv

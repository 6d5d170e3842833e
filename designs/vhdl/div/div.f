// sequential restoring divider; top: div
div_pkg.vhd
div.vhd

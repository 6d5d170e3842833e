// sequential restoring divider; top: div
div.sv

// round-robin arbiter; top: arbiter
arbiter.sv

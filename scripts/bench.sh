#!/usr/bin/env bash
# Elaboration side by side, in one run, best of five each. Only the ratios mean something.
#   SystemVerilog: entail (cold: no cache; warm: syntax trees cached) and yosys `read_verilog; prep -flatten`.
#   VHDL: entail and `ghdl --synth`, whose netlist goes to the same yosys commands; see bench_vhdl.sh.
# Usage: scripts/bench.sh [verilog|vhdl]
set -euo pipefail
cd "$(dirname "$0")/.."
entail=${CARGO_TARGET_DIR:-$HOME/.cache/entail/target}/release/entail
corpus=$(scripts/corpus.sh)
scripts/install.sh /usr/bin/time:time
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export ENTAIL_CACHE=$tmp/cache
# best COMMAND…: least wall time in ms of RUNS runs (5), and the peak memory in kB of that run.
best() {
    local best_ms="" best_kb=""
    for _ in $(seq "${RUNS:-5}"); do
        if ! /usr/bin/time -f '%e %M' -o "$tmp/t" "$@" >/dev/null 2>"$tmp/err"; then
            echo "fail fail"
            return
        fi
        read -r s kb <"$tmp/t"
        ms=$(awk -v s="$s" 'BEGIN { printf "%d", s * 1000 }')
        if [ -z "$best_ms" ] || [ "$ms" -lt "$best_ms" ]; then best_ms=$ms best_kb=$kb; fi
    done
    echo "$best_ms $best_kb"
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "fail" || b == "fail") print "-"; else printf "%.1fx", a / (b > 0 ? b : 1) }'; }
if [ "${1:-vhdl}" = vhdl ]; then
    # shellcheck source=scripts/bench_vhdl.sh
    . scripts/bench_vhdl.sh
    [ -z "${1:-}" ] || exit 0
    echo
fi
printf '%-12s %10s %10s %10s %10s %10s %12s %12s\n' design 'yosys ms' 'cold ms' 'warm ms' 'cold gain' 'warm gain' 'yosys MB' 'entail MB'
row() {
    local name=$1 top=$2
    shift 2
    local y c w
    y=$(best yosys -q -p "read_verilog -sv $YOSYS_ARGS; prep -flatten -top $top")
    c=$(best "$entail" lint --no-cache -q --top "$top" "$@")
    "$entail" lint -q --top "$top" "$@" >/dev/null 2>&1 || true
    w=$(best "$entail" lint -q --top "$top" "$@")
    read -r ym ykb <<<"$y"
    read -r cm ckb <<<"$c"
    read -r wm _ <<<"$w"
    printf '%-12s %10s %10s %10s %10s %10s %12s %12s\n' "$name" "$ym" "$cm" "$wm" "$(ratio "$ym" "$cm")" "$(ratio "$ym" "$wm")" \
        "$(awk -v k="$ykb" 'BEGIN { print (k == "fail") ? "-" : int(k / 1000) }')" "$((ckb / 1000))"
    "$entail" lint -v --no-cache -q --top "$top" "$@" 2>&1 >/dev/null | sed 's/^/    /'
    cargo bench -q --locked --bench memory -- --top "$top" "$@" | sed 's/^/    /'
}
pico=$(find "$corpus" -path '*picorv32/verilog/picorv32.v' | head -1)
serv=$(find "$corpus" -path '*serv/verilog/rtl/*.v' | sort)
ibex=$(find "$corpus" -path '*system_verilog/rtl/ibex_pkg.sv' | head -1)
YOSYS_ARGS=$pico row picorv32 picorv32 "$pico"
# shellcheck disable=SC2086
YOSYS_ARGS=$(echo $serv) row serv serv_rf_top $serv
if [ -n "$ibex" ]; then
    root=$(dirname "$(dirname "$ibex")")
    list=$tmp/ibex.f
    prim=$root/vendor/lowrisc_ip/ip/prim/rtl
    {
        echo "+incdir+$prim"
        echo "+incdir+$root/vendor/lowrisc_ip/dv/sv/dv_utils"
        echo "+define+SYNTHESIS"
        echo "+libext+.sv"
        for dir in "$root/rtl" "$prim" "$root/vendor/lowrisc_ip/ip/prim_generic/rtl" "$root/dv/uvm/core_ibex/common/prim"; do
            echo "-y $dir"
        done
        echo "$root/rtl/ibex_pkg.sv"
        for pkg in secded ram_1p mubi cipher util count; do echo "$prim/prim_${pkg}_pkg.sv"; done
        echo "$root/dv/uvm/core_ibex/common/prim/prim_pkg.sv"
    } >"$list"
    files=$(grep -v '^[+-]' "$list" | tr '\n' ' ')
    incs=$(grep '^+incdir+' "$list" | sed 's/^+incdir+/-I/' | tr '\n' ' ')
    YOSYS_ARGS="-DSYNTHESIS $incs $files $root/rtl/ibex_core.sv" row ibex_core ibex_core -f "$list" "$root/rtl/ibex_core.sv"
fi
echo "A dash: that tool could not read the design."

# shellcheck shell=bash
# The VHDL half of bench.sh, which sources this file: `best`, `ratio`, $entail, $corpus and $tmp are its own.

# vhdl_row NAME TOP "GENERIC=VALUE ..." FILE…: entail; GHDL's analysis and synthesis to Verilog; and yosys on that.
vhdl_row() {
    local name=$1 top=$2 ours=() theirs=() generic
    for generic in $3; do
        ours+=(-P "$generic")
        theirs+=("-g$generic")
    done
    shift 3
    local e g y
    e=$(best "$entail" lint --no-cache -q --top "$top" "${ours[@]}" "$@")
    g=$(GENERICS="${theirs[*]}" TOP=$top best bash -ec '
        rm -rf '"$tmp"'/ghdl && mkdir '"$tmp"'/ghdl
        options="--std=08 -frelaxed --workdir='"$tmp"'/ghdl"
        ghdl -i $options "$@"
        ghdl -m $options "$TOP"
        ghdl --synth --no-formal $options $GENERICS --out=verilog "$TOP" >'"$tmp"'/ghdl.v' ghdl "$@")
    y=$(best yosys -q -p "read_verilog $tmp/ghdl.v; prep -flatten -top $top")
    read -r ems ekb <<<"$e"
    read -r gms gkb <<<"$g"
    read -r yms ykb <<<"$y"
    local both=fail
    if [ "$gms" != fail ] && [ "$yms" != fail ]; then both=$((gms + yms)); fi
    printf '%-12s %10s %10s %10s %10s %12s %10s %10s %10s\n' "$name" "$ems" "$gms" "$yms" \
        "$(ratio "$gms" "$ems")" "$(ratio "$both" "$ems")" "$(megabytes "$ekb")" "$(megabytes "$gkb")" "$(megabytes "$ykb")"
    "$entail" lint -v --no-cache -q --top "$top" "${ours[@]}" "$@" 2>&1 >/dev/null | grep -E '^(time|size):' | sed 's/^/    /' || true
}
megabytes() { awk -v k="$1" 'BEGIN { print (k == "fail") ? "-" : int(k / 1000) }'; }
# bundled LIST: the files of a list below designs/vhdl.
bundled() { grep -v '^//' "designs/vhdl/$1" | sed "s|^|designs/vhdl/$(dirname "$1")/|"; }

printf '%-12s %10s %10s %10s %10s %12s %10s %10s %10s\n' 'VHDL design' 'entail ms' 'ghdl ms' 'yosys ms' \
    'ghdl gain' 'g+y gain' 'entail MB' 'ghdl MB' 'yosys MB'
# shellcheck disable=SC2046
{
    vhdl_row async_fifo async_fifo "DEPTH_LOG2=5 WIDTH=16" $(bundled async_fifo/async_fifo.f)
    vhdl_row uart uart "" $(bundled uart/uart.f)
    vhdl_row router router "" $(bundled router/router.f)
    vhdl_row mult32 mult "WIDTH=32 SIGN=true TREE=true" $(bundled mult/mult.f)
    vhdl_row div16 div "WIDTH=16" $(bundled div/div.f)
}

# Microwatt's core as its Makefile lists it, without the floating-point unit. GHDL 2.0 does not synthesise
# is_x, so both get a copy in which a function that returns false stands in for it.
microwatt=$corpus/pythondata_cpu_microwatt/pythondata_cpu_microwatt/vhdl
if [ -d "$microwatt" ]; then
    mkdir "$tmp/microwatt"
    signature() { echo "function no_x(s : $1) return boolean"; }
    {
        echo "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;"
        echo "package known is"
        for type in std_ulogic std_ulogic_vector unsigned signed; do echo "$(signature $type);"; done
        echo "end package;"
        echo "package body known is"
        for type in std_ulogic std_ulogic_vector unsigned signed; do echo "$(signature $type) is begin return false; end;"; done
        echo "end package body;"
    } >"$tmp/microwatt/known.vhdl"
    core=("$tmp/microwatt/known.vhdl")
    # nonrandom.vhdl is the random number generator for synthesis.
    for file in $(sed -n '/^core_files/,/[^\\]$/p' "$microwatt/Makefile" | grep -o '[^ ]*\.vhdl') nonrandom.vhdl; do
        sed 's/\bis_x *(/work.known.no_x(/Ig' "$microwatt/$file" >"$tmp/microwatt/$file"
        core+=("$tmp/microwatt/$file")
    done
    # Once: yosys takes minutes.
    RUNS=1 vhdl_row microwatt core HAS_FPU=false "${core[@]}"
fi

# Throughput: renamed copies of the UART and its parts without comments and empty lines. The target is a
# million lines in less than 30 s. GHDL's `-a` does what our phase `read` does.
printf '\n%-12s %10s %12s %10s %10s %10s\n' 'lines' 'read ms' 'lines/s' 'entail MB' 'ghdl -a ms' 'gain'
mkdir "$tmp/copies"
# shellcheck disable=SC2046
grep -hvE '^\s*(--.*)?$' $(bundled uart/uart.f) >"$tmp/one.vhd"
names=$(sed -nE 's/^(entity|package) (\w+) is$/\2/p' "$tmp/one.vhd" | paste -sd '|')
made=0
for lines in 10000 100000 1000000; do
    while [ $((made * $(wc -l <"$tmp/one.vhd"))) -lt "$lines" ]; do
        made=$((made + 1))
        sed -E "s/\b($names)\b/\1_$made/g" "$tmp/one.vhd" >"$tmp/copies/$made.vhd"
    done
    ls "$tmp"/copies/*.vhd >"$tmp/copies.f"
    actual=$((made * $(wc -l <"$tmp/one.vhd")))
    read_ms=$("$entail" lint -v --no-cache -q --top uart_1 -f "$tmp/copies.f" 2>&1 >/dev/null | sed -nE 's/^time: read ([0-9]+).*/\1/p')
    read -r _ kb <<<"$(RUNS=1 best "$entail" lint --no-cache -q --top uart_1 -f "$tmp/copies.f")"
    rm -rf "$tmp/ghdl" && mkdir "$tmp/ghdl"
    read -r gms _ <<<"$(RUNS=1 best ghdl -a --std=08 --workdir="$tmp/ghdl" "$tmp"/copies/*.vhd)"
    printf '%-12s %10s %12s %10s %10s %10s\n' "$actual" "$read_ms" "$((actual * 1000 / read_ms))" "$(megabytes "$kb")" \
        "$gms" "$(ratio "$gms" "$read_ms")"
done

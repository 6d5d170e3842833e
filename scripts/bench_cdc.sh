#!/bin/sh
# Growth of the crossing analysis: time and memory against the number of registers.
# Usage: bench_cdc.sh ENTAIL
set -eu
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%10s %8s %8s %s\n' registers seconds MB 'seconds per 10,000'
for n in 10000 30000 100000 300000; do
    "$here/big_crossings.py" $n >"$folder/big.sv"
    /usr/bin/time -f '%e %M' -o "$folder/time" "$1" cdc "$folder/big.sv" --top top --no-cache -q || true
    read -r seconds kb <"$folder/time"
    awk -v n=$n -v s="$seconds" -v k="$kb" 'BEGIN { printf "%10d %8.2f %8.0f %.3f\n", n, s, k / 1000, s * 10000 / n }'
done

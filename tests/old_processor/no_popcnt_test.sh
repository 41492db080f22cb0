#!/usr/bin/env bash
# no_popcnt_test.sh OBJDUMP CONTROLS ENGINE OBJECT...: fails when one of the objects contains the
# instruction POPCNT, or what runs when the engine is loaded does. CONTROLS is a list, separated by
# semicolons, of objects of which one must contain it, or nothing would ever be found.
set -euo pipefail
objdump=$1
IFS=';' read -ra controls <<<"$2"
engine=$3
shift 3

has_popcnt() { "$objdump" -d --no-show-raw-insn "$@" | grep -c '[[:space:]]popcnt' || true; }

if [ "$(has_popcnt "${controls[@]}")" = 0 ]; then
    echo "no POPCNT is found in ${controls[*]}, which have some"
    exit 1
fi
for object in "$@"; do
    if [ "$(has_popcnt "$object")" != 0 ]; then
        echo "$object contains POPCNT"
        exit 1
    fi
done
# The functions that make global objects. A stripped file has no names to find them by.
if "$objdump" -d --no-show-raw-insn "$engine" |
    awk '/^[0-9a-f]+ </ { inside = /_GLOBAL__sub_I/ } inside && /[[:space:]]popcnt/ { found = 1 } END { exit !found }'; then
    echo "$engine executes POPCNT when it is loaded"
    exit 1
fi
echo "$# objects without POPCNT"

#!/usr/bin/env bash
# tests/bench.sh [PEER.dll]: prints the benchmark table; ./dev bench builds first and calls it. With a
# PEER, any CheckerBoard engine for 64-bit Windows whose status line shows its nodes, the search speed
# of both is measured in turns. It measures and judges nothing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
read -ra GAMES < <(sed -n 's/^set(DEFIANCE_ALL_GAMES \([a-z].*\))$/\1/p' CMakeLists.txt) ||
    { echo "bench.sh: CMakeLists.txt names no games" >&2; exit 1; }
PEER=${1:-}
TOOL=build/native/bin/defiance
ENGINE=build/win64/bin/defiance_english64.dll
HOST=(tests/wine/run64.sh build/win64/bin/engine_host.exe)

say() { printf '\n-- %s\n' "$*"; }

say "perft of the start position, depth 11, three times (leaves a second, in millions)"
for _ in 1 2 3; do
    begin=$(date +%s%N)
    nodes=$("$TOOL" perft --depth 11 | sed -n 's/^nodes //p')
    end=$(date +%s%N)
    echo "$nodes leaves, $((nodes * 1000 / (end - begin))) M/s"
done

say "bench: search of fixed positions, native, three times"
for _ in 1 2 3; do "$TOOL" bench 2>/dev/null | paste -sd' '; done

say "shots found within two seconds each, and the nodes they take"
for game in "${GAMES[@]}"; do
    echo "$game: $("$TOOL" bench --shots --game "$game" | tail -n 1)"
done

say "search in the middle game through the 64-bit DLL"
"${HOST[@]}" speed "$ENGINE" ${PEER:+"$PEER"}

say "time to the first move, from playnow to return, exact time"
"${HOST[@]}" latency "$ENGINE"

say "what the referee adds to a move: 'on the way' of an .so and a DLL, mean time of a player that needs none"
"$TOOL" match so:build/native/bin/libdefiance_english.so "dll:$ENGINE" --nodes 2000 --games 20 \
    --host64 'tests/wine/run64.sh build/win64/bin/defiance.exe' 2>/dev/null | grep 'on the way'
"$TOOL" match random random --games 100 2>/dev/null | grep 'mean time'

say "endgame databases of up to five pieces: opening, looking up, what they cost a search"
for game in english russian; do "$TOOL" egdb speed --game "$game" | sed "s/^/$game /"; done
"$TOOL" egdb cost 2>/dev/null

say "size of the engine files"
ls -l build/win64/bin/*.dll build/native/bin/*.so | awk '{ print $5, $9 }'

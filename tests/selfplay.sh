#!/usr/bin/env bash
# tests/selfplay.sh FOLDER [GAMES]: plays GAMES (100) games of each engine of 64-bit and 32-bit Windows
# against itself at 0.05 s a move, about two and a half hours in all, and keeps its progress in FOLDER.
# Called again it goes on where it was stopped. Build first: ./dev build win64, ./dev build win32.
set -euo pipefail
FOLDER=$(realpath -m "${1:?folder for the progress}")
GAMES=${2:-100}
cd "$(dirname "$(readlink -f "$0")")/.."
read -ra NAMES < <(sed -n 's/^set(DEFIANCE_ALL_GAMES \([a-z].*\))$/\1/p' CMakeLists.txt) ||
    { echo "selfplay.sh: CMakeLists.txt names no games" >&2; exit 1; }
mkdir -p "$FOLDER"
for width in 64 32; do
    suffix=${width/32/}
    for game in "${NAMES[@]}"; do
        tests/wine/run$width.sh "build/win$width/bin/engine_host.exe" selfplay \
            "build/win$width/bin/defiance_$game$suffix.dll" --games "$GAMES" \
            --progress "$FOLDER/$game$width.txt" | tail -1 | sed "s/^/$width-bit /"
    done
done

#!/usr/bin/env bash
# release/pack.sh ARCHIVE.zip [engines|tool]: packs what build/win64 and build/win32 hold, the engines for
# people who play or the console tool. The same files give the same bytes: names are in order, and times are that of the last commit.
set -euo pipefail
umask 022
ARCHIVE=$(realpath -m "${1:?name of the archive}")
CONTENT=${2:-engines}
cd "$(dirname "$(readlink -f "$0")")/.."
export LC_ALL=C TZ=UTC
GAMES=(english italian spanish russian brazilian czech)

VERSION=$(sed -n 's/^project(Defiance VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
# Where there is no repository, the first time that an archive can hold.
TIME=$(git log -1 --format=%ct 2>/dev/null) || TIME=315532800
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT

windows_text() {    # windows_text IN OUT: with lines that end as Windows wants them
    sed "s/@VERSION@/$VERSION/; s/\r*\$/\r/" "$1" >"$2"
}

if [ "$CONTENT" = tool ]; then
    mkdir "$FOLDER/32-bit"
    cp build/win64/bin/defiance.exe "$FOLDER"
    cp build/win32/bin/defiance.exe "$FOLDER/32-bit"
    windows_text release/tool.txt "$FOLDER/README.txt"
    mkdir -p "$FOLDER/doc/docs" "$FOLDER/doc/books"
    cp README.md "$FOLDER/doc"
    cp docs/*.md "$FOLDER/doc/docs"
    cp books/README.md "$FOLDER/doc/books"
else
    mkdir -p "$FOLDER/engines/defiance"
    for game in "${GAMES[@]}"; do
        [ -f "src/egdb/built_in/${game}5.dfe" ] || { echo "pack.sh: no endgame databases for $game" >&2; exit 1; }
        cp "build/win64/bin/defiance_${game}64.dll" "build/win32/bin/defiance_$game.dll" "$FOLDER/engines"
        cp "books/$game.book" "$FOLDER/engines/defiance"
    done
    cp build/win64/generated/defiance.htm "$FOLDER/engines"
    windows_text release/README.txt "$FOLDER/README.txt"
fi
windows_text LICENSE "$FOLDER/LICENSE.txt"
# The programs hold a part of the compiler's libraries, whose terms ask to be handed on.
windows_text /usr/share/doc/mingw-w64-common/copyright "$FOLDER/LICENSE-mingw-w64.txt"
cd "$FOLDER"
mapfile -t files < <(find . -type f -printf '%P\n' | sort)
sha256sum "${files[@]}" >SHA256SUMS.txt
files+=(SHA256SUMS.txt)
chmod 644 "${files[@]}"
touch -d "@$TIME" "${files[@]}"
mkdir -p "${ARCHIVE%/*}"
rm -f "$ARCHIVE"
zip -q -9 -X -D "$ARCHIVE" "${files[@]}"

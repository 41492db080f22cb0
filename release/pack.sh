#!/usr/bin/env bash
# release/pack.sh ARCHIVE.zip: packs the engine files of build/win64 and build/win32 for people who play.
# The same files give the same bytes: names are in order, and times are that of the last commit.
set -euo pipefail
umask 022
ARCHIVE=$(realpath -m "${1:?name of the archive}")
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

mkdir "$FOLDER/engines"
for game in "${GAMES[@]}"; do
    cp "build/win64/bin/defiance_${game}64.dll" "build/win32/bin/defiance_$game.dll" "$FOLDER/engines"
done
cp build/win64/generated/defiance.htm "$FOLDER/engines"
mkdir "$FOLDER/engines/defiance"
for book in books/*.book; do
    if [[ -e $book ]]; then cp "$book" "$FOLDER/engines/defiance"; fi
done
windows_text release/README.txt "$FOLDER/README.txt"
windows_text LICENSE "$FOLDER/LICENSE.txt"
cd "$FOLDER"
mapfile -t files < <(find . -type f -printf '%P\n' | sort)
sha256sum "${files[@]}" >SHA256SUMS.txt
files+=(SHA256SUMS.txt)
chmod 644 "${files[@]}"
touch -d "@$TIME" "${files[@]}"
mkdir -p "${ARCHIVE%/*}"
rm -f "$ARCHIVE"
zip -q -9 -X -D "$ARCHIVE" "${files[@]}"

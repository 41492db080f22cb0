#!/usr/bin/env bash
# release/pack.sh ARCHIVE.zip [engines|tool]: packs what build/win64 and build/win32 hold, the engines for
# people who play or the console tool. The same files give the same bytes: names are in order, and times are that of the last commit.
set -euo pipefail
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS RCFLAGS ZIPOPT ZIP GIT_DIR GIT_WORK_TREE
umask 022
ARCHIVE=$(realpath -m "${1:?name of the archive}")
CONTENT=${2:-engines}
cd "$(dirname "$(readlink -f "$0")")/.."
export LC_ALL=C TZ=UTC
read -ra GAMES < <(sed -n 's/^set(DEFIANCE_ALL_GAMES \([a-z].*\))$/\1/p' CMakeLists.txt) ||
    { echo "pack.sh: CMakeLists.txt names no games" >&2; exit 1; }

VERSION=$(sed -n 's/^project(Defiance VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
TIME=315532800    # the first that an archive can hold
warn() {
    printf 'pack.sh: warning: %s\n' "$1" >&2
}
# Who owns the folder does not matter: nothing of it is run that this script would not run.
own_git() {
    git -c safe.directory="$PWD" "$@"
}
if [ -e .git ]; then
    # Not the time of another repository around this one.
    if TOP=$(own_git rev-parse --show-toplevel) && [ "$TOP" -ef . ] && COMMITTED=$(own_git log -1 --format=%ct); then
        TIME=$COMMITTED
        CHANGES=$(own_git status --porcelain) || CHANGES='git does not tell which'
        [ -z "$CHANGES" ] || warn "these changes are in no commit:"$'\n'"$CHANGES"
    else
        warn "git does not tell the last commit of $PWD; the files get the time of none"
    fi
fi
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
    # In folders as here, for the links in README.md.
    mkdir -p "$FOLDER/doc/docs/pictures" "$FOLDER/doc/books"
    cp README.md LICENSE "$FOLDER/doc"
    cp docs/*.md "$FOLDER/doc/docs"
    cp docs/pictures/*.png "$FOLDER/doc/docs/pictures"
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

#!/usr/bin/env bash
# tests/release_test.sh: packs the engines that are built twice, at another time and place and with other
# rights, and compares the archives; unpacks one and checks what is in it. Packs and unpacks the tool, also from a
# copy without a repository.
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
read -ra GAMES < <(sed -n 's/^set(DEFIANCE_ALL_GAMES \([a-z].*\))$/\1/p' CMakeLists.txt) ||
    { echo "release_test: CMakeLists.txt names no games" >&2; exit 1; }
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
failures=0

fail() {
    echo "release_test: $*"
    failures=$((failures + 1))
}

expected_files() {
    local game
    for game in "${GAMES[@]}"; do
        echo "engines/defiance_$game.dll"
        echo "engines/defiance_${game}64.dll"
        echo "engines/defiance/$game.book"
    done
    printf '%s\n' engines/defiance.htm LICENSE.txt LICENSE-mingw-w64.txt README.txt SHA256SUMS.txt
}

release/pack.sh "$FOLDER/first.zip" || fail "it cannot be packed"
sleep 2.1    # archives count in steps of two seconds
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 release/pack.sh "$FOLDER/elsewhere/second.zip") || fail "it cannot be packed again"
cmp "$FOLDER/first.zip" "$FOLDER/elsewhere/second.zip" || fail "the same files give other archives"

mkdir "$FOLDER/unpacked"
unzip -q "$FOLDER/first.zip" -d "$FOLDER/unpacked" || fail "it cannot be unpacked"
diff <(expected_files | LC_ALL=C sort) <(cd "$FOLDER/unpacked" && find . -type f -printf '%P\n' | LC_ALL=C sort) ||
    fail "these files should be in it (<), these are (>)"
(cd "$FOLDER/unpacked" && sha256sum --quiet --strict -c SHA256SUMS.txt) || fail "the sums are wrong"
[ "$(wc -l <"$FOLDER/unpacked/SHA256SUMS.txt")" = "$(($(expected_files | wc -l) - 1))" ] || fail "there is not a sum for each file"
for width in 64 32; do
    for dll in build/win$width/bin/defiance_*.dll; do
        cmp "$dll" "$FOLDER/unpacked/engines/${dll##*/}" || fail "this is not the file that was built"
    done
done
for text in README.txt LICENSE.txt LICENSE-mingw-w64.txt; do
    ! grep -qv $'\r$' "$FOLDER/unpacked/$text" || fail "$text has lines that do not end as in Windows"
    ! grep -q "@[A-Z]" "$FOLDER/unpacked/$text" || fail "$text is not filled in"
done
version=$(build/native/bin/defiance version | sed -n '1s/.* \([0-9.]*\).*/\1/p')
grep -qF "Defiance $version" "$FOLDER/unpacked/README.txt" || fail "README.txt names another version than $version"
page=$FOLDER/unpacked/engines/defiance.htm
for game in "${GAMES[@]}"; do
    grep -q "<h2>${game^} draughts in a few lines</h2>" "$page" || fail "the help page lacks the rules of ${game^}"
done
! grep -q '@[A-Z]' "$page" || fail "the help page is not filled in"

tool=$FOLDER/tool
release/pack.sh "$tool.zip" tool || fail "the tool cannot be packed"
unzip -q "$tool.zip" -d "$tool" || fail "the tool cannot be unpacked"
(cd "$tool" && sha256sum --quiet --strict -c SHA256SUMS.txt) || fail "the sums of the tool are wrong"
# Programs; README.txt and licences; README.md here and of the books, LICENSE; docs with pictures.
tool_files=$((2 + 3 + 3 + $(ls docs/*.md docs/pictures/*.png | wc -l)))
[ "$(wc -l <"$tool/SHA256SUMS.txt")" = $tool_files ] || fail "the archive of the tool has not $tool_files files and the sums"
for folder in "$FOLDER/unpacked" "$tool"; do
    grep -q 'winpthreads' "$folder/LICENSE-mingw-w64.txt" || fail "the terms of the compiler's libraries are missing"
done
cmp README.md "$tool/doc/README.md" || fail "the tool lacks README.md"
links=0
while IFS=: read -r text link; do
    link=${link#](}
    link=${link%%[)#]*}
    [[ $link =~ ^[a-z]+:// ]] && continue
    links=$((links + 1))
    [ -e "${text%/*}/$link" ] || fail "${text#"$tool/"} has a link to $link, which is not in the archive"
done < <(find "$tool/doc" -name '*.md' -exec grep -oH '](\([^#)]\)[^)]*)' {} +)
[ $links -ge 6 ] || fail "only $links links were found in the texts of the tool"
cmp build/win64/bin/defiance.exe "$tool/defiance.exe" || fail "this is not the tool that was built"
cmp build/win32/bin/defiance.exe "$tool/32-bit/defiance.exe" || fail "this is not the 32-bit tool that was built"
grep -qF "defiance $version" "$tool/README.txt" || fail "README.txt of the tool names another version"

# Without a repository the archive has the same files; with one that git cannot read that is told.
copy=$FOLDER/copy
mkdir -p "$copy/books"
cp -r release README.md LICENSE CMakeLists.txt docs "$copy"
cp books/README.md "$copy/books"
ln -s "$PWD/build" "$copy/build"
"$copy/release/pack.sh" "$FOLDER/copy.zip" tool || fail "it cannot be packed without a repository"
diff <(unzip -p "$tool.zip" SHA256SUMS.txt) <(unzip -p "$FOLDER/copy.zip" SHA256SUMS.txt) ||
    fail "the copy without a repository gives other files"
mkdir "$copy/.git"
"$copy/release/pack.sh" "$FOLDER/none.zip" tool 2>"$FOLDER/problem" || fail "it cannot be packed with a repository that git cannot read"
grep -q 'git does not tell the last commit' "$FOLDER/problem" || fail "it is not told that git fails: $(cat "$FOLDER/problem")"

[ $failures = 0 ] && echo "release_test: sound, $(stat -c %s "$FOLDER/first.zip") bytes"
exit $((failures > 0))

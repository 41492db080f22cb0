#!/usr/bin/env bash
# books_test.sh DEFIANCE FOLDER: the books of the repository are sound, large enough, and of their games.
set -u
failures=0
for game in $(sed -n 's/^| `\([a-z]*\)\.book` .*/\1/p' "$2/README.md"); do
    [ -f "$2/$game.book" ] || { echo "books_test: there is no $2/$game.book"; failures=1; }
done
for book in "$2"/*.book; do
    game=$(basename "$book" .book)
    wanted=20000
    [ "$game" != english ] || wanted=100000
    counted=$("$1" book verify "$book") || { echo "books_test: $book: $counted"; failures=1; continue; }
    read -r _ _ positions _ <<<"$counted"
    [ "$positions" -ge $wanted ] || { echo "books_test: $book has $positions positions"; failures=1; }
    grep -q "| \`$game.book\` | ${positions::-3},${positions: -3} |" "$2/README.md" ||
        { echo "books_test: README.md tells another number for $game than $positions"; failures=1; }
done
"$1" book verify --game italian "$2/english.book" 2>/dev/null && { echo "books_test: English is taken for Italian"; failures=1; }

# A Hub program plays from the book beside it, unless the parameter book is 0.
beside=$(mktemp -d)
trap 'rm -rf "$beside"' EXIT
cp "$1" "$beside/defiance"
cp "$2/english.book" "$beside"
search() {    # search BOOK: the last depth of a search of the start position, and whether it gave a move
    local line depth=
    # The program hears that its input ends only after the move, or it would stop searching.
    coproc timeout 60 "$beside/defiance" hub
    printf '%s\n' "set-param name=book value=$1" init 'pos start' 'level depth=5' 'go think' >&"${COPROC[1]}"
    while read -r line; do
        case $line in
            'info depth='*) depth=${line#*=} depth="${depth%% *} " ;;
            'done move='*) echo "${depth}moved" && break ;;
        esac
    done <&"${COPROC[0]}"
}
without=$(search 0)
with=$(search 3)
[ "$without" = "5 moved" ] || { echo "books_test: without a book a search to depth 5 tells: $without"; failures=1; }
[[ $with == *moved && $with != "5 moved" ]] || { echo "books_test: with a book beside it the program tells: $with"; failures=1; }
exit $failures

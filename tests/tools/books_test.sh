#!/usr/bin/env bash
# books_test.sh DEFIANCE FOLDER: the books of the repository are sound, large enough, and of their games.
set -u
failures=0
for game in english italian spanish russian brazilian czech; do
    book=$2/$game.book
    wanted=20000
    [ $game != english ] || wanted=100000
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
search() {    # search BOOK: the last depth of a search of the start position
    { printf '%s\n' "set-param name=book value=$1" init 'pos start' 'level depth=5' 'go think'; sleep 3; } |
        "$beside/defiance" hub | sed -n 's/^info depth=\([0-9]*\) .*/\1/p' | tail -n 1
}
[ "$(search 0)" = 5 ] || { echo "books_test: without a book the search is no search: $(search 0)"; failures=1; }
[ "$(search 3)" != 5 ] || { echo "books_test: a book beside the program is not used"; failures=1; }
exit $failures

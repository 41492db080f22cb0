#!/usr/bin/env bash
# books_test.sh DEFIANCE FOLDER: the books of the repository are sound, large enough, and of their games.
set -u
failures=0
for game in english italian spanish russian brazilian czech; do
    book=$2/$game.book
    wanted=20000
    [ $game != english ] || wanted=100000
    counted=$("$1" book verify --game $game "$book") || { echo "books_test: $book: $counted"; failures=1; continue; }
    read -r _ _ positions _ <<<"$counted"
    [ "$positions" -ge $wanted ] || { echo "books_test: $book has $positions positions"; failures=1; }
    grep -q "| \`$game.book\` | ${positions::-3},${positions: -3} |" "$2/README.md" ||
        { echo "books_test: README.md tells another number for $game than $positions"; failures=1; }
done
exit $failures

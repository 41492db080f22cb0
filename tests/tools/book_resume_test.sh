#!/usr/bin/env bash
# book_resume_test.sh DEFIANCE FOLDER: kills and interrupts the making of a book at random moments, goes
# on with it, and checks that the book is the same as that of a run that was left alone.
set -u
FOLDER=$2/book_resume
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
cd "$FOLDER" || exit 1
failures=0

fail() {
    echo "book_resume_test: $*"
    failures=$((failures + 1))
}

build() {    # build FOLDER BOOK THREADS
    exec "$TOOL" book build --game russian --dir "$1" --out "$2" --threads "$3" --positions 1500 \
        --nodes 400 --ballots none
}
TOOL=$1

known() {    # what the files of the database hold, in bytes
    local bytes
    bytes=$(stat -c %s cut/russian.ckdb 2>/dev/null)
    echo "${bytes:-0}"
}

wait_for_more() {    # wait_for_more BYTES PROCESS: until the database has grown, or the process has ended
    local before i
    before=$(known)
    for ((i = 0; i < 2000; i++)); do
        [ "$(known)" -ge $((before + $1)) ] && return
        kill -0 "$2" 2>/dev/null || return
        sleep 0.02
    done
    fail "the database does not grow"
}

(build alone alone.book 2) >/dev/null 2>alone.err || fail "it cannot be made: $(cat alone.err)"

cut_off() {    # cut_off SIGNAL...: makes cut.book, and is interrupted by these signals on the way
    local cuts=0 signal process status
    rm -rf cut cut.book
    for signal in "$@"; do
        build cut cut.book $((RANDOM % 3 + 1)) >out.txt 2>err.txt &
        process=$!
        wait_for_more $((RANDOM % 60000 + 5000)) $process
        kill -$signal $process 2>/dev/null
        wait $process
        status=$?
        [ $status = 0 ] && break
        cuts=$((cuts + 1))
        [ $signal = KILL ] || [ $status = 1 ] || fail "status $status after $signal"
        [ $signal = KILL ] || grep -q "the same command goes on from here" err.txt || fail "no word on how to go on"
        [ -e cut.book ] && fail "there is a book already"
    done
    [ $cuts -ge 2 ] || fail "it was only cut off $cuts times"
    (build cut cut.book 2) >out.txt 2>err.txt || fail "it does not go on: $(cat err.txt)"
    cmp alone.book cut.book || fail "the books differ"
}

cut_off INT TERM INT TERM INT
cut_off KILL KILL KILL KILL

practise() {    # practise FOLDER BOOK THREADS
    exec "$TOOL" book practise alone.book --game russian --dir "$1" --out "$2" --threads "$3" --rounds 3 \
        --nodes 3000 --plies 16 --ballots none
}

(practise practice1 practised.book 2) >values.txt 2>err.txt || fail "it cannot practise: $(cat err.txt)"
[ "$(grep -c '^round [123] mean value ' values.txt)" = 3 ] || fail "the rounds are not told: $(cat values.txt)"
cmp -s alone.book practised.book && fail "practice teaches nothing"
"$TOOL" book info practised.book >info.txt || fail "there is no book"
grep -q "practice, 3 rounds, 3000 nodes a move, 16 plies" info.txt || fail "it does not say how it was made"
cuts=0
for signal in INT KILL TERM KILL; do
    practise practice2 again.book $((RANDOM % 3 + 1)) >out.txt 2>err.txt &
    process=$!
    before=$(cat practice2/russian.practice 2>/dev/null | wc -l)
    for ((i = 0; i < 500; i++)); do
        [ "$(cat practice2/russian.practice 2>/dev/null | wc -l)" -gt $((before + 1)) ] && break
        sleep 0.01
    done
    kill -$signal $process 2>/dev/null
    wait $process && break
    cuts=$((cuts + 1))
    [ -e again.book ] && fail "there is a practised book already"
done
[ $cuts -ge 2 ] || fail "practice was only cut off $cuts times"
(practise practice2 again.book 2) >again.txt 2>err.txt || fail "practice does not go on: $(cat err.txt)"
cmp practised.book again.book || fail "the practised books differ"
cmp values.txt again.txt || fail "the values differ"
[ $failures = 0 ] && rm -rf "$FOLDER"
exit $((failures > 0))

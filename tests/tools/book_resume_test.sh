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
    local _
    for _ in 1 2 3; do    # a busy machine may finish a book before its signal comes
        cut_off_once "$@"
        [ $cuts -lt 2 ] || break
    done
    [ $cuts -ge 2 ] || fail "it was only cut off $cuts times"
    (build cut cut.book 2) >out.txt 2>err.txt || fail "it does not go on: $(cat err.txt)"
    cmp alone.book cut.book || fail "the books differ"
}

cut_off_once() {    # cut_off_once SIGNAL...: tells in `cuts` how often the making was cut off
    local signal process status
    cuts=0
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
}

cut_off INT TERM INT TERM INT
cut_off KILL KILL KILL KILL

# A check that is stopped calls nothing sound.
"$TOOL" book verify cut.book --sample 1000 --seconds 1 >out.txt 2>err.txt &
verifier=$!
for ((i = 0; i < 600; i++)); do
    grep -q "^judged " err.txt && break
    sleep 0.05
done
kill -INT $verifier
wait $verifier
status=$?
[ $status = 1 ] || fail "a check that is stopped ends with $status"
[ ! -s out.txt ] || fail "a check that is stopped says $(cat out.txt)"
[ $failures = 0 ] && rm -rf "$FOLDER"
exit $((failures > 0))

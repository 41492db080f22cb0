#!/usr/bin/env bash
# resume_test.sh DEFIANCE FOLDER: kills a match at random moments, interrupts it, goes on with it, and
# checks that in the end every game was played once and nothing is left over.
# shellcheck disable=SC2317  # wait_until calls what looks unreachable
set -u
FOLDER=$2/resume
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
cd "$FOLDER" || exit 1
# A name of its own, so that its processes can be told from all others.
cp "$1" "$FOLDER/defiance"
TOOL=$FOLDER/defiance
GAMES=40
# The time decides how long this takes on any machine; nobody loses by it.
MATCH=(match "self;name=one" "self;name=other" --time 0.003 --exact --margin 60000 --max-plies 40
    --concurrency 2 --pdn games.pdn --resume state)
failures=0

fail() {
    echo "resume_test: $*"
    failures=$((failures + 1))
}

expect() {    # expect WHAT GOT WANTED
    [ "$2" = "$3" ] || fail "$1: got '$2', expected '$3'"
}

is_alone() {    # all processes of the match are gone
    ! pgrep -f "$TOOL" >/dev/null
}

expect_nothing_left() {
    wait_until is_alone
}

games_in_state() {
    local count
    count=$(grep -sc '^game .* end$' state)
    echo "${count:-0}"
}

wait_until() {    # wait_until COMMAND...: for half a minute at most
    local i
    for ((i = 0; i < 600; i++)); do
        "$@" && return
        sleep 0.05
    done
    fail "not reached: $*"
}

has_games() {    # has_games N: or all there are
    [ "$(games_in_state)" -ge $(($1 < GAMES ? $1 : GAMES)) ]
}

kill_at_random() {    # kill_at_random N: when N more games are over, and a little later
    local before match
    before=$(games_in_state)
    "$TOOL" "${MATCH[@]}" --games $GAMES >>out.txt 2>>err.txt &
    match=$!
    [ "$1" = 0 ] || wait_until has_games $((before + $1))
    sleep "0.$((RANDOM % 15 + 10))"
    kill -9 $match 2>/dev/null
    wait $match 2>/dev/null
    expect_nothing_left
}

# What a kill in the midst of writing leaves; too rare to wait for. The PDN is at most one game ahead, so half a
# game is added only if the kill has not left a whole one.
tear_files() {
    if [ "$(tail -n 1 state | cut -d ' ' -f 6)" = "$(stat -c %s games.pdn)" ]; then
        printf '[Event "half a ga' >>games.pdn
    fi
    printf 'game 7 1 D' >>state
}

check_files() {    # check_files GAMES: each once in both files, which agree
    local rounds journal
    rounds=$(sed -n 's/^\[Round "\([0-9]*\)"\]$/\1/p' games.pdn | sort -n | tr '\n' ' ')
    journal=$(sed -n 's/^game \([0-9]*\) .* end$/\1/p' state | sort -n | tr '\n' ' ')
    expect "games in the PDN" "$(wc -w <<<"$rounds")" "$1"
    expect "games twice" "$(tr ' ' '\n' <<<"$rounds" | uniq -d | tr -d '\n')" ""
    expect "games in the state" "$journal" "$rounds"
    expect "lines of the state" "$(wc -l <state)" $(($1 + 1))
    expect "results of the first side" "$(grep -c '^\[Result "1-0"\]' games.pdn)" \
        "$(grep -c '^game [0-9]* 2 ' state)"
    expect "bytes of the PDN" "$(tail -n 1 state | cut -d ' ' -f 6)" "$(stat -c %s games.pdn)"
    "$TOOL" replay games.pdn >replay.txt || fail "the PDN has faults"
}

test_kills() {
    local before=0 now games
    for games in 0 1 0 3 0 4; do
        kill_at_random $games
        [ $games = 1 ] && tear_files
        now=$(games_in_state)
        [ "$now" -ge "$before" ] || fail "games were lost"
        before=$now
    done
    "$TOOL" "${MATCH[@]}" --games $GAMES >out.txt 2>err.txt
    expect "status of the last run" $? 0
    grep -q "^MATCH games $GAMES w " out.txt || fail "no result: $(tail -n 1 out.txt)"
    grep -q "^going on after $before games$" err.txt || fail "it did not go on"
    check_files $GAMES
    expect "number of the last game" "$(cut -d ' ' -f 2 state | sort -n | tail -n 1)" $GAMES
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>err.txt
    expect "status of one more run" $? 0
    expect "games of one more run" "$(grep -c '^RESULT' again.txt)" 0
    expect "its result" "$(tail -n 1 again.txt)" "$(tail -n 1 out.txt)"
    cp games.pdn kept.pdn
    cat kept.pdn >>games.pdn    # games of somebody else
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>err.txt
    expect "status with games of others behind" $? 2
    expect "bytes with games of others behind" "$(stat -c %s games.pdn)" $((2 * $(stat -c %s kept.pdn)))
    cp kept.pdn games.pdn
    head -c "$(sed -n 2p state | cut -d ' ' -f 6)" kept.pdn >>games.pdn    # one game is enough
    cp games.pdn shared.pdn
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>err.txt
    expect "status with a game of others behind" $? 2
    grep -q "holds games that came after those of this match" err.txt || fail "no word on the game of others"
    grep -q "which end at byte $(stat -c %s kept.pdn);" err.txt || fail "no word on where the games end"
    cmp -s games.pdn shared.pdn || fail "the game of others was changed"
    head -c 1000 kept.pdn >games.pdn
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>err.txt
    expect "status with half of the PDN" $? 2
    grep -q "lacks games that the state tells of" err.txt || fail "no word on the games that are gone"
    expect "bytes of half of the PDN" "$(stat -c %s games.pdn)" 1000
    rm games.pdn
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>err.txt
    expect "status without the PDN" $? 2
    grep -q "is gone, with games that the state tells of" err.txt || fail "no word on the PDN that is gone"
    [ ! -e games.pdn ] || fail "another PDN was begun"
    mv kept.pdn games.pdn
    "$TOOL" "${MATCH[@]}" --games $((GAMES - 1)) >again.txt 2>err.txt
    expect "status with fewer games" $? 2
    grep -q -e "--games: game $GAMES has been played" err.txt || fail "fewer games are taken"
    "$TOOL" "${MATCH[@]}" --games $GAMES --draw-rep 4 >again.txt 2>err.txt
    expect "status with other settings" $? 2
    grep -q "is the state of a match with other settings" err.txt || fail "other settings are taken"
    "$TOOL" "${MATCH[@]}" --games $((GAMES + 2)) >again.txt 2>err.txt
    expect "status with more games" $? 0
    grep -q "^MATCH games $((GAMES + 2)) w " again.txt || fail "no result of more games"
    check_files $((GAMES + 2))
    expect_nothing_left
}

interrupt() {    # interrupt SIGNAL WORDS...: after the first result, with many to go; sets STATUS
    local signal=$1 match
    shift
    rm -f out.txt
    "$TOOL" "$@" --games 4000 >out.txt 2>err.txt &
    match=$!
    wait_until grep -qs '^RESULT' out.txt
    kill "-$signal" $match
    wait $match
    STATUS=$?
    expect_nothing_left
}

test_interrupts() {
    rm -f state games.pdn
    interrupt INT "${MATCH[@]}"
    expect "status after Ctrl-C" "$STATUS" 1
    grep -q "interrupted; the same command goes on with it" err.txt || fail "no word on how to go on"
    grep -q "^MATCH games " out.txt || fail "no result after Ctrl-C"
    check_files "$(games_in_state)"
    interrupt TERM match "self;depth=2" random --concurrency 2
    expect "status after a request to end" "$STATUS" 1
    grep -q "interrupted; with --resume FILE" err.txt || fail "no word on --resume"
    interrupt INT tournament "self;depth=2" "self;depth=1" random --format knockout
    expect "status after Ctrl-C in a tournament" "$STATUS" 1
    grep -q "^TOURNAMENT players 3 games [0-9]* winner -$" out.txt ||
        fail "somebody has won an interrupted tournament: $(tail -n 1 out.txt)"
}

test_interrupt_while_starting() {    # of a player that tells nothing of itself
    local match begin=$SECONDS
    "$TOOL" match "hub:sleep 120" random --startup 100 >out.txt 2>err.txt &
    match=$!
    sleep 1
    kill -INT $match
    wait $match
    expect "status after Ctrl-C while a player starts" $? 1
    [ $((SECONDS - begin)) -lt 60 ] || fail "Ctrl-C had to wait for a player to start"
    grep -q "^interrupted; " err.txt || fail "no word on the end: $(cat err.txt)"
    expect_nothing_left
}

test_two_at_once() {    # the second leaves the files of the first alone
    local match
    rm -f state games.pdn
    "$TOOL" "${MATCH[@]}" --games $GAMES >out.txt 2>err.txt &
    match=$!
    wait_until has_games 1
    kill -STOP $match    # or it might end before the second begins
    "$TOOL" "${MATCH[@]}" --games $GAMES >again.txt 2>again_err.txt
    expect "status of a second match" $? 2
    kill -CONT $match
    grep -q "state.lock' is in use by another program" again_err.txt || fail "no word on the other match"
    wait $match
    expect "status of the first match" $? 0
    check_files $GAMES
    expect_nothing_left
}

test_closed_streams() {    # no message goes into a file that is opened later
    rm -f state games.pdn run.dfr other.dfr
    "$TOOL" selfplay --games 64 --nodes 20 --seed 1 --out run.dfr >/dev/null 2>&1
    "$TOOL" selfplay --games 64 --nodes 20 --seed 1 --out other.dfr >&- 2>&-
    cmp run.dfr other.dfr || fail "self-play without streams makes another file"
    "$TOOL" match random random --games 4 --max-plies 20 --pdn games.pdn 2>&- >out.txt
    expect "status of a match without standard error" $? 0
    "$TOOL" replay games.pdn >replay.txt || fail "the PDN without standard error has faults"
    expect "what is in it" "$(cut -d ' ' -f 1,2,5,6 replay.txt)" "games 4 faults 0"
    expect "lines that are no PDN" "$(grep -c '^game [0-9]' games.pdn)" 0
    "$TOOL" replay games.pdn >&- 2>err.txt
    expect "status without standard output" $? 2
    grep -q "the output cannot be written" err.txt || fail "no word on the closed output"
    "$TOOL" hub <&- >out.txt 2>err.txt
    expect "status without standard input" $? 0
}

test_lost_output() {    # nobody reads the results, and no file keeps them
    "$TOOL" match "self;depth=1;name=one" "mw:$TOOL middleware --random" --games 4000 2>err.txt | head -n 1 >out.txt
    expect "status of a match that nobody reads" "${PIPESTATUS[0]}" 2
    grep -q "the output cannot be written" err.txt || fail "no word on the lost output"
    [ "$(grep -c "^game 3[0-9][0-9][0-9] of" err.txt)" = 0 ] || fail "a match that nobody reads is played on"
    rm -f games.pdn
    "$TOOL" match "self;depth=1" "mw:$TOOL middleware --random" --games 20 --max-plies 20 --pdn games.pdn 2>err.txt |
        head -n 1 >out.txt
    expect "games that are kept without a reader" "$("$TOOL" replay games.pdn | cut -d ' ' -f 1,2)" "games 20"
    expect_nothing_left
}

test_kills
test_interrupts
test_interrupt_while_starting
test_two_at_once
test_closed_streams
test_lost_output
[ $failures = 0 ] && rm -rf "$FOLDER"
exit $((failures > 0))

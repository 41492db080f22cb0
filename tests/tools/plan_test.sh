#!/bin/bash
# plan_test.sh DEFIANCE FOLDER: runs plans for many machines as separate processes, through make and a
# stand-in for Slurm, and compares what they make with what one process makes, to the bit.
set -euo pipefail
tool=$(readlink -f "$1")
work=$2/plan_test
rm -rf "$work"
mkdir -p "$work/bin"
cd "$work"
export DEFIANCE=$tool

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Runs the jobs of an array one after the other, in the wrong order where that must not matter. Refuses
# what waits for a job that it has not been given.
cat >bin/sbatch <<'END'
#!/bin/bash
set -euo pipefail
shopt -s extglob
for word in "$@"; do
    case $word in
        --dependency=afterok:*)
            for number in $(tr : ' ' <<<"${word#*:}"); do
                [ "$number" -le "$(cat jobs)" ] || exit 1
            done
            ;;
        --array=1-+([0-9])) count=${word#*-*-*-} ;;
        --wrap) ;;
        case*) jobs=$word ;;
    esac
done
for i in $(seq "$count" -1 1); do
    SLURM_ARRAY_TASK_ID=$i sh -c "$jobs" >>log 2>&1
done
number=$(($(cat jobs 2>/dev/null || echo 0) + 1))
echo "$number" >jobs
echo "$number;cluster"
END
chmod +x bin/sbatch
PATH=$work/bin:$PATH

same() {    # same FOLDER FOLDER: the same files for engines
    local file count=0
    for file in "$1"/*.*; do
        cmp "$file" "$2/${file##*/}" || fail "$file is another file"
        count=$((count + 1))
    done
    [ "$count" -ge 1 ] && [ "$(ls -p "$2" | grep -vc /)" = "$count" ] || fail "$2 has other files"
}

databases() {    # databases GAME PIECES
    "$tool" egdb build --game "$1" --pieces "$2" --dir "one_$1" --threads 1 >/dev/null 2>&1
    "$tool" egdb plan --game "$1" --pieces "$2" --dir "make_$1" >"$1.mk"
    make -s -j2 -f "$1.mk" >log 2>&1 || fail "make: $(tail -3 log)"
    same "one_$1" "make_$1"
    make -q -f "$1.mk" || fail "$1: something is left to do"
}

databases english 3
databases russian 4

# What is missing is made again, with what comes after it alone.
(cd make_russian && rm work/russian_2m0k-2m0k.* ./*.*)
make -s -f russian.mk >log 2>&1 || fail "make: $(tail -3 log)"
same one_russian make_russian

"$tool" egdb build --game italian --pieces 3 --dir one_italian --threads 1 >/dev/null 2>&1
"$tool" egdb plan --game italian --pieces 3 --dir slurm_italian --for slurm >italian.sh
sh italian.sh || fail "the script for Slurm: $(tail -3 log)"
same one_italian slurm_italian

"$tool" egdb join --game italian --pieces 4 --dir slurm_italian >log 2>&1 &&
    fail "parts that are not there were joined"

games="--game czech --games 320 --nodes 20 --seed 3"
# shellcheck disable=SC2086
"$tool" selfplay $games --threads 1 --out one.dfr >/dev/null 2>&1
# shellcheck disable=SC2086
"$tool" selfplay plan $games --out make.dfr --shards 3 >games.mk
make -s -j2 -f games.mk >log 2>&1 || fail "make: $(tail -3 log)"
cmp one.dfr make.dfr
# shellcheck disable=SC2086
"$tool" selfplay plan $games --out slurm.dfr --shards 3 --for slurm >games.sh
sh games.sh || fail "the script for Slurm: $(tail -3 log)"
cmp one.dfr slurm.dfr
# Both can be run again, and the plan be printed again.
sh games.sh || fail "the script for Slurm, again: $(tail -3 log)"
# shellcheck disable=SC2086
"$tool" selfplay plan $games --out make.dfr --shards 3 >games.mk
make -s -j2 -f games.mk >log 2>&1 || fail "make, again: $(tail -3 log)"
make -q -f games.mk || fail "games: something is left to do"
cmp one.dfr make.dfr
cmp one.dfr slurm.dfr
# More games of the same names are not taken for these.
# shellcheck disable=SC2086
"$tool" selfplay plan ${games/320/640} --out make.dfr --shards 3 >games.mk
make -s -f games.mk >log 2>&1 && fail "make did nothing for more games"
grep -q "is of other settings: games 320 instead of 640" log || fail "more games: $(tail -3 log)"
cmp one.dfr make.dfr

# A book in shards: the same by hand, through make and through Slurm. The start and five openings are
# dealt out, and 61 positions.
printf '%s\n' 11-15 11-16 9-13 12-16 10-15 >openings.txt
book="--game english --positions 61 --nodes 50 --alpha 2.5 --ballots openings.txt"
for i in 0 1 2; do
    # shellcheck disable=SC2086
    "$tool" book build $book --threads 1 --dir by_hand --shard $i/3 --out by_hand.book.part$i >log 2>&1 ||
        fail "book build --shard $i/3: $(tail -3 log)"
    grep -q "^positions $((i == 0 ? 21 : 20)) " log || fail "shard $i has another share: $(tail -3 log)"
done
[ "$(ls by_hand)" = "$(printf 'shard%sof3\n' 0 1 2)" ] || fail "the shards have other folders"
"$tool" book merge by_hand.book by_hand.book.part{0,1,2} >/dev/null
# shellcheck disable=SC2086
"$tool" book plan $book --dir make_book --out make.book --shards 3 >book.mk
make -s -j2 -f book.mk >log 2>&1 || fail "make: $(tail -3 log)"
make -q -f book.mk || fail "book: something is left to do"
# shellcheck disable=SC2086
"$tool" book plan $book --dir slurm_book --out slurm.book --shards 3 --for slurm >book.sh
grep -q -e '--for ' book.sh && fail "an option of the plan is in its jobs"
sh book.sh || fail "the script for Slurm: $(tail -3 log)"
for part in "" .part0 .part1 .part2; do
    cmp "by_hand.book$part" "make.book$part"
    cmp "by_hand.book$part" "slurm.book$part"
done
"$tool" book verify make.book >/dev/null || fail "the book is not sound"
# A larger plan of the same names goes on.
# shellcheck disable=SC2086
"$tool" book plan ${book/61/67} --dir make_book --out make.book --shards 3 >book.mk
make -s -j2 -f book.mk >log 2>&1 || fail "make: $(tail -3 log)"
make -q -f book.mk || fail "larger book: something is left to do"
"$tool" book info make.book.part0 | grep -q "^positions 23 " || fail "a larger plan does nothing"
for wrong in "--shards 7" "--shards 2 --store redis://127.0.0.1" "--shards 2 --shard 0/2" \
    "--shards 2 --for pbs" "--alpha 2"; do
    # shellcheck disable=SC2086
    "$tool" book plan --dir a --out b --positions 9 --ballots openings.txt $wrong >/dev/null 2>&1 &&
        fail "book plan $wrong"
done
"$tool" book build --dir a --out b --positions 9 --shard 2/2 >/dev/null 2>&1 && fail "shard 2/2"

# Nothing is taken for another task, nor an input for the output.
for wrong in "selfplay $games --out x.dfr --shards 3" "selfplay more $games --out x.dfr" \
    "selfplay info one.dfr --games 3" "selfplay merge --out x.dfr make.dfr.part0 make.dfr.part1 make.dfr.part2" \
    "book verify make.book --nodes 5" "book build --dir a --out x.book --positions 9 more" \
    "book merge --out x.book make.book.part0 make.book.part1" "book merge make.book make.book make.book.part0" \
    "book export make.book --out make.book" "book verify" \
    "train --game czech --data one.dfr --out one.dfr" "train --game czech --data one.dfr --out x.net --csv one.dfr"; do
    status=0
    # shellcheck disable=SC2086
    "$tool" $wrong >log 2>&1 || status=$?
    [ $status = 2 ] && [ "$(wc -l <log)" = 1 ] || fail "$wrong: status $status: $(tail -3 log)"
    [ "$(echo x.*)" = "x.*" ] || fail "$wrong wrote a file"
done
cmp one.dfr make.dfr
"$tool" book verify make.book >/dev/null || fail "the book is not sound any more"

# Nothing that a shell or make would take for more than a word.
# shellcheck disable=SC2016
for folder in 'a b' '$(reboot)' 'a;b' '`a`' '-x' "a'b" 'a:b' 'a%' 'a#'; do
    "$tool" egdb plan --pieces 2 --dir "$folder" >/dev/null 2>&1 && fail "'$folder' is in a plan"
    # shellcheck disable=SC2086
    "$tool" selfplay plan $games --out "$folder" --shards 2 >/dev/null 2>&1 && fail "'$folder' is in a plan"
    "$tool" book plan --positions 9 --dir "$folder" --out b --shards 2 >/dev/null 2>&1 && fail "'$folder' is in a plan"
    "$tool" book plan --positions 9 --dir a --out "$folder" --shards 2 >/dev/null 2>&1 && fail "'$folder' is in a plan"
done
"$tool" egdb plan --pieces 2 --dir a --for pbs >/dev/null 2>&1 && fail "jobs for pbs"
echo "plans make what one process makes"

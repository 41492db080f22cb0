#!/usr/bin/env bash
# egdb_test.sh DEFIANCE FOLDER: what `defiance egdb` says of databases that are right, damaged and incomplete.
set -u
tool=$1
dir=$(mktemp -d "$2/egdb_test.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failures=0

expect() {    # expect STATUS TEXT COMMAND...: its exit status, and a text in what it prints
    local status=$1 text=$2 output found
    shift 2
    output=$("$@" 2>&1)
    found=$?
    if [ $found != "$status" ] || ! grep -qF -- "$text" <<<"$output"; then
        echo "egdb_test: $* ends with $found, not $status, or does not say '$text': $output"
        failures=1
    fi
}

verify=("$tool" egdb verify --game czech --dir "$dir" --pieces 3)
expect 1 "missing: 0m1k-0m1k" "${verify[@]}"
expect 0 "built in" "$tool" egdb build --game czech --dir "$dir" --pieces 3
expect 0 "pieces 3 compared" "${verify[@]}"
expect 0 "0m1k-0m2k plies" "$tool" egdb info --game czech --dir "$dir"
expect 0 "first probes of 1000 positions" "$tool" egdb speed --game czech --dir "$dir" --positions 1000
expect 2 "egdb cost: its positions are English" "$tool" egdb cost --game czech

# Without the plies, with a byte changed, cut off, of another game: each fails.
mv "$dir/czech3_plies.dfe" "$dir/plies"
expect 1 "WRONG" "${verify[@]}"
expect 1 "missing: plies of 0m1k-0m2k" "${verify[@]}"
if "${verify[@]}" 2>&1 | grep -q "^wrong: "; then
    echo "egdb_test: values are called wrong whose plies are missing"
    failures=1
fi
mv "$dir/plies" "$dir/czech3_plies.dfe"
cp "$dir/czech3.dfe" "$dir/values"
printf 'x' | dd of="$dir/czech3.dfe" bs=1 seek=1500 conv=notrunc status=none
expect 1 "not used: $dir/czech3.dfe: " "${verify[@]}"
expect 1 "it is damaged" "$tool" egdb info --game czech --dir "$dir"
expect 1 "there is no database of this game" "$tool" egdb info --game russian --dir "$dir"
expect 2 "--prove goes without --dir" "$tool" egdb count --game czech --pieces 3 --prove --dir "$dir"
expect 2 "--plies goes without --dir" "$tool" egdb count --game czech --pieces 3 --plies --dir "$dir"
expect 2 "leave --dir out" "$tool" egdb count --game czech --pieces 3 --dir "$dir"
expect 2 "more than 5 pieces only with --dir" "$tool" egdb verify --game czech --pieces 6
head -c 2000 "$dir/values" >"$dir/czech3.dfe"
expect 1 "it is cut off or too long" "${verify[@]}"
"$tool" egdb build --game spanish --dir "$dir" --pieces 3 >/dev/null 2>&1
cp "$dir/spanish3.dfe" "$dir/czech3.dfe"
expect 1 "it is for another game" "${verify[@]}"
mv "$dir/values" "$dir/czech3.dfe"
expect 0 "right" "${verify[@]}"

# It tells how far it is, and ends with 1 when it is stopped.
"$tool" egdb verify --game english --pieces 5 >"$dir/out" 2>"$dir/err" &
verifier=$!
for ((i = 0; i < 1000; i++)); do
    grep -q " million positions a second, " "$dir/err" && break
    sleep 0.05
done
kill -INT $verifier
wait $verifier
status=$?
if [ $status != 1 ] || ! grep -q "^stopped$" "$dir/err"; then
    echo "egdb_test: a verification that is stopped ends with $status: $(tail -n 2 "$dir/err")"
    failures=1
fi

# A kind of position alone is a part, which 'join' knows.
(cd "$dir" && rm work/czech_* czech3*)
for slice in 0m1k-0m1k 1m0k-0m1k 1m0k-1m0k 0m2k-0m1k 0m2k-1m0k 1m1k-0m1k 1m1k-1m0k 2m0k-0m1k; do
    expect 0 "built in" "$tool" egdb build --game czech --dir "$dir" --slice $slice --part
done
expect 2 "has not been built yet" "$tool" egdb join --game czech --dir "$dir" --pieces 3
expect 0 "built in" "$tool" egdb build --game czech --dir "$dir" --slice 2m0k-1m0k
expect 0 "written: $dir/czech3.dfe" "$tool" egdb join --game czech --dir "$dir" --pieces 3
expect 0 "right" "${verify[@]}"

# Sanitizers reserve more memory than there is, so a limit would stop them at once.
if ! grep -q __asan_init "$tool" && ! grep -q __tsan_init "$tool"; then
    # The program itself, and 12 MB: its libraries and small stacks take about half of them, and the less is left
    # the sooner it is used up.
    most=$(($(stat -c %s "$tool") / 1024 + 12000))
    limited() { (ulimit -s 1024 && ulimit -v $most && exec "$@"); }
    expect 2 "egdb: there is not enough memory" limited "$tool" egdb count --game english --pieces 5 --threads 1
    expect 2 "there is not enough memory for " limited "$tool" egdb build --game english --dir "$dir" --pieces 5 --threads 1
fi
exit $failures

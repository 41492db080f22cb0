#!/usr/bin/env bash
# tests/fuzz.sh MINUTES: random calls and random games against the engines in build/fuzz, and random bytes
# against what reads the network and the files of a store, each time with another seed; ./dev fuzz builds
# them and calls this. Ctrl-C ends it at any time. Exit status 1 at the first fault, with the command that
# shows it again.
set -euo pipefail
MINUTES=${1:?minutes}
cd "$(dirname "$(readlink -f "$0")")/.."
BIN=build/fuzz/bin
CASES=30000    # about ten seconds with sanitizers
ROUNDS=100
END=$((SECONDS + MINUTES * 60))
SEED=${DEFIANCE_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
WORKERS=$(nproc)
TASKS=()
KINDS=(engine_fuzz engine_agreement)
turn=0
for engine in "$BIN"/libdefiance_*.so; do    # in turns, so that two workers share both kinds
    game=${engine##*_}
    for kind in 0 1; do TASKS+=("${KINDS[(turn + kind) % 2]} ${game%.so}"); done
    turn=$((turn + 1))
done
TASKS+=("service_fuzz service")
[ "$WORKERS" -le ${#TASKS[@]} ] || WORKERS=${#TASKS[@]}

# work NUMBER: every so many-th task, so that no two workers use the same copy of an engine.
work() {
    local number=$1 round=0 i task command output left
    trap '[ -z "${child:-}" ] || kill "$child" 2>/dev/null; exit 143' TERM
    for ((; SECONDS < END; round++)); do
        for ((i = number; i < ${#TASKS[@]} && SECONDS < END; i += WORKERS)); do
            read -ra task <<<"${TASKS[i]}"
            command=("$BIN/${task[0]}" "$BIN/libdefiance_${task[1]}.so" "$CASES" $((SEED + round)))
            [ "${task[0]}" != engine_agreement ] || command[2]=$ROUNDS
            [ "${task[0]}" != service_fuzz ] || command=("$BIN/service_fuzz" "$CASES" $((SEED + round)))
            output=$FOLDER/$number
            "${command[@]}" >"$output" 2>&1 </dev/null &
            child=$!
            if ! wait "$child"; then
                cat "$output"
                echo "FAULT. Seen again with: ${command[*]}"
                return 1
            fi
            child=
            left=$((END > SECONDS ? END - SECONDS : 0))
            printf '%3d:%02d left  %-9s %s\n' $((left / 60)) $((left % 60)) "${task[1]}" "$(tail -n 1 "$output")"
        done
    done
}

end_workers() {
    [ ${#workers[@]} = 0 ] || kill "${workers[@]}" 2>/dev/null || true
    wait
    rm -rf "$FOLDER"
}

FOLDER=$(mktemp -d)
workers=()
trap end_workers EXIT
trap 'echo; echo "Interrupted; no fault until then."; exit 130' INT
trap 'exit 143' TERM
echo "Fuzzing for $MINUTES minutes from seed $SEED on; Ctrl-C ends it, DEFIANCE_SEED=$SEED begins with the same."
for ((number = 0; number < WORKERS; number++)); do
    work "$number" &
    workers+=($!)
done
status=0
for ((number = 0; number < WORKERS; number++)); do
    wait -n || { status=1; break; }    # the first fault ends all
done
[ $status != 0 ] || echo "No fault in $MINUTES minutes."
exit $status

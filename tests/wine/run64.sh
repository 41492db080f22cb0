#!/bin/bash
# run64.sh EXE [ARGS...]   runs a 64-bit Windows console program under Wine; the exit status is the program's
# run64.sh --setup         installs what is missing and makes the Wine prefix
# Options that an engine stored in an earlier run are removed first, unless DEFIANCE_KEEP_OPTIONS is set.
# Status 127: the program could not be started. Settings: see common.sh.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/wine/common.sh
. "$HERE/common.sh"
PREFIX=$CACHE/wine64

setup() {
    mkdir -p "$CACHE" || die 1 "run64: cannot make $CACHE"
    install_packages wine wine64 || die 1 "run64: $REASON"
    ensure_prefix "$PREFIX" win64 || die 1 "run64: cannot make the Wine prefix $PREFIX"
}

[ $# -gt 0 ] || die 127 "usage: run64.sh EXE [ARGS...] | run64.sh --setup"
if [ $# -eq 1 ] && [ "$1" = --setup ]; then
    setup
    exit 0
fi
command -v wine >/dev/null || die 127 "run64: Wine is not installed; run tests/wine/run64.sh --setup"
run_exe "$PREFIX" win64 "$@"

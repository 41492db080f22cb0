#!/bin/bash
# Shared by run64.sh and run32.sh; sourced, also by the shell that run32.sh starts inside its chroot.
# Settings from the environment:
#   DEFIANCE_CACHE         where prefixes and the chroot live (default: $XDG_CACHE_HOME/defiance or ~/.cache/defiance)
#   DEFIANCE_KEEP_OPTIONS  set: leave the options that an engine stored earlier in the registry

CACHE=${DEFIANCE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/defiance}
case $CACHE in /*) ;; *) CACHE=$PWD/$CACHE ;; esac
LINGER=5    # seconds for which an idle wineserver waits for the next run; starting one takes longer than a test

die() {    # die STATUS MESSAGE...
    local status=$1
    shift
    echo "$*" >&2
    exit "$status"
}

# --- rights and packages

have_root() {
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

missing_packages() {
    local p
    for p in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || echo "$p"
    done
}

# Installs those of the named packages that are missing. On failure REASON says why.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    REASON="Debian packages missing: ${missing[*]}"
    command -v apt-get >/dev/null || { REASON+=" (no apt-get here)"; return 1; }
    have_root || { REASON+=" (neither root nor sudo)"; return 1; }
    # A failed update is no reason to stop: one broken foreign source must not keep an available package out.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=5 update >>"$CACHE/setup.log" 2>&1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 -o Acquire::Retries=5 \
        install --no-install-recommends "${missing[@]}" >>"$CACHE/setup.log" 2>&1 ||
        { REASON+=" (apt-get failed, see $CACHE/setup.log)"; return 1; }
}

# --- Wine

# wine_env PREFIX ARCH: no display, no installers for Mono or Gecko, no menu entries, no messages of Wine's own.
# Without winedbg a crashed program ends with the low byte of its exception code (5 for an access violation);
# with it the status would be 0. The locale keeps arguments that are not ASCII whole.
wine_env() {
    export WINEPREFIX=$1 WINEARCH=$2 WINEDEBUG=-all LC_ALL=C.UTF-8
    export WINEDLLOVERRIDES="mscoree,mshtml=;winemenubuilder.exe,winedbg.exe=d"
    unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR    # the last: not to be seen in the chroot, and holds the server's socket
}

# Makes the prefix under another name and renames it, so that an interrupted creation never looks finished.
# On a busy machine Wine's services may not start in time for its first boot, so it is tried three times.
make_prefix() {    # make_prefix PREFIX ARCH
    local new=$1.new
    for _ in 1 2 3; do
        rm -rf "$new"
        (
            wine_env "$new" "$2"
            wineboot -i && wineserver -w
        ) </dev/null >/dev/null 2>&1 && [ -f "$new/system.reg" ] && mv "$new" "$1" && return 0
        (wine_env "$new" "$2" && wineserver -k -w) </dev/null >/dev/null 2>&1
    done
    return 1
}

# The lock's descriptor is closed for the children: a wineserver that inherits it would hold the lock.
ensure_prefix() {    # ensure_prefix PREFIX ARCH
    [ -d "$1" ] && return 0
    mkdir -p "${1%/*}"
    (
        flock 9
        [ -d "$1" ] || make_prefix "$1" "$2" 9>&-
    ) 9>"$1.lock"
}

# Starts Wine's background processes detached from our output (a pipe's reader would wait for them)
# and removes stored options in the same call; with options kept, a query stands in for the deletion.
warm_up() {
    wineserver -p$LINGER </dev/null >/dev/null 2>&1    # fails when one runs already, which is as good
    if [ -n "${DEFIANCE_KEEP_OPTIONS+set}" ]; then
        wine reg query 'HKCU\Software\Wine' </dev/null >/dev/null 2>&1
    else
        wine reg delete 'HKCU\Software\Defiance' /f </dev/null >/dev/null 2>&1
    fi
    return 0
}

wait_idle() {    # wait_idle PREFIX: until its wineserver has ended
    wine_env "$1" ''
    wineserver -w
}

run_exe() {    # run_exe PREFIX ARCH EXE [ARGS...]
    ensure_prefix "$1" "$2" || die 127 "tests/wine: cannot make the Wine prefix $1"
    wine_env "$1" "$2"
    shift 2
    [ -f "$1" ] || die 127 "tests/wine: no such file: $1"
    warm_up
    exec wine "$@"
}

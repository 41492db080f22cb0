#!/bin/bash
# run32.sh EXE [ARGS...]   runs a 32-bit Windows console program under 32-bit Wine; the exit status is the program's
# run32.sh --setup         makes the i386 chroot that holds this Wine, and the Wine prefix
# Debian's multiarch can refuse wine32 beside 64-bit packages; a chroot does not, and leaves the machine's packages alone.
# Needs root or sudo. Inside are, at their usual paths: this project, /tmp, the Wine prefix, and the folders in
# DEFIANCE_BIND (separated by ':'). They are mounted in a namespace of this run's own, so nothing stays mounted.
# Options that an engine stored in an earlier run are removed first, unless DEFIANCE_KEEP_OPTIONS is set.
# Status 127: the program could not be started; 77: no 32-bit Wine here, after --setup because the kernel of this
# machine runs no 32-bit programs. Settings: see common.sh.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/wine/common.sh
. "$HERE/common.sh"
PREFIX=$CACHE/wine32
ROOT=$CACHE/i386
RELEASE=bookworm
PROJECT=$(git -C "$HERE" rev-parse --show-toplevel 2>/dev/null) || PROJECT=$(cd "$HERE/../.." && pwd -P)
IFS=: read -ra BINDS <<<"${DEFIANCE_BIND:-}"
BINDS=("$PROJECT" "$PREFIX" "${BINDS[@]}")

skip() {    # skip STATUS REASON
    die "$1" "SKIPPED 32-bit: $2"
}

# --- making the chroot

# The first archive that this machine's apt uses for $RELEASE, from both kinds of source file.
apt_mirror() {
    local f
    for f in /etc/apt/sources.list.d/*.sources; do
        [ -f "$f" ] && awk -v rel="$RELEASE" 'BEGIN { RS = ""; FS = "\n" } {
            deb = suite = uri = ""
            for (i = 1; i <= NF; i++) {
                n = split($i, w, /[ \t]+/)
                for (j = 2; j <= n; j++) {
                    if (w[1] == "Types:" && w[j] == "deb") deb = 1
                    if (w[1] == "Suites:" && w[j] == rel) suite = 1
                    if (w[1] == "URIs:" && uri == "") uri = w[j]
                }
            }
            if (deb && suite && uri != "") print uri
        }' "$f"
    done
    for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$f" ] && sed -nE "s/^deb[ \t]+(\[[^]]*\][ \t]+)?([^ \t]+)[ \t]+${RELEASE}[ \t].*/\2/p" "$f"
    done
}

in_root() {
    chroot "$ROOT.new" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
}

# apt inside the chroot reaches the archive the way apt outside does: proxy settings, name servers, certificates.
copy_apt_settings() {
    apt-config dump | grep -E '^Acquire::(https?|Check-[A-Za-z-]*)(::[^ ]*)? "' >"$ROOT.new/etc/apt/apt.conf.d/90host"
    cp -L /etc/resolv.conf "$ROOT.new/etc/resolv.conf"
    [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
        install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$ROOT.new/etc/ssl/certs/ca-certificates.crt"
    echo force-unsafe-io >"$ROOT.new/etc/dpkg/dpkg.cfg.d/unsafe-io"    # a lost chroot is made again
}

# Some kernels are built or started without 32-bit programs. A program of the chroot tells.
kernel_refuses_32_bit() {
    [ -x "$ROOT.new/bin/true" ] || return 1
    case $(LC_ALL=C chroot "$ROOT.new" /bin/true 2>&1) in
        *'Exec format error'*) return 0 ;;
        *) return 1 ;;
    esac
}

# Status 77: the kernel refuses 32-bit programs.
# Runs as root in a mount namespace of its own. $ROOT gets its name last, when it is complete.
build_root() {
    local mirror http_proxy='' at
    mirror=$(apt_mirror | head -n 1)
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    [ -z "$http_proxy" ] || [ "$http_proxy" = DIRECT ] || export http_proxy
    rm -rf "$ROOT.new"
    for at in 1 2 3; do    # a transfer that breaks off is no reason to give up
        debootstrap --arch=i386 --variant=minbase "$RELEASE" "$ROOT.new" ${mirror:+"$mirror"} && break
        ! kernel_refuses_32_bit || return 77
        [ "$at" -lt 3 ] || return 1
        sleep 20
        rm -rf "$ROOT.new"
    done
    copy_apt_settings
    mount -t proc proc "$ROOT.new/proc" || return 1
    in_root apt-get -q -o Acquire::Retries=5 update &&
        in_root apt-get -qy -o Acquire::Retries=5 install --no-install-recommends wine wine32 &&
        in_root apt-get clean || return 1
    umount "$ROOT.new/proc" || return 1
    rm -rf "$ROOT.new"/var/lib/apt/lists/* "$ROOT.new"/var/cache/debconf/*-old "$ROOT.new"/usr/share/{doc,man,locale}
    for at in dev proc tmp; do mkdir -p "$ROOT.new/$at"; done
    mv "$ROOT.new" "$ROOT"
}

ensure_root() {
    [ -d "$ROOT" ] && return 0
    install_packages debootstrap debian-archive-keyring || return 1
    REASON="the i386 chroot could not be made, see $CACHE/setup.log"
    (
        flock 9
        [ -d "$ROOT" ] || as_root env DEFIANCE_CACHE="$CACHE" unshare -m bash "$HERE/run32.sh" --build-root \
            </dev/null >>"$CACHE/setup.log" 2>&1 9>&-
    ) 9>"$CACHE/i386.lock"
}

# --- running in it

# Runs as root in a mount namespace of its own: mounts, then leaves root's rights for those of the caller.
enter() {    # enter UID:GID BIND... -- COMMAND...
    local user=$1
    shift
    mount --rbind /dev "$ROOT/dev" && mount --rbind /proc "$ROOT/proc" && mount --bind /tmp "$ROOT/tmp" || return 1
    while [ "$1" != -- ]; do
        mkdir -p "$ROOT$1" && mount --rbind "$1" "$ROOT$1" || return 1
        shift
    done
    shift
    exec chroot --userspec="$user" "$ROOT" "$@"
}

visible() {    # is this folder to be seen inside the chroot?
    local d
    for d in /tmp "${BINDS[@]}"; do
        case $1/ in "${d%/}"/*) return 0 ;; esac
    done
    return 1
}

# Replaces this process by a shell function of common.sh inside the chroot, in the same folder and environment.
in_wine() {    # in_wine FUNCTION ARGS...
    local cwd environment
    cwd=$(pwd -P)
    visible "$cwd" || cwd=/
    mapfile -d '' -t environment < <(env -0)
    # shellcheck disable=SC2016  # expanded by the shell inside
    exec_as_root env DEFIANCE_CACHE="$CACHE" unshare -m bash "$HERE/run32.sh" --enter "$(id -u):$(id -g)" "${BINDS[@]}" -- \
        env -i "${environment[@]}" HOME="$PREFIX" PATH=/usr/local/bin:/usr/bin:/bin \
        bash -c 'cd "$1" && . "$2" && shift 2 && "$@"' run32 "$cwd" "$HERE/common.sh" "$@"
}

# A wineserver opens the files of its programs, and sees the mounts of the run that started it:
# wait for the end of one that another checkout or other folders started.
match_server() {
    mkdir -p "$PREFIX"
    [ "$(cat "$PREFIX/binds" 2>/dev/null)" = "${BINDS[*]}" ] && return
    (in_wine wait_idle "$PREFIX/prefix")
    echo "${BINDS[*]}" >"$PREFIX/binds"
}

exec_as_root() {
    if [ "$(id -u)" = 0 ]; then exec "$@"; else exec sudo -n "$@"; fi
}

setup() {
    have_root || skip 1 "neither root nor sudo"
    mkdir -p "$CACHE" || skip 1 "cannot make $CACHE"
    local status=0
    ensure_root || status=$?
    [ $status != 77 ] || skip 77 "the kernel of this machine runs no 32-bit programs"
    [ $status = 0 ] || skip 1 "$REASON"
    # An existing chroot may have been made under another kernel.
    case $(LC_ALL=C as_root chroot "$ROOT" /bin/true 2>&1) in
        *'Exec format error'*) skip 77 "the kernel of this machine runs no 32-bit programs" ;;
    esac
    mkdir -p "$PREFIX"
    (in_wine ensure_prefix "$PREFIX/prefix" win32) || skip 1 "cannot make the Wine prefix $PREFIX"
    echo "${BINDS[*]}" >"$PREFIX/binds"
}

[ $# -gt 0 ] || die 127 "usage: run32.sh EXE [ARGS...] | run32.sh --setup"
case $1 in
    --build-root) build_root; exit ;;    # the script calls itself with these two, as root
    --enter) shift; enter "$@"; exit 127 ;;
esac
if [ $# -eq 1 ] && [ "$1" = --setup ]; then
    setup
    exit 0
fi
[ -d "$ROOT" ] || skip 77 "no i386 chroot in $CACHE; run tests/wine/run32.sh --setup as root"
have_root || skip 77 "neither root nor sudo"
visible "$(pwd -P)" || die 127 "run32: $(pwd -P) is not visible in the chroot; name it in DEFIANCE_BIND"
match_server
in_wine run_exe "$PREFIX/prefix" win32 "$@"

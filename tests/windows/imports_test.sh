#!/bin/bash
# imports_test.sh OBJDUMP WRONG.dll defiance.exe ENGINE.dll...
# Reads the headers of the engine files, because Wine has functions that Windows 7 has not. Each must
#   export enginecommand, getmove and islegal under these names and nothing else;
#   import from Windows' own DLLs only, and only functions in windows7_functions.txt;
#   be made for Windows 6.1 or earlier, be smaller than 4 MB, and hold a version and the help page.
# defiance.exe must be made for such a Windows too, may import the functions in windows7_tool_functions.txt besides,
# and needs a manifest.
# WRONG.dll breaks these rules; the test fails if that goes unseen. Exit status 0: all is well.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LISTS=("$HERE/windows7_functions.txt")
OBJDUMP=$1
WRONG=$2
TOOL=$3
shift 3

exports() {
    sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/p' <<<"$HEADERS" | sed -n 's/^\t\[.*\] *//p' | awk '{print $NF}'
}

# Lines "DLL function" of what is imported; an import by number has no name and shows as such.
imports() {
    awk '/^\tDLL Name: / { dll = tolower($3); next }
         /^$/ { dll = "" }
         dll != "" && $1 != "vma:" && NF >= 3 { print dll, $3 }' <<<"$HEADERS"
}

# Lines "DLL function" of what Windows 7 has.
allowed() {
    awk '/^#/ { next }
         /:$/ { dll = tolower(substr($1, 1, length($1) - 1)); next }
         { for (i = 1; i <= NF; ++i) print dll, $i }' "${LISTS[@]}"
}

header() {    # header FIELD: its value
    awk -v field="$1" '$1 == field { print $2; exit }' <<<"$HEADERS"
}

# Prints why the file whose headers are in HEADERS may not start on Windows 7, one line a fault.
windows7_faults() {
    local version
    [ "$(imports | wc -l)" -gt 20 ] || echo "imports too little to be true"
    LC_ALL=C comm -13 <(allowed | LC_ALL=C sort -u) <(imports | LC_ALL=C sort -u) |
        sed 's/^/import that Windows 7 may lack: /'
    version=$(($(header MajorSubsystemVersion) * 100 + $(header MinorSubsystemVersion)))
    [ "$version" -le 601 ] || echo "needs Windows $version"
    version=$(($(header MajorOSystemVersion) * 100 + $(header MinorOSystemVersion)))
    [ "$version" -le 601 ] || echo "needs the system $version"
}

# Prints what is wrong with the engine file whose headers are in HEADERS, one line a fault.
faults() {
    local file=$1 size
    [ "$(exports | LC_ALL=C sort | xargs)" = "enginecommand getmove islegal" ] ||
        echo "exports: $(exports | xargs)"
    windows7_faults
    size=$(stat -c %s "$file")
    [ "$size" -lt 4000000 ] || echo "is $size bytes large"
    grep -q 'Entry: ID: 0x000010' <<<"$HEADERS" || echo "has no version resource"
    grep -q 'Entry: name: .*: HELP_PAGE,' <<<"$HEADERS" || echo "has no help page"
}

must_see() {    # must_see TEXT: a fault of WRONG.dll
    grep -qF "$1" <<<"$SEEN" && return
    echo "not seen in $WRONG: $1"
    STATUS=1
}

judge() {    # judge FILE FAULTS: of the file whose headers are in HEADERS
    if [ -n "$2" ]; then
        sed "s|^|$1: |" <<<"$2"
        STATUS=1
    else
        echo "$1: sound, $(stat -c %s "$1") bytes, $(imports | wc -l) imports"
    fi
}

STATUS=0
for file in "$@"; do
    HEADERS=$("$OBJDUMP" -p "$file") || exit 1
    judge "$file" "$(faults "$file")"
done
HEADERS=$("$OBJDUMP" -p "$TOOL") || exit 1
LISTS+=("$HERE/windows7_tool_functions.txt")
judge "$TOOL" "$(windows7_faults)"
grep -qa 'requestedExecutionLevel level="asInvoker"' "$TOOL" ||
    judge "$TOOL" 'has no manifest that keeps its files where they are written'
LISTS=("$HERE/windows7_functions.txt")
HEADERS=$("$OBJDUMP" -p "$WRONG") || exit 1
SEEN=$(faults "$WRONG")
must_see 'exports: '
must_see 'import that Windows 7 may lack: kernel32.dll GetSystemTimePreciseAsFileTime'
must_see 'import that Windows 7 may lack: ws2_32.dll'
must_see 'needs Windows 602'
must_see 'has no version resource'
must_see 'has no help page'
exit $STATUS

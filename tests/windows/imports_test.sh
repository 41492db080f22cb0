#!/bin/bash
# imports_test.sh OBJDUMP WRONG.dll ENGINE.dll...
# Reads the headers of the engine files, because Wine has functions that Windows 7 has not. Each must
#   export enginecommand, getmove and islegal under these names and nothing else;
#   import from Windows' own DLLs only, and only functions in windows7_functions.txt;
#   be made for Windows 6.1 or earlier, be smaller than 4 MB, and hold a version and the help page.
# WRONG.dll breaks these rules; the test fails if that goes unseen. Exit status 0: all is well.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LIST=$HERE/windows7_functions.txt
OBJDUMP=$1
WRONG=$2
shift 2

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
         { for (i = 1; i <= NF; ++i) print dll, $i }' "$LIST"
}

header() {    # header FIELD: its value
    awk -v field="$1" '$1 == field { print $2; exit }' <<<"$HEADERS"
}

# Prints what is wrong with the file whose headers are in HEADERS, one line a fault.
faults() {
    local file=$1 size version
    [ "$(exports | LC_ALL=C sort | xargs)" = "enginecommand getmove islegal" ] ||
        echo "exports: $(exports | xargs)"
    [ "$(imports | wc -l)" -gt 20 ] || echo "imports too little to be true"
    LC_ALL=C comm -13 <(allowed | LC_ALL=C sort -u) <(imports | LC_ALL=C sort -u) |
        sed 's/^/import that Windows 7 may lack: /'
    version=$(($(header MajorSubsystemVersion) * 100 + $(header MinorSubsystemVersion)))
    [ "$version" -le 601 ] || echo "needs Windows $version"
    version=$(($(header MajorOSystemVersion) * 100 + $(header MinorOSystemVersion)))
    [ "$version" -le 601 ] || echo "needs the system $version"
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

STATUS=0
for file in "$@"; do
    HEADERS=$("$OBJDUMP" -p "$file") || exit 1
    found=$(faults "$file")
    if [ -n "$found" ]; then
        sed "s|^|$file: |" <<<"$found"
        STATUS=1
    else
        echo "$file: sound, $(stat -c %s "$file") bytes, $(imports | wc -l) imports"
    fi
done
HEADERS=$("$OBJDUMP" -p "$WRONG") || exit 1
SEEN=$(faults "$WRONG")
must_see 'exports: '
must_see 'import that Windows 7 may lack: kernel32.dll GetSystemTimePreciseAsFileTime'
must_see 'import that Windows 7 may lack: ws2_32.dll'
must_see 'needs Windows 602'
must_see 'has no version resource'
must_see 'has no help page'
exit $STATUS

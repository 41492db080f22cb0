#!/usr/bin/env bash
# release/same_bytes.sh: builds the console tool and the engines of two games, one of each kind of king, from a
# copy of the sources in another folder. They must be the files in build/win64 and build/win32 to the last byte: nothing in them
# may depend on when and where they are built. Exit status 1: they are not.
set -euo pipefail
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS RCFLAGS ZIPOPT ZIP
cd "$(dirname "$(readlink -f "$0")")/.."
COPY=$(mktemp -d)/a_folder_with_a_longer_name
trap 'rm -rf "${COPY%/*}"' EXIT
mkdir "$COPY"
cp -r CMakeLists.txt CMakePresets.json engine.def cmake include src "$COPY"
status=0
for width in 64 32; do
    suffix=${width/32/}
    cmake -S "$COPY" --preset "win$width" -DDEFIANCE_TESTS=OFF >/dev/null
    ninja -C "$COPY/build/win$width" --quiet defiance_english defiance_russian defiance
    for file in "defiance_english$suffix.dll" "defiance_russian$suffix.dll" defiance.exe; do
        cmp "build/win$width/bin/$file" "$COPY/build/win$width/bin/$file" || status=1
    done
done
exit $status

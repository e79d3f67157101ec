#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data/faults: heaps that the program itself has damaged, and types whose names are not of ASCII.
# Usage: make-faults.sh WORK    WORK/runtimes as make-runtimes.sh leaves it; make-dumps.sh calls it
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
data=$targets/../data
frameworks=$work/runtimes/shared/Microsoft.NETCore.App

build faults "$work/build"
rm -rf "$work/faults"
cp -r "$work/build/bin/faults/release" "$work/faults"

# fault CASE VERSION BASE: without random addresses the dumps differ less from each other
fault() {
    local name=$1-${2%%.*} under=(setarch -R)
    launch "$work/runtimes/dotnet" "$2" "$work/faults/faults.dll" \
        DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0 -- "$1"
    take withheap "$frameworks/$2/createdump" "$work/fault-$name.core"
    if [ "$1" != names ]; then grep '^{' "$log" >"$data/faults/$name.planted.jsonl"; fi
    finish
    "$targets/pack-dump.sh" "$work/fault-$name.core" "faults/$name" "$3"
}

mkdir -p "$data/faults"
newest=$(ls "$frameworks" | sort -V | tail -1)
fault names "$newest" "shop-${newest%%.*}"
# The other ways are for trying `verify`; their dumps are not kept.
fault overrun "$newest" "faults/names-${newest%%.*}"
cp "$work/faults/faults.dll" "$data/faults/"
du -sh "$data/faults"

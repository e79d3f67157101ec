#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data/crashes: a program that dies in every way, dumped by the runtime itself as it dies, on each runtime.
# Usage: make-crashes.sh WORK [WAY…]    WORK/runtimes as make-runtimes.sh leaves it; the ways are the program's
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
work=$(mkdir -p "$1" && cd "$1" && pwd); shift
data=$targets/../data
frameworks=$work/runtimes/shared/Microsoft.NETCore.App

build crashes "$work/build"
rm -rf "$work/crashes"
cp -r "$work/build/bin/crashes/release" "$work/crashes"

# crash WAY: a mini dump (DOTNET_DbgMiniDumpType 1), and what the program and the runtime said.
# Without random addresses the dumps differ less from each other. A small limit for the heap is what "memory" runs into,
# and a small stack leaves less of it to be dumped when it overflows.
crash() {
    local name=$1-$major
    (ulimit -s 1024; env -i DOTNET_ROOT="$work/runtimes" DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0 \
        DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=1 DOTNET_DbgMiniDumpName="$work/$name.core" \
        setarch -R timeout 300 "$work/runtimes/dotnet" exec --fx-version "$version" "$work/crashes/crashes.dll" "$1" >"$work/$name.log" 2>&1) || true
    { grep -v '^\[createdump\]' "$work/$name.log" || true; } | sed 's/\[createdump\].*//' >"$data/crashes/$name.printed.txt"
}

mkdir -p "$data/crashes"
ways=("$@")
[ $# -gt 0 ] || ways=(divide pool finalizer constructor memory overflow overflow-small failfast-exception assert callback violation native-violation native-abort)
for version in $(ls "$frameworks" | sort -V); do
    major=${version%%.*}
    # The one that the others are patches over.
    if [ $# = 0 ]; then
        crash chain
        "$targets/pack-dump.sh" "$work/chain-$major.core" "crashes/chain-$major" "shop-$major"
    fi
    for way in "${ways[@]}"; do
        crash "$way"
        "$targets/pack-dump.sh" "$work/$way-$major.core" "crashes/$way-$major" "crashes/chain-$major"
    done
done
cp "$work/crashes/crashes.pdb" "$data/crashes/"
du -sh "$data/crashes"

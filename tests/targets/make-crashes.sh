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
[ -f "$work/build/bin/truth/release/truth.dll" ] || build truth "$work/build"
rm -rf "$work/crashes"
cp -r "$work/build/bin/crashes/release" "$work/crashes"

# crash WAY TYPE: a dump of DOTNET_DbgMiniDumpType 1 (mini) or 2 (heap), what the program and the runtime said, and ClrMD's frames.
# Without random addresses the dumps differ less from each other. A small limit for the heap is what "memory" runs into.
crash() {
    local name=$1-${version%%.*}
    env -i DOTNET_ROOT="$work/runtimes" DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0 \
        DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType="$2" DOTNET_DbgMiniDumpName="$work/$name.core" \
        setarch -R timeout 60 "$work/runtimes/dotnet" exec --fx-version "$version" "$work/crashes/crashes.dll" "$1" >"$work/$name.log" 2>&1 || true
    grep -v '^\[createdump\]' "$work/$name.log" | sed 's/\[createdump\].*//' >"$data/crashes/$name.printed.txt"
    dotnet "$work/build/bin/truth/release/truth.dll" "$work/$name.core" --stacks "$work/$name.stacks.jsonl"
    zstd -q -f -19 "$work/$name.stacks.jsonl" -o "$data/crashes/$name.stacks.jsonl.zst"
}

mkdir -p "$data/crashes"
ways=("$@")
[ $# -gt 0 ] || ways=(null divide pool finalizer constructor aggregate memory overflow overflow-small failfast-exception assert violation native-violation native-abort)
for version in $(ls "$frameworks" | sort -V); do
    major=${version%%.*}
    # The one that the others are patches over has its heap.
    if [ $# = 0 ]; then
        crash chain 2
        "$targets/pack-dump.sh" "$work/chain-$major.core" "crashes/chain-$major" "shop-$major"
    fi
    for way in "${ways[@]}"; do
        crash "$way" 1
        "$targets/pack-dump.sh" "$work/$way-$major.core" "crashes/$way-$major" "crashes/chain-$major"
    done
done
cp "$work/crashes/crashes.pdb" "$data/crashes/"
du -sh "$data/crashes"

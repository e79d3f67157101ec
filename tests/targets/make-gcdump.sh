#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes tests/data/gcdump: graphs of the heap of `growth`, each with its nodes as dotnet-gcdump reads them, and what a
# runtime streams for such a file. DOTNET is the dotnet of a folder as make-runtimes.sh fills it; the tool dotnet-gcdump
# is installed into WORK. Paths below WORK are in the files.
# Usage: make-gcdump.sh WORK DOTNET
set -euo pipefail
[ $# -eq 2 ] || { sed -n 3,7p "$0" >&2; exit 2; }
work=$(realpath -m "$1") dotnet=$(realpath "$2")
source "$(dirname "$0")/capture.bash"
trap finish EXIT
data=$targets/../data/gcdump
mkdir -p "$work" "$data"
[ -d "$work/tool" ] || dotnet tool install --tool-path "$work/tool" dotnet-gcdump --version 10.0.750501 >/dev/null
tool=$(dirname "$(find "$work/tool" -name dotnet-gcdump.dll | head -n 1)")
build growth "$work/growth"
dotnet build --nologo --verbosity quiet --artifacts-path "$work/nodes" -p:GcDumpTool="$tool" "$targets/nodes"
export TMPDIR=$work/sockets
mkdir -p "$TMPDIR"

# collect NAME VERSION [NAME=VALUE…]
collect() {
    local name=$1 version=$2 file=$work/$1.gcdump; shift 2
    launch "$dotnet" "$version" "$work/growth/bin/growth/release/growth.dll" TMPDIR="$TMPDIR" "$@"
    "$work/tool/dotnet-gcdump" collect -p "$pid" -o "$file" >/dev/null
    finish
    dotnet "$work/nodes/bin/nodes/debug/nodes.dll" "$file" >"$work/$name.nodes.tsv"
    zstd -19 -q -f "$work/$name.nodes.tsv" -o "$data/$name.nodes.tsv.zst"
    zstd -19 -q -f "$file" -o "$data/$name.gcdump.zst"
}
release() { ls "$(dirname "$dotnet")/shared/Microsoft.NETCore.App" | grep "^$1\." | tail -n 1; }
collect growth-8 "$(release 8)"
collect growth-10 "$(release 10)"
collect growth-11 "$(release 11)"

launch "$dotnet" "$(release 10)" "$work/growth/bin/growth/release/growth.dll" TMPDIR="$TMPDIR"
python3 "$targets/record-heap.py" "$TMPDIR"/dotnet-diagnostic-"$pid"-*-socket "$work/heap-10.nettrace"
finish
zstd -19 -q -f "$work/heap-10.nettrace" -o "$data/heap-10.nettrace.zst"

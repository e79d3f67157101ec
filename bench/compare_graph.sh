#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Retained sizes of all objects with Heapscape and with ClrMD, on the same dump, from the same roots, in the same run,
# page cache warm. Fails if one object's dominator or retained size differs.
# Usage: bench/compare_graph.sh DUMP [RUNS] [DAC_FOLDER]      needs the .NET SDK, NuGet and a release build
#   CLRMD=4.2.750101 for dumps of .NET 11: the first ClrMD that reads them.
set -euo pipefail
dump=${1:?usage: bench/compare_graph.sh DUMP [RUNS] [DAC_FOLDER]} runs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
cli=${HEAPSCAPE_CLI:-$here/../build/release/bin/heapscape-cli}
work=${HEAPSCAPE_BENCH_WORK:-$(mktemp -d)}

dotnet build -v q --nologo -c Release --artifacts-path "$work" "$here/peers/ClrMdGraph" ${CLRMD:+-p:ClrMD=$CLRMD} >/dev/null
peer() { dotnet "$work/bin/ClrMdGraph/release/ClrMdGraph.dll" "$@"; }
ours() { "$cli" retained "$dump" --roots "$work/roots" --json "$@"; }
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

cat "$dump" >/dev/null
clrmd=$(peer "$dump" --runs "$runs" --write-roots "$work/roots" ${3:+--dac "$3"})
echo "ClrMD: $clrmd"
for _ in $(seq "$runs"); do ours --top 1 --timings; done | python3 "$here/medians.py"

expected=$(field checksum <<<"$clrmd")
found=$(ours --top 1000000000 | peer --checksum - | field checksum)
echo "checksum of object, dominator, retained bytes and count: ClrMD $expected, Heapscape $found"
[ "$expected" = "$found" ]

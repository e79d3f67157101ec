#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Heapscape against ClrMD on the same dump in the same run, page cache warm.
# Usage: bench/compare.sh DUMP [RUNS] [DAC_FOLDER]      needs the .NET SDK, NuGet and a release build
set -euo pipefail
dump=${1:?usage: bench/compare.sh DUMP [RUNS] [DAC_FOLDER]} runs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
cli=${HEAPSCAPE_CLI:-$here/../build/release/bin/heapscape-cli}
work=${HEAPSCAPE_BENCH_WORK:-$(mktemp -d)}

dotnet build -v q --nologo -c Release --artifacts-path "$work" "$here/peers/ClrMdBench" >/dev/null
cat "$dump" >/dev/null
peer() { dotnet "$work/bin/ClrMdBench/release/ClrMdBench.dll" "$dump" "$runs" ${3:+"$3"}; }
ours() { "$cli" types "$dump" --top 1 --json --timings; }

echo "ClrMD: $(peer "$@")"
for _ in $(seq "$runs"); do ours; done | python3 "$here/medians.py"

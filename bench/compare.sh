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
for _ in $(seq "$runs"); do ours; done | python3 -c '
import json, statistics, sys
text, decoder, runs = sys.stdin.read(), json.JSONDecoder(), []
while text.strip():
    document, end = decoder.raw_decode(text.lstrip())
    text = text.lstrip()[end:]
    runs.append(document)
stages = {stage: statistics.median(run["timings"][stage] for run in runs) for stage in runs[0]["timings"]}
print("Heapscape:", json.dumps({stage: round(seconds, 4) for stage, seconds in stages.items()}),
      "index bytes", runs[0]["indexBytes"], "peak bytes", max(run["peakBytes"] for run in runs))'

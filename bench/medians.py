#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Medians of the stages of several runs: reads their JSON answers with --timings, one behind the other."""
import json
import statistics
import sys

text, decoder, runs = sys.stdin.read(), json.JSONDecoder(), []
while text.strip():
    document, end = decoder.raw_decode(text.lstrip())
    text = text.lstrip()[end:]
    runs.append(document)
stages = {stage: statistics.median(run["timings"][stage] for run in runs) for stage in runs[0]["timings"]}
print("Heapscape:", json.dumps({stage: round(seconds, 4) for stage, seconds in stages.items()}),
      "index bytes", runs[0]["indexBytes"], "peak bytes", max(run["peakBytes"] for run in runs))

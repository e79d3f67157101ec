#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what each verb takes on each dump of a folder, from the command to the answer, and what ClrMD takes; real.sh calls it."""
import glob
import json
import os
import statistics
import subprocess
import sys
import time

VERBS = {
    "info": [],
    "types": ["--json"],
    "retained": ["--json", "--top", "100"],
    "insights": ["--json"],
    "report": [],
}


def run(program, verb, dump, output):
    """Seconds of wall time and of processor time, and bytes at the peak."""
    options = VERBS[verb] + (["-o", output] if verb == "report" else []) + ([] if verb == "info" else ["--no-cache"])
    start = time.monotonic()
    process = subprocess.Popen([program, verb, dump, *options], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status:
        sys.exit(f"{program} {verb} {dump} failed")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def clrmd(dotnet, bench, runtime, dump, runs):
    answer = subprocess.run([dotnet, bench, dump, str(runs), runtime], stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def main():
    folder, runs, new, old, dotnet, bench, runtime = sys.argv[1:]
    runs = int(runs)
    programs = [new] + ([old] if old else [])
    print("| dump | objects | types | ClrMD: open and walk | " + " | ".join(VERBS) + " |")
    print("|---" * (len(VERBS) + 4) + "|")
    for dump in sorted(glob.glob(os.path.join(folder, "*.core"))):
        with open(dump, "rb") as file:  # into the page cache
            while file.read(1 << 24):
                pass
        peer = clrmd(dotnet, bench, runtime, dump, runs)
        types = json.loads(subprocess.run([new, "types", dump, "--json"], stdout=subprocess.PIPE, check=True).stdout)
        cells = []
        for verb in VERBS:
            found = {program: [] for program in programs}
            for _ in range(runs):
                for program in programs:
                    found[program].append(run(program, verb, dump, os.path.join(folder, "report.html")))
            parts = []
            for program in reversed(programs):
                wall, cpu, peak = (statistics.median(column) for column in zip(*found[program]))
                parts.append(f"{wall:.3f} s ({cpu:.2f}; {peak / 1e6:.0f} MB)")
            cells.append(" → ".join(parts))
        name = os.path.basename(dump)[:-len(".core")]
        print(f"| {name} | {peer['objects']:,} | {len(types['types']):,} | {peer['open'] + peer['walk']:.3f} s ({peer['processor']:.2f}) | " + " | ".join(cells) + " |", flush=True)


main()

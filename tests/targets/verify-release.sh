#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whether a release of .NET is read as ClrMD reads it: the shop on it, with a workstation GC, a server GC and segments, each
# object, type and field, and who dominates whom. What passes may be entered in `verifiedOn` of its contract.
# Usage: verify-release.sh WORK BUILD RELEASE…    e.g. /tmp/releases build/bench 8.0.34 10.0.15
#   BUILD has heapscape-cli and compare_fresh_dump. Needs the .NET SDK, NuGet and a C compiler.
set -euo pipefail
[ $# -ge 3 ] || { sed -n 3,7p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd) binaries=$(cd "$2/bin" && pwd)
shift 2

"$targets/make-runtimes.sh" "$work/runtimes" "$@" >/dev/null
build shop "$work/build"
first=4.2.750101  # ClrMD that reads .NET 11
build truth "$work/build"
build truth "$work/truth-11" -p:ClrMD=$first
cc -O1 -shared -fPIC -o "$work/four_processors.so" "$targets/four_processors.c" -ldl

# verify RELEASE HEAP [NAME=VALUE…]
verify() {
    local framework=$work/runtimes/shared/Microsoft.NETCore.App/$1 dump=$work/$1-$2.core truth=build clrmd=
    [ "${1%%.*}" -lt 11 ] || truth=truth-11 clrmd=$first
    launch "$work/runtimes/dotnet" "$1" "$work/build/bin/shop/release/shop.dll" "${@:3}"
    take withheap "$framework/createdump" "$dump"
    finish
    dotnet "$work/$truth/bin/truth/release/truth.dll" "$dump" "$work/truth.json"
    "$binaries/compare_fresh_dump" "$dump" "$work/truth.json"
    HEAPSCAPE_CLI=$binaries/heapscape-cli HEAPSCAPE_BENCH_WORK=$work/graph$clrmd CLRMD=$clrmd \
        "$targets/../../bench/compare_graph.sh" "$dump" 1 "$framework" | tail -n 1
    "$binaries/heapscape-cli" verify --no-cache "$dump" | grep -v contractNotVerified
    echo "$1 is read as ClrMD reads it, $2."
    rm "$dump"
}

for release in "$@"; do
    verify "$release" workstation
    verify "$release" server LD_PRELOAD="$work/four_processors.so" DOTNET_gcServer=1 DOTNET_GCHeapCount=4 DOTNET_GCNoAffinitize=1
    verify "$release" segments DOTNET_GCName=libclrgc.so
done

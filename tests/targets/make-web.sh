#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data whose program has HTTP requests in flight, on .NET 10 and 11.
# Usage: make-web.sh WORK    WORK/runtimes as make-runtimes.sh leaves it
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
frameworks=$work/runtimes/shared/Microsoft.NETCore.App
under=(setarch -R)

build web "$work/web"
for major in 10 11; do
    version=$(ls "$frameworks" | grep "^$major\." | sort -V | tail -1)
    sed -i "s/\"version\": \"[0-9.]*\"/\"version\": \"$version\"/" "$work/web/bin/web/release/web.runtimeconfig.json"  # of both frameworks
    launch "$work/runtimes/dotnet" "$version" "$work/web/bin/web/release/web.dll" \
        DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0
    take withheap "$frameworks/$version/createdump" "$work/web-$major.core"
    finish
    "$targets/pack-dump.sh" "$work/web-$major.core" "web-$major" "stacks-$major"
done

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dump of tests/data whose program has HTTP requests in flight, with ASP.NET of the SDK itself.
# Usage: make-web.sh WORK
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
dotnet=$(readlink -f "$(command -v dotnet)")
frameworks=$(dirname "$dotnet")/shared/Microsoft.NETCore.App
newest=$(ls "$frameworks" | sort -V | tail -1)
name=web-${newest%%.*} under=(setarch -R)

build web "$work/web"
launch "$dotnet" "$newest" "$work/web/bin/web/release/web.dll" \
    DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0
take withheap "$frameworks/$newest/createdump" "$work/$name.core"
finish
"$targets/pack-dump.sh" "$work/$name.core" "$name" "stacks-${newest%%.*}"

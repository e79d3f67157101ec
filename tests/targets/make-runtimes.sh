#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fills ROOT with the SDK's own runtime and other releases, 8.0.29 and 9.0.18 if none is named, so that ROOT/dotnet starts
# a program on any of them.
# Usage: make-runtimes.sh ROOT [RELEASE…]
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,5p "$0" >&2; exit 2; }
source_dir=$(cd "$(dirname "$0")" && pwd)
sdk_dir=$(dirname "$(readlink -f "$(command -v dotnet)")")
root=$1 frameworks=$1/shared/Microsoft.NETCore.App
shift
[ $# -gt 0 ] || set -- 8.0.29 9.0.18
mkdir -p "$frameworks"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$source_dir/runtimes.proj" "$scratch/runtimes.csproj"  # restored elsewhere: no obj folder in the source tree
releases=$(printf '%%3B[%s]' "$@")  # an escaped semicolon before each
dotnet restore --nologo --verbosity quiet -p:Releases="${releases#%3B}" "$scratch/runtimes.csproj"
packages=$(dotnet nuget locals global-packages --list)
packages=${packages#*: }

for version in "$@"; do
    pack=${packages%/}/microsoft.netcore.app.runtime.linux-x64/$version/runtimes/linux-x64
    install -d "$frameworks/$version"
    cp "$pack"/lib/net*/* "$pack"/native/* "$frameworks/$version/"
    chmod +x "$frameworks/$version/createdump"  # packages do not keep the mode
    install -d "$root/shared/Microsoft.AspNetCore.App/$version"
    cp "${packages%/}/microsoft.aspnetcore.app.runtime.linux-x64/$version"/runtimes/linux-x64/lib/net*/* "$root/shared/Microsoft.AspNetCore.App/$version/"
    # What starts programs on it; the newest one that is there is taken for all.
    install -D "$pack/native/libhostfxr.so" "$root/host/fxr/$version/libhostfxr.so"
done
cp -r "$sdk_dir/shared/"* "$root/shared/"
cp -r "$sdk_dir/host" "$sdk_dir/dotnet" "$root/"
ls "$frameworks"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fills ROOT with .NET 8.0.29, 9.0.18 and the SDK's own runtime, so that ROOT/dotnet starts a program on any of them.
# Usage: make-runtimes.sh ROOT
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
source_dir=$(cd "$(dirname "$0")" && pwd)
sdk_dir=$(dirname "$(readlink -f "$(command -v dotnet)")")
frameworks=$1/shared/Microsoft.NETCore.App
mkdir -p "$frameworks"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$source_dir/runtimes.proj" "$scratch/runtimes.csproj"  # restored elsewhere: no obj folder in the source tree
dotnet restore --nologo --verbosity quiet "$scratch/runtimes.csproj"
packages=$(dotnet nuget locals global-packages --list)
packages=${packages#*: }

for version in 8.0.29 9.0.18; do
    pack=${packages%/}/microsoft.netcore.app.runtime.linux-x64/$version/runtimes/linux-x64
    install -d "$frameworks/$version"
    cp "$pack"/lib/net*/* "$pack"/native/* "$frameworks/$version/"
    chmod +x "$frameworks/$version/createdump"  # packages do not keep the mode
done
cp -r "$sdk_dir/shared/Microsoft.NETCore.App/." "$frameworks/"
cp -r "$sdk_dir/host" "$sdk_dir/dotnet" "$1/"
ls "$frameworks"

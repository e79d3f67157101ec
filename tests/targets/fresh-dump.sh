#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the shop on the newest runtime installed here and leaves OUT_DIR/fresh.core with its figures in OUT_DIR/fresh.truth.json.
# Usage: fresh-dump.sh OUT_DIR    exit status 77: this machine cannot make dumps
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
out=$(mkdir -p "$1" && cd "$1" && pwd)
skip() { echo "skipped: $1" >&2; exit 77; }

command -v dotnet >/dev/null || skip "no dotnet on PATH"
# Lines are "Microsoft.NETCore.App VERSION [FOLDER]"; ClrMD's program needs the SDK's own .NET 10.
runtime=$(dotnet --list-runtimes 2>/dev/null | grep '^Microsoft\.NETCore\.App 10\.' | sort -V | tail -n 1) || skip "no .NET 10 runtime"
[[ $(dotnet --list-sdks 2>/dev/null) ]] || skip "no .NET SDK"
read -r _ version folder <<<"$runtime"
folder=${folder#[} folder=${folder%]}
createdump=$folder/$version/createdump
[ -x "$createdump" ] || skip "no createdump in $folder/$version"
[ -f "$folder/$version/libmscordaccore.so" ] || skip "no DAC in $folder/$version"
for program in shop truth; do
    dotnet restore --nologo --verbosity quiet --artifacts-path "$out/build" "$targets/$program" >"$out/restore.log" 2>&1 \
        || skip "NuGet cannot be reached: $(tail -n 1 "$out/restore.log")"
    build "$program" "$out/build"
done

launch "$(readlink -f "$(command -v dotnet)")" "$version" "$out/build/bin/shop/release/shop.dll"
take withheap "$createdump" "$out/fresh.core" || skip "createdump may not read another process here"
finish
dotnet "$out/build/bin/truth/release/truth.dll" "$out/fresh.core" "$out/fresh.truth.json"
ls -l "$out/fresh.core" "$out/fresh.truth.json"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts a dump into tests/data: as what differs from a dump that lies there already, a tenth of its size, or whole.
# Usage: pack-dump.sh CORE NAME [BASE]    for example: pack-dump.sh out.core crashes/overflow-10 shop-10
set -euo pipefail
[ $# = 2 ] || [ $# = 3 ] || { sed -n 3,4p "$0" >&2; exit 2; }
data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# unpack NAME OUT: a dump of tests/data, and what it is a patch over.
unpack() {
    local base
    base=$(awk -v name="$1" '$1 == name { print $2 }' "$data/patches.txt")
    if [ -z "$base" ]; then zstd -q -d -f --long=31 "$data/$1.core.zst" -o "$2"; return; fi
    unpack "$base" "$2.base"
    zstd -q -d -f --long=31 --patch-from="$2.base" "$data/$1.core.patch" -o "$2"
    rm "$2.base"
}

mkdir -p "$(dirname "$data/$2")"
rm -f "$data/$2.core.zst" "$data/$2.core.patch"
touch "$data/patches.txt"
awk -v name="$2" '$1 != name' "$data/patches.txt" >"$scratch/patches.txt"
if [ $# = 2 ]; then
    zstd -q -f --ultra -22 --long=27 "$1" -o "$data/$2.core.zst"
    packed=$data/$2.core.zst
else
    unpack "$3" "$scratch/base.core"
    zstd -q -f --ultra -22 --long=31 --patch-from="$scratch/base.core" "$1" -o "$data/$2.core.patch" 2>/dev/null
    echo "$2 $3" >>"$scratch/patches.txt"
    packed=$data/$2.core.patch
fi
sort "$scratch/patches.txt" >"$data/patches.txt"
chmod 644 "$packed"
ls -sh "$packed"

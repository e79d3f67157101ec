#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data whose variables are known: of optimised code on .NET 8, 10 and 11, and of code that is not.
# Usage: make-variables.sh WORK    WORK/runtimes as make-runtimes.sh leaves it
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
data=$targets/../data
frameworks=$work/runtimes/shared/Microsoft.NETCore.App

build variables "$work/variables.build"
build variables "$work/variables-debug.build" -p:Optimize=false -p:AssemblyName=variables-debug
for name in variables variables-debug; do
    rm -rf "${work:?}/$name"
    cp -r "$work/$name.build/bin/variables/release" "$work/$name"
    cp "$work/$name/$name".{dll,pdb} "$data/"  # the IL has the types of locals, and is in no heap dump
done

# variables PROGRAM VERSION NAME BASE [NAME=VALUE…]
variables() {
    launch "$work/runtimes/dotnet" "$2" "$work/$1/$1.dll" DOTNET_GCHeapHardLimit=0x1000000 "${@:5}"
    grep '^{' "$log" >"$data/variables.printed.jsonl"  # the same each time
    take withheap "$frameworks/$2/createdump" "$work/$3.core"
    finish
    "$targets/pack-dump.sh" "$work/$3.core" "$3" "$4"
}
for major in 8 10 11; do
    version=$(ls "$frameworks" | grep "^$major\." | sort -V | tail -1)
    variables variables "$version" "variables-$major" "stacks-$major" DOTNET_TieredCompilation=0
done
version=$(ls "$frameworks" | grep '^10\.' | sort -V | tail -1)
variables variables-debug "$version" variables-debug-10 variables-10

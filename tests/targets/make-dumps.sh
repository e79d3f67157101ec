#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data and the bundled sample anew, with their expected figures. Paths below WORK end up in the dumps.
# Usage: make-dumps.sh WORK    needs the .NET SDK, a C compiler, gdb (gcore) and zstd
set -euo pipefail
[ $# = 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
mkdir -p "$targets/../data" "$targets/../../resources/sample"
data=$(cd "$targets/../data" && pwd) sample=$(cd "$targets/../../resources/sample" && pwd)

"$targets/make-runtimes.sh" "$work/runtimes" 8.0.29 9.0.18 11.0.0
frameworks=$work/runtimes/shared/Microsoft.NETCore.App
versions=$(ls "$frameworks" | grep -v '^11\.' | sort -V)
for program in shop exhibits values storm library flaws callbacks lookups stacks traces truth; do build "$program" "$work/build"; done
cc -O1 -shared -fPIC -o "$work/four_processors.so" "$targets/four_processors.c" -ldl
for program in shop exhibits values storm library flaws callbacks lookups stacks traces; do
    rm -rf "${work:?}/$program"
    cp -r "$work/build/bin/$program/release" "$work/$program"
done

start() { launch "$work/runtimes/dotnet" "$version" "$work/$1/$1.dll" "${@:2}"; }
truth() { dotnet "$work/${referee:-build}/bin/truth/release/truth.dll" "$@"; }

# pack CORE NAME: the dump WORK/CORE.core goes into tests/data; what lies there as a patch becomes one again
pack() {
    # shellcheck disable=SC2046  # nothing for one that is whole
    "$targets/pack-dump.sh" "$work/$1.core" "$2" $(awk -v name="$2" '$1 == name { print $2 }' "$data/patches.txt")
}

# keep NAME: the dump and its figures go into tests/data
keep() {
    pack "$1" "$1"
    zstd -q -f -19 "$work/$1.truth.json" -o "$data/$1.truth.json.zst"
}

# details NAME: what ClrMD says of everything but the heap's sizes
details() {
    truth "$work/$1.core" --details "$work/$1.details.json"
    zstd -q -f -19 "$work/$1.details.json" -o "$data/$1.details.json.zst"
}

# shop NAME [NAME=VALUE…]
shop() {
    start shop "${@:2}"
    take withheap "$frameworks/$version/createdump" "$work/$1.core"
    finish
    truth "$work/$1.core" "$work/$1.truth.json"
    keep "$1"
    details "$1"
}

# exhibits NAME: with what the program itself said
exhibits() {
    start exhibits
    grep '^{' "$log" > "$work/$1.printed.json"
    zstd -q -f -19 "$work/$1.printed.json" -o "$data/$1.printed.json.zst"
    take withheap "$frameworks/$version/createdump" "$work/$1.core"
    finish
    truth "$work/$1.core" "$work/$1.truth.json"
    keep "$1"
}

# values NAME: the same without figures of ClrMD's
values() {
    start values DOTNET_GCHeapHardLimit=0x1000000
    grep '^{' "$log" > "$work/$1.printed.json"
    zstd -q -f -19 "$work/$1.printed.json" -o "$data/$1.printed.json.zst"
    take withheap "$frameworks/$version/createdump" "$work/$1.core"
    finish
    pack "$1" "$1"
}

for version in $versions; do
    major=${version%%.*}
    exhibits "exhibits-$major"
    [ "$major" = 9 ] || values "values-$major"  # .NET 9 has nothing there that neither 8 nor 10 has
    shop "shop-$major"
    shop "shop-$major-server" LD_PRELOAD="$work/four_processors.so" DOTNET_gcServer=1 DOTNET_GCHeapCount=4 DOTNET_GCNoAffinitize=1
    shop "shop-$major-segments" DOTNET_GCName=libclrgc.so
done

# The other kinds of dump, on the newest runtime. ClrMD cannot name the types of gcore's, so a heap dump of the same process speaks for it.
start shop
for kind in withheap normal triage gcore; do take $kind "$frameworks/$version/createdump" "$work/shop-$major-$kind.core"; done
finish
truth "$work/shop-$major-withheap.core" "$work/shop-$major-gcore.truth.json"
for kind in normal triage; do truth "$work/shop-$major-$kind.core" "$work/shop-$major-$kind.truth.json"; done
for kind in normal triage gcore; do keep "shop-$major-$kind"; done
cp "$data/shop-$major.core.zst" "$sample/sample.core.zst"

# .NET 11, which a newer ClrMD reads: one dump, as what differs from the same on 10. Sync blocks are listed of full dumps
# only, and nobody is said to wait for them: 1000 stands for what is not known.
build truth "$work/truth-11" -p:ClrMD=4.2.750101
version=11.0.0 referee=truth-11
start shop
for kind in withheap full; do take $kind "$frameworks/$version/createdump" "$work/shop-11-$kind.core"; done
finish
mv "$work/shop-11-withheap.core" "$work/shop-11.core"
truth "$work/shop-11.core" "$work/shop-11.truth.json"
keep shop-11
truth "$work/shop-11-full.core" --details "$work/shop-11-full.details.json"
truth "$work/shop-11.core" --details "$work/shop-11.details.json"
python3 - "$work/shop-11.details.json" "$work/shop-11-full.details.json" <<'END' | zstd -q -f -19 -o "$data/shop-11.details.json.zst"
import json, sys
details, full = (json.load(open(path)) for path in sys.argv[1:])
details["syncBlocks"] = [{**block, "waiting": 1000} for block in full["syncBlocks"]]
print(json.dumps(details, separators=(",", ":")))
END
# Async methods that the runtime itself suspends, compiled against its own assemblies.
build suspended "$work/suspended-11" "-p:Framework=$frameworks/$version"
rm -rf "$work/suspended"
cp -r "$work/suspended-11/bin/suspended/release" "$work/suspended"
start suspended DOTNET_GCHeapHardLimit=0x1000000 DOTNET_EnableWriteXorExecute=0
grep '^{' "$log" >"$data/suspended-11.planted.jsonl"
take withheap "$frameworks/$version/createdump" "$work/suspended-11.core"
finish
pack suspended-11 suspended-11
cp "$work"/suspended/suspended.{dll,pdb} "$data/"
unset referee
version=$(tail -n 1 <<<"$versions")

# Types in a bad order, and as `heapscape-cli waste` would have them: the two heaps differ by what it promises.
mkdir -p "$data/waste"
for declared in plain best; do
    build waste "$work/waste-$declared.build" -p:DefineConstants="${declared^^}"
    cp -r "$work/waste-$declared.build/bin/waste/release" "$work/waste-$declared"
    launch "$work/runtimes/dotnet" "$version" "$work/waste-$declared/waste.dll"
    take withheap "$frameworks/$version/createdump" "$work/waste-$declared.core"
    finish
    pack "waste-$declared" "waste/$declared-$major"
done

# planted PROGRAM NAME [NAME=VALUE…]: with what the program said that it planted
planted() {
    start "$1" "${@:3}"
    grep '^{' "$log" > "$data/$2.planted.jsonl"
    take withheap "$frameworks/$version/createdump" "$work/$2.core"
    finish
    pack "$2" "$2"
}
for version in $versions; do
    planted flaws "flaws-${version%%.*}"
    [ "${version%%.*}" = 9 ] || planted callbacks "callbacks-${version%%.*}" DOTNET_GCHeapHardLimit=0x1000000
done
planted flaws "flaws-${version%%.*}-server" LD_PRELOAD="$work/four_processors.so" DOTNET_gcServer=1 DOTNET_GCHeapCount=4 DOTNET_GCNoAffinitize=1

# A program that leaks: early, and later after a rebuild or on another runtime; beside each what the kernel said.
mkdir -p "$data/growth"
for build in before after; do
    build growth "$work/growth-$build.build" -p:DefineConstants="$([ $build = before ] || echo REBUILT)"
    rm -rf "${work:?}/growth-$build"
    cp -r "$work/growth-$build.build/bin/growth/release" "$work/growth-$build"
done

# growth NAME VERSION BUILD [NAME=VALUE]
growth() {
    launch "$work/runtimes/dotnet" "$2" "$work/growth-$3/growth.dll" DOTNET_GCHeapHardLimit=0x1000000 "${@:4}"
    smaps "$work/growth-$1.smaps"
    take withheap "$frameworks/$2/createdump" "$work/growth-$1.core"
    finish
    pack "growth-$1" "growth/$1"
    zstd -q -f -19 "$work/growth-$1.smaps" -o "$data/growth/$1.smaps.zst"
}
growth "before-$major" "$version" before
growth "after-$major" "$version" after GROWTH_LATER=1
growth after-9 "$(ls "$frameworks" | grep '^9\.' | tail -1)" before GROWTH_LATER=1

# stacks NAME SHOWN: with what the program said that it planted, and ClrMD's frames and roots
stacks() {
    start stacks DOTNET_GCHeapHardLimit=0x1000000 STACKS="$2"
    grep '^{' "$log" > "$data/$1.planted.jsonl"
    take withheap "$frameworks/$version/createdump" "$work/$1.core"
    finish
    truth "$work/$1.core" --stacks "$work/$1.stacks.jsonl"
    zstd -q -f -19 "$work/$1.stacks.jsonl" -o "$data/$1.stacks.jsonl.zst"
    pack "$1" "$1"
}
for version in $versions; do stacks "stacks-${version%%.*}" threads; done

# traces: over the stacks of the same runtime; the newest is enough
start traces DOTNET_GCHeapHardLimit=0x1000000
grep '^{' "$log" > "$data/traces-$major.planted.jsonl"
take withheap "$frameworks/$version/createdump" "$work/traces-$major.core"
finish
cp "$work/traces/traces.pdb" "$data/traces.pdb"
"$targets/pack-dump.sh" "$work/traces-$major.core" "traces-$major" "stacks-$major"
stacks "asyncs-$major" async
cp "$work/stacks/stacks.pdb" "$data/"  # of the build that all of these are dumps of

# Nothing but the framework's metadata is wanted of these; a small limit keeps the GC's tables small.
for version in $versions; do
    name=library-${version%%.*}
    start library DOTNET_GCHeapHardLimit=0x1000000
    take withheap "$frameworks/$version/createdump" "$work/$name.core"
    finish
    pack "$name" "$name"
done

# Dictionaries and function pointers: .NET 9 has those of 10.
for version in $versions; do
    [ "${version%%.*}" != 9 ] || continue
    name=lookups-${version%%.*}
    start lookups DOTNET_GCHeapHardLimit=0x1000000
    take withheap "$frameworks/$version/createdump" "$work/$name.core"
    finish
    pack "$name" "$name"
done

# state FILE.truth.json: what the storm was caught doing
state() {
    local walkable=true complete=true resumed=false
    ! grep -q '"walkable":false' "$1" || walkable=false
    ! grep -q '"complete":false' "$1" || complete=false
    ! grep -q '"resumed":\["' "$1" || resumed=true
    case $walkable-$complete-$resumed in
        true-true-false) echo calm ;;
        true-true-true) echo full ;;          # a full allocation context on the way
        false-false-*) echo collecting ;;     # objects half moved
        *) echo other ;;
    esac
}

# Chance decides what a storm is caught doing, so each state is taken where it first shows.
for version in $versions; do
    major=${version%%.*}
    declare -A seen=()
    for try in $(seq 25); do
        start storm DOTNET_GCgen0size=0x80000
        take withheap "$frameworks/$version/createdump" "$work/storm.core"
        finish
        truth "$work/storm.core" "$work/storm.truth.json" || continue
        state=$(state "$work/storm.truth.json")
        echo "storm on $version, try $try: $state"
        [ -z "${seen[$state]:-}" ] || continue
        seen[$state]=1
        mv "$work/storm.core" "$work/storm-$major-$state.core"
        mv "$work/storm.truth.json" "$work/storm-$major-$state.truth.json"
        [ -n "${seen[calm]:-}" ] && [ -n "${seen[full]:-}" ] && [ -n "${seen[collecting]:-}" ] && break
    done
    [ -z "${seen[calm]:-}" ] || keep "storm-$major-calm"
done
# One of each of the rare ones is enough.
for state in full collecting; do
    for version in $versions; do
        [ ! -f "$work/storm-${version%%.*}-$state.core" ] || { keep "storm-${version%%.*}-$state"; break; }
    done
done
"$targets/make-crashes.sh" "$work"
"$targets/make-faults.sh" "$work"
"$targets/make-variables.sh" "$work"
"$targets/make-web.sh" "$work"
du -sh "$data"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data and the bundled sample anew, with their expected figures: all, or those of one version of .NET
# but crashes, faults, variables and the web. Paths below WORK end up in the dumps.
# Usage: make-dumps.sh WORK [MAJOR]    needs the .NET SDK, a C compiler, gdb (gcore) and zstd
set -euo pipefail
[ $# = 1 ] || [ $# = 2 ] || { sed -n 3,5p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd) only=${2:-}
mkdir -p "$targets/../data" "$targets/../../resources/sample"
data=$(cd "$targets/../data" && pwd) sample=$(cd "$targets/../../resources/sample" && pwd)

"$targets/make-runtimes.sh" "$work/runtimes" 8.0.29 9.0.18 11.0.0
frameworks=$work/runtimes/shared/Microsoft.NETCore.App
programs=(shop exhibits values storm library flaws callbacks lookups stacks traces)
for program in "${programs[@]}" truth; do build "$program" "$work/build"; done
build truth "$work/truth-11" -p:ClrMD=4.2.750101  # the first that reads .NET 11
cc -O1 -shared -fPIC -o "$work/four_processors.so" "$targets/four_processors.c" -ldl
for program in "${programs[@]}"; do
    rm -rf "${work:?}/$program"
    cp -r "$work/build/bin/$program/release" "$work/$program"
done
small=DOTNET_GCHeapHardLimit=0x1000000  # the GC's own tables are small, then
server=(LD_PRELOAD="$work/four_processors.so" DOTNET_gcServer=1 DOTNET_GCHeapCount=4 DOTNET_GCNoAffinitize=1)

newest() { ls "$frameworks" | grep "^$1\." | sort -V | tail -1; }
start() { launch "$work/runtimes/dotnet" "$version" "$work/$1/$1.dll" "${@:2}"; }
createdump() { take "$1" "$frameworks/$version/createdump" "$work/$2.core"; }
truth() { dotnet "$work/$([ "$major" -lt 11 ] && echo build || echo truth-11)/bin/truth/release/truth.dll" "$@"; }

# pack CORE NAME: the dump WORK/CORE.core goes into tests/data, as what differs from the one that it was packed over before, or
# from the shop on the same runtime
pack() {
    local base
    base=$(awk -v name="$2" '$1 == name { print $2 }' "$data/patches.txt")
    case $2 in shop-8 | shop-9 | shop-10) ;; *) base=${base:-shop-$major} ;; esac
    # shellcheck disable=SC2086  # nothing for one that is whole
    "$targets/pack-dump.sh" "$work/$1.core" "$2" $base
}

# keep NAME: the dump and its figures go into tests/data
keep() {
    pack "$1" "$1"
    truth "$work/$1.core" "$work/$1.truth.json"
    zstd -q -f -19 "$work/$1.truth.json" -o "$data/$1.truth.json.zst"
}

# said NAME: what the program printed
said() { grep '^{' "$log" >"$data/$1"; }

# details NAME: what ClrMD says of everything but the heap's sizes. Sync blocks of .NET 11 are listed of full dumps only, and
# nobody is said to wait for them: 1000 stands for what is not known.
details() {
    truth "$work/$1.core" --details "$work/$1.details.json"
    if [ "$major" -ge 11 ]; then
        truth "$work/$1-full.core" --details "$work/$1-full.details.json"
        python3 - "$work/$1.details.json" "$work/$1-full.details.json" <<'END'
import json, sys
details, full = (json.load(open(path)) for path in sys.argv[1:])
details["syncBlocks"] = [{**block, "waiting": 1000} for block in full["syncBlocks"]]
json.dump(details, open(sys.argv[1], "w"), separators=(",", ":"))
END
        rm "$work/$1-full.core"
    fi
    zstd -q -f -19 "$work/$1.details.json" -o "$data/$1.details.json.zst"
}

# shop NAME [NAME=VALUE…]
shop() {
    start shop "${@:2}"
    createdump withheap "$1"
    [ "$major" -lt 11 ] || createdump full "$1-full"
    finish
    keep "$1"
    details "$1"
}

# printed PROGRAM [NAME=VALUE…]: with what the program itself said
printed() {
    start "$@"
    said "$1-$major.printed.json"
    zstd -q -f -19 --rm "$data/$1-$major.printed.json"
    createdump withheap "$1-$major"
    finish
}

# planted PROGRAM NAME [NAME=VALUE…]: with what the program said that it planted
planted() {
    start "$1" "${@:3}"
    said "$2.planted.jsonl"
    createdump withheap "$2"
    finish
    pack "$2" "$2"
}

# stacks NAME SHOWN: with what the program said that it planted, and ClrMD's frames and roots
stacks() {
    planted stacks "$1" "$small" STACKS="$2"
    truth "$work/$1.core" --stacks "$work/$1.stacks.jsonl"
    zstd -q -f -19 "$work/$1.stacks.jsonl" -o "$data/$1.stacks.jsonl.zst"
}

# plain PROGRAM: the dump alone
plain() {
    start "$1" "$small"
    createdump withheap "$1-$major"
    finish
    pack "$1-$major" "$1-$major"
}

# The other kinds of dump, of one process. ClrMD cannot name the types of gcore's, so a heap dump speaks for it.
kinds() {
    start shop
    for kind in withheap normal triage gcore; do createdump $kind "shop-$major-$kind"; done
    finish
    for kind in normal triage gcore; do keep "shop-$major-$kind"; done
    truth "$work/shop-$major-withheap.core" "$work/shop-$major-gcore.truth.json"
    zstd -q -f -19 "$work/shop-$major-gcore.truth.json" -o "$data/shop-$major-gcore.truth.json.zst"
}

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

# Chance decides what a storm is caught doing, so each state is taken where it first shows; one each of the rare ones is enough.
storms() {
    local try state name
    for try in $(seq 25); do
        start storm DOTNET_GCgen0size=0x80000
        createdump withheap storm
        finish
        truth "$work/storm.core" "$work/storm.truth.json" || continue
        state=$(state "$work/storm.truth.json") name=storm-$major-$state
        echo "storm on $version, try $try: $state"
        case $state in
            calm) [ ! -f "$work/$name.core" ] || continue ;;
            full | collecting) ! ls "$work"/storm-*-"$state.core" >/dev/null 2>&1 || continue ;;
            other) continue ;;
        esac
        mv "$work/storm.core" "$work/$name.core"
        keep "$name"
        [ "$(ls "$work"/storm-{"$major-calm",*-full,*-collecting}.core 2>/dev/null | wc -l)" -lt 3 ] || break
    done
}

# of_version MAJOR: the programs that are dumped on each; .NET 9 is like 10 in what some of them show
of_version() {
    major=$1 version=$(newest "$1")
    shop "shop-$major"
    shop "shop-$major-server" "${server[@]}"
    shop "shop-$major-segments" DOTNET_GCName=libclrgc.so
    printed exhibits
    keep "exhibits-$major"
    planted flaws "flaws-$major"
    stacks "stacks-$major" threads
    plain library
    storms
    [ "$major" != 9 ] || return 0
    printed values "$small"
    pack "values-$major" "values-$major"
    planted callbacks "callbacks-$major" "$small"
    plain lookups
}

# Types in a bad order, and as `heapscape-cli waste` would have them: the two heaps differ by what it promises.
waste() {
    mkdir -p "$data/waste"
    for declared in plain best; do
        build waste "$work/waste-$declared.build" -p:DefineConstants="${declared^^}"
        cp -r "$work/waste-$declared.build/bin/waste/release" "$work/waste-$declared"
        launch "$work/runtimes/dotnet" "$version" "$work/waste-$declared/waste.dll"
        createdump withheap "waste-$declared"
        finish
        pack "waste-$declared" "waste/$declared-$major"
    done
}

# growth NAME BUILD [NAME=VALUE]: a program that leaks, early, and later after a rebuild or on another runtime; beside each what
# the kernel said
growth() {
    launch "$work/runtimes/dotnet" "$version" "$work/growth-$2/growth.dll" "$small" "${@:3}"
    smaps "$work/growth-$1.smaps"
    createdump withheap "growth-$1"
    finish
    pack "growth-$1" "growth/$1"
    zstd -q -f -19 "$work/growth-$1.smaps" -o "$data/growth/$1.smaps.zst"
}
mkdir -p "$data/growth"
for build in before after; do
    build growth "$work/growth-$build.build" -p:DefineConstants="$([ $build = before ] || echo REBUILT)"
    rm -rf "${work:?}/growth-$build"
    cp -r "$work/growth-$build.build/bin/growth/release" "$work/growth-$build"
done

# What is dumped on one version only
of_9() { growth after-9 before GROWTH_LATER=1; }
of_10() {
    cp "$data/shop-10.core.zst" "$sample/sample.core.zst"
    kinds
    waste
    growth before-10 before
    growth after-10 after GROWTH_LATER=1
    planted flaws flaws-10-server "${server[@]}"
    planted traces traces-10 "$small"
    stacks asyncs-10 async
    cp "$work/traces/traces.pdb" "$work/stacks/stacks.pdb" "$data/"  # of the builds that all of these are dumps of
}
of_11() {
    kinds
    growth after-11 before GROWTH_LATER=1
    planted traces traces-11 "$small"
    stacks asyncs-11 async
    # Async methods that the runtime itself suspends, compiled against its own assemblies.
    for program in suspended flaws; do
        build $program "$work/suspended-11" "-p:Framework=$frameworks/$version"
        rm -rf "${work:?}/$program"
        cp -r "$work/suspended-11/bin/$program/release" "$work/$program"
    done
    planted suspended suspended-11 "$small" DOTNET_EnableWriteXorExecute=0
    planted flaws flaws-suspended-11
    cp "$work"/suspended/suspended.{dll,pdb} "$data/"
}

rm -f "$work"/storm-*.core
for of in ${only:-8 9 10 11}; do
    of_version "$of"
    [ "$of" = 8 ] || "of_$of"
done
if [ -z "$only" ]; then
    for made in crashes faults variables web; do "$targets/make-$made.sh" "$work"; done
fi
du -sh "$data"

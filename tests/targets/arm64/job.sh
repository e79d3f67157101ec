# SPDX-License-Identifier: MIT
# Runs inside the arm64 machine: makes the dumps named and asks ClrMD about them. /share is the host's folder: programs in
# it, and what is to be kept in out; /dotnet is the folder of runtimes.
# Usage: bash job.sh "NAME…"    a name is PROGRAM-MAJOR or PROGRAM-MAJOR-WAY, as make-arm64.sh lists them
. /share/capture.bash  # launch, take, finish
patience=9000          # an emulated machine takes its time
dotnet=/usr/share/dotnet/dotnet frameworks=/usr/share/dotnet/shared/Microsoft.NETCore.App out=/share/out
small=DOTNET_GCHeapHardLimit=0x1000000
server=(LD_PRELOAD=/opt/four_processors.so DOTNET_gcServer=1 DOTNET_GCHeapCount=4 DOTNET_GCNoAffinitize=1)
ulimit -s 1536  # else each thread's stack of 8 MB is in the dumps
ulimit -S -c 0

truth() {
    local program=truth
    [ "$major" -lt 11 ] || program=truth-11
    DOTNET_TieredPGO=0 "$dotnet" exec --fx-version "$reader" "/opt/$program/truth.dll" "$@"
}

# start PROGRAM [NAME=VALUE…]: what it prints goes beside the dump
start() {
    launch "$dotnet" "$version" "/opt/$1/$1.dll" "${@:2}"
    { grep '^{' "$log" || true; } >"$out/$name.said"
    [ -s "$out/$name.said" ] || rm "$out/$name.said"
}

# dump KIND [CORE]
dump() {
    take "$1" "$frameworks/$version/createdump" "/tmp/${2:-$name}.core"
    cp "/tmp/${2:-$name}.core" "$out/"
}

figures() { truth "/tmp/$name.core" "$out/$name.truth.json"; }
details() { truth "/tmp/${1:-$name}.core" --details "$out/${1:-$name}.details.json"; }
frames() { truth "/tmp/$name.core" --stacks "$out/$name.stacks.jsonl" --runs "$([ "$major" = 9 ] && echo 6 || echo 2)"; }

# shop [NAME=VALUE…]: of .NET 11 a full dump as well, for ClrMD lists sync blocks of that only
shop() {
    start shop "$@"
    dump withheap
    [ "$major" -lt 11 ] || dump full "$name-full"
    finish
    figures
    details
    [ "$major" -lt 11 ] || { details "$name-full"; rm "$out/$name-full.core"; }
}

# The kernel dumps it: what a crash of native code, or systemd-coredump, leaves.
kernel() {
    echo "/tmp/$name.core" >/proc/sys/kernel/core_pattern
    ulimit -S -c unlimited
    start shop
    kill -SYS "$pid"
    wait "$pid" || true
    finish
    cp "/tmp/$name.core" "$out/"
}

# crash WAY: a mini dump, made by the runtime as the program dies
crash() {
    env -i DOTNET_ROOT=/usr/share/dotnet "$small" DOTNET_EnableWriteXorExecute=0 DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=1 \
        DOTNET_DbgMiniDumpName="/tmp/$name.core" "$dotnet" exec --fx-version "$version" /opt/crashes/crashes.dll "$1" >"/tmp/$name.log" 2>&1 || true
    { grep -v '^\[createdump\]' "/tmp/$name.log" || true; } | sed 's/\[createdump\].*//' >"$out/$name.printed.txt"
    cp "/tmp/$name.core" "$out/"
}

# make: the dump called $name, and what is to be said of it
make() {
    case $program-$way in
        shop-) shop ;;
        shop-server) shop "${server[@]}" ;;
        shop-segments) shop DOTNET_GCName=libclrgc.so ;;
        shop-gcore) start shop; dump gcore; finish ;;
        shop-kernel) kernel ;;
        stacks-) start stacks "$small" STACKS=threads; dump withheap; finish; frames ;;
        asyncs-) start stacks "$small" STACKS=async; dump withheap; finish; frames ;;
        exhibits- | flaws-) start "$program"; dump withheap; finish; figures ;;
        library- | lookups- | traces- | callbacks-) start "$program" "$small"; dump withheap; finish ;;
        crashes-*) crash "$way" ;;
        *) echo "no such dump: $name"; false ;;
    esac
}

reader=$(ls "$frameworks" | grep '^10\.' | sort -V | tail -1)  # what ClrMD runs on
# shellcheck disable=SC2086  # a list of names
for name in $1; do
    IFS=- read -r program major way <<<"$name"
    version=$(ls "$frameworks" | grep "^$major\." | sort -V | tail -1)
    set +e
    (set -e; make)
    [ $? = 0 ] && echo "$name is made" || echo "$name failed"
    rm -f /tmp/*.core
done

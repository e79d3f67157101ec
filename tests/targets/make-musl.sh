#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the dumps of tests/data of .NET for musl, Alpine's C library, on a machine that has glibc: a program whose stacks
# are known on .NET 8 and 10, and a crash. musl's loader takes libstdc++ and libgcc of this machine, with what they lack.
# Usage: make-musl.sh WORK    needs the .NET SDK, musl-gcc (musl-tools), zstd, and the dumps that these are patches over
set -euo pipefail
[ $# = 1 ] || { sed -n 3,6p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
trap finish EXIT
work=$(mkdir -p "$1" && cd "$1" && pwd)
data=$targets/../data
releases=(8.0.34 10.0.12)
root=$work/runtimes lib=$work/lib

mkdir -p "$work/restore" "$lib"
cp "$targets/runtimes.proj" "$work/restore/runtimes.csproj"
named=$(printf '%%3B[%s]' "${releases[@]}")
dotnet restore --nologo --verbosity quiet -p:Releases="${named#%3B}" -p:Rid=linux-musl-x64 "$work/restore/runtimes.csproj"
packages=$(dotnet nuget locals global-packages --list)
packages=${packages#*: }
for version in "${releases[@]}"; do
    pack=${packages%/}/microsoft.netcore.app.runtime.linux-musl-x64/$version/runtimes/linux-musl-x64
    install -d "$root/shared/Microsoft.NETCore.App/$version"
    cp "$pack"/lib/net*/* "$pack"/native/* "$root/shared/Microsoft.NETCore.App/$version/"
    chmod +x "$root/shared/Microsoft.NETCore.App/$version/createdump"
    install -D "$pack/native/libhostfxr.so" "$root/host/fxr/$version/libhostfxr.so"
done
musl-gcc -O1 -o "$root/dotnet" "$targets/musl/host.c"
musl-gcc -O1 -shared -fPIC -o "$lib/libglibc.so" "$targets/musl/glibc.c"
for library in libstdc++.so.6 libgcc_s.so.1; do cp "$(cc -print-file-name=$library)" "$lib/"; done
loader=$(musl-gcc -x c - -o "$work/empty" <<<'int main(void) { return 0; }' && readelf -p .interp "$work/empty" | grep -o '/lib/ld-musl.*')
ln -sf "$loader" "$lib/libc.musl-x86_64.so.1"
musl-gcc -shared -fPIC -x c -o "$lib/ld-linux-x86-64.so.2" - <<<'int x;'  # libstdc++ names it, and uses nothing of it
musl=(HOSTFXR="$root/host/fxr/${releases[-1]}/libhostfxr.so" LD_PRELOAD="$lib/libglibc.so" LD_LIBRARY_PATH="$lib"
    DOTNET_GCHeapHardLimit=0x1000000)

for program in stacks crashes truth; do
    build "$program" "$work/build"
    rm -rf "${work:?}/$program"
    cp -r "$work/build/bin/$program/release" "$work/$program"
done
truth() { env -i "${musl[@]}" DOTNET_ROOT="$root" "$root/dotnet" exec --fx-version "${releases[-1]}" "$work/truth/truth.dll" "$@"; }

for version in "${releases[@]}"; do
    major=${version%%.*} name=stacks-musl-${version%%.*}
    launch "$root/dotnet" "$version" "$work/stacks/stacks.dll" "${musl[@]}"
    grep '^{' "$log" >"$data/$name.planted.jsonl"
    env -i "${musl[@]}" "$root/shared/Microsoft.NETCore.App/$version/createdump" --withheap -f "$work/$name.core" "$pid" >/dev/null
    finish
    "$targets/pack-dump.sh" "$work/$name.core" "$name" "stacks-$major"
    truth "$work/$name.core" --stacks "$work/$name.stacks.jsonl"
    zstd -q -f -19 "$work/$name.stacks.jsonl" -o "$data/$name.stacks.jsonl.zst"
done

# As make-crashes.sh makes them, but with the usual stack, which the main thread touches all of.
version=${releases[-1]} name=native-violation-musl-10
(setarch -R env -i "${musl[@]}" DOTNET_ROOT="$root" DOTNET_EnableWriteXorExecute=0 \
    DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=1 DOTNET_DbgMiniDumpName="$work/$name.core" \
    "$root/dotnet" exec --fx-version "$version" "$work/crashes/crashes.dll" native-violation >"$work/$name.log" 2>&1) || true
{ grep -v '^\[createdump\]' "$work/$name.log" || true; } | sed 's/\[createdump\].*//' >"$data/crashes/$name.printed.txt"
"$targets/pack-dump.sh" "$work/$name.core" "crashes/$name" crashes/native-violation-10

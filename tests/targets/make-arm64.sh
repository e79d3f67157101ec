#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes dumps of .NET on arm64, on any machine: a small Debian for arm64 in QEMU runs the programs beside this script on the
# runtimes that NuGet has for arm64, dumps them, and has ClrMD look at the dumps. All of it lands in WORK/share/out.
# Usage: make-arm64.sh WORK [NAME…]    as root; needs the .NET SDK, and of Debian's packages debootstrap, qemu-system-arm,
#        cpio, e2fsprogs and gcc-aarch64-linux-gnu. A name is PROGRAM-MAJOR or PROGRAM-MAJOR-WAY:
#        shop, with -server, -segments, -gcore or -kernel; stacks, asyncs, exhibits, flaws, library, lookups, traces, callbacks;
#        crashes-MAJOR-WAY. MAJOR is 9, 10 or 11: there is no .NET 8 for arm64 among the packages.
# CORES and MEMORY are the machine's. Allow a core of one's own five minutes for the machine and one or two for each name.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3,10p "$0" >&2; exit 2; }
. "$(dirname "$0")/capture.bash"
arm64=$targets/arm64
work=$(mkdir -p "$1" && cd "$1" && pwd); shift
names=("$@")
[ $# -gt 0 ] || names=(shop-10 shop-9 shop-11 stacks-10 stacks-9 stacks-11 exhibits-10 library-10 asyncs-10 flaws-10
                       shop-10-server shop-10-segments shop-10-gcore shop-10-kernel crashes-10-chain)
releases=(9.0.23 10.0.15 11.0.0)
first=4.2.750101  # ClrMD that reads .NET 11

# The packages of a small system, unpacked side by side: their own scripts would need the machine to run. Nothing here needs them.
system() {
    local root=$work/root link
    rm -rf "$root" "$work/packages"
    debootstrap --foreign --variant=minbase --arch=arm64 \
        --include=libstdc++6,zlib1g,gdb,libboost-regex1.74.0,linux-image-arm64,busybox-static,procps bookworm "$root" >"$work/debootstrap.log"
    mv "$root/var/cache/apt/archives" "$work/packages"
    for package in "$work"/packages/*.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink; done
    # debootstrap links /proc to the host's: the link must go, and nothing may be done through it.
    for link in proc sys dev; do [ ! -L "$root/$link" ] || rm "$root/$link"; mkdir -p "$root/$link"; done
    install -m 755 "$arm64/second.sh" "$root/second.sh"
    cp "$root"/boot/vmlinuz-* "$work/vmlinuz"

    local initrd=$work/initrd.d module
    rm -rf "$initrd"
    mkdir -p "$initrd/bin" "$initrd/modules"
    cp "$root/bin/busybox" "$initrd/bin/"
    install -m 755 "$arm64/first.sh" "$initrd/init"
    for module in virtio_mmio virtio_blk crc32c_generic libcrc32c crc16 mbcache jbd2 ext4 netfs fscache 9pnet 9pnet_virtio 9p; do
        cp "$(find "$root/usr/lib/modules/" -name "$module.ko")" "$initrd/modules/"
        echo "$module" >>"$initrd/modules/order"
    done
    (cd "$initrd" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initrd"
    rm -rf "$root"/usr/lib/modules "$root"/usr/share/{doc,man,locale} "$root"/boot/*
}

runtimes() {
    local packages version pack framework
    mkdir -p "$work/restore"
    cat >"$work/restore/runtimes.csproj" <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences></PropertyGroup>
  <ItemGroup><PackageDownload Include="Microsoft.NETCore.App.Runtime.linux-arm64" Version="$(printf '[%s];' "${releases[@]}")" /></ItemGroup>
</Project>
END
    dotnet restore --nologo --verbosity quiet "$work/restore/runtimes.csproj"
    packages=$(dotnet nuget locals global-packages --list)
    packages=${packages#*: }
    for version in "${releases[@]}"; do
        pack=${packages%/}/microsoft.netcore.app.runtime.linux-arm64/$version/runtimes/linux-arm64
        framework=$work/root/usr/share/dotnet/shared/Microsoft.NETCore.App/$version
        install -d "$framework"
        cp "$pack"/lib/net*/* "$pack"/native/* "$framework/"
        chmod +x "$framework/createdump"  # packages do not keep the mode
        install -D "$pack/native/libhostfxr.so" "$work/root/usr/share/dotnet/host/fxr/$version/libhostfxr.so"
    done
    aarch64-linux-gnu-gcc -O1 -o "$work/root/usr/share/dotnet/dotnet" "$arm64/host.c" -ldl
}

programs() {
    local program
    mkdir -p "$work/root/opt"
    for program in shop stacks exhibits library flaws lookups traces callbacks crashes truth; do
        build "$program" "$work/build"
        rm -rf "$work/root/opt/$program"
        cp -r "$work/build/bin/$program/release" "$work/root/opt/$program"
    done
    build truth "$work/build-11" -p:ClrMD=$first
    rm -rf "$work/root/opt/truth-11"
    cp -r "$work/build-11/bin/truth/release" "$work/root/opt/truth-11"
    aarch64-linux-gnu-gcc -O1 -shared -fPIC -o "$work/root/opt/four_processors.so" "$targets/four_processors.c" -ldl
}

if [ ! -f "$work/root.img" ]; then
    system
    runtimes
    programs
    truncate -s 4G "$work/root.img.part"
    mke2fs -q -F -t ext4 -O ^has_journal -d "$work/root" "$work/root.img.part"
    mv "$work/root.img.part" "$work/root.img"
fi

share=$work/share
mkdir -p "$share/out"
cp "$arm64/job.sh" "$targets/capture.bash" "$share/"
echo "${names[*]}" >"$share/names"
qemu-system-aarch64 -M virt -cpu neoverse-n1 -smp "${CORES:-1}" -m "${MEMORY:-6G}" -nographic -nodefaults -no-reboot \
    -serial "file:$work/console.log" -kernel "$work/vmlinuz" -initrd "$work/initrd" -append "console=ttyAMA0 quiet loglevel=3" \
    -drive "if=none,id=root,format=raw,file=$work/root.img,snapshot=on" -device virtio-blk-device,drive=root \
    -fsdev "local,id=share,path=$share,security_model=none" -device virtio-9p-device,fsdev=share,mount_tag=share
cat "$share/log"
! grep -q ' failed$' "$share/log"

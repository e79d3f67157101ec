#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes what users install, in build/packages: Debian packages for this Debian, an archive for any Linux, an image of the command line.
# Usage: package.sh [deb] [archive] [image]    without a word all of them; archive and image are best made on Debian 12, the oldest supported
set -euo pipefail
case ${1-} in -h|--help) sed -n '3,4s/^# //p' "$0"; exit 0 ;; esac
# shellcheck source=installers/packages.sh
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"
[ $# -gt 0 ] || set -- deb archive image
for kind; do case $kind in deb|archive|image) ;; *) sed -n '4s/^# //p' "$0" >&2; exit 2 ;; esac; done

wanted=("${engine_packages[@]}" "${window_packages[@]}" "${debian_packages[@]}")
case " $* " in *" archive "*) wanted+=("${wayland_packages[@]}" "${archive_packages[@]}") ;; esac
case " $* " in *" image "*) wanted+=("${image_packages[@]}") ;; esac
install_packages "${wanted[@]}"

cd "$project"
version=$(sed -n 's/^project(heapscape VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
# The same sources give the same packages: the day is that of the release, which the changelog has.
day=$(sed -n "s/^## $version, \(20[0-9-]*\)$/\1/p" CHANGELOG.md)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "${day:-today 0:00}" +%s)}
release=$project/build/release
packages=$project/build/packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$packages"
quietly "Heapscape could not be configured." cmake --preset release
quietly "Heapscape could not be built." cmake --build --preset release

make_deb() {
    rm -f "$packages"/*.deb
    quietly "The packages could not be made." cpack --config "$release/CPackConfig.cmake" -B "$work/cpack"
    mv "$work"/cpack/*.deb "$packages"
    printf '%s\n' "$packages"/*.deb
}

# Libraries that FILE… are linked to, with those that these are linked to, except for the C library's, which belong to the system's loader.
libraries_of() {
    ldd "$@" | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | sort -u |
        grep -Ev '/(ld-linux-[^/]*|lib(c|m|dl|rt|pthread|resolv|util|anl|mvec)\.so\.[0-9]+)$'
}

# Licences of the packages that FILE… come from, and which versions of them these are.
copy_licences() {
    local folder=$1 file package; shift
    mkdir -p "$folder"
    printf 'Libraries of these Debian packages are in lib and plugins, unchanged. Their sources: https://snapshot.debian.org\n\n' >"$folder/README"
    for file; do dpkg-query -S "$(realpath "$file")" || dpkg-query -S "$file"; done 2>/dev/null | sed 's/:.*//' | sort -u |
        while read -r package; do
            mkdir -p "$folder/$package"
            cp -L "/usr/share/doc/$package/copyright" "$folder/$package/"
            dpkg-query -W -f='${binary:Package} ${Version}, source ${source:Package} ${source:Version}\n' "$package" | head -n 1 >>"$folder/README"
        done
    # Licences are named there by where Debian has them.
    mkdir "$folder/common-licenses"
    grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$folder" | sort -u |
        while read -r file; do [ ! -e "$file" ] || cp -L "$file" "$folder/common-licenses/"; done
}

# A folder that runs wherever it lies: programs look for libraries in ../lib first, and Qt for its plugins beside them.
make_archive() {
    local name=heapscape-$version-linux-x64 tree qt fonts plugin plugins libraries
    tree=$work/$name
    qt=$(qmake6 -query QT_INSTALL_PLUGINS)
    fonts=$(dirname "$(dpkg-query -L fonts-dejavu-core | grep '/DejaVuSans.ttf$')")
    quietly "The files could not be put together." cmake --install "$release" --prefix "$tree" --strip
    # None for OpenGL: the window is drawn without, and drivers of the system would meet our libraries.
    plugins=(platforms/libq{xcb,wayland-generic,offscreen}.so iconengines/libqsvgicon.so imageformats/libqsvg.so
             platforminputcontexts/lib{compose,ibus}platforminputcontextplugin.so
             wayland-shell-integration/libxdg-shell.so wayland-decoration-client/libbradient.so)
    for plugin in "${plugins[@]}"; do install -D -m 644 "$qt/$plugin" "$tree/plugins/$plugin"; done
    mapfile -t libraries < <(libraries_of "$tree"/bin/* "$tree"/plugins/*/*.so)
    install -D -m 644 -t "$tree/lib" "${libraries[@]}"
    # RPATH, not RUNPATH: what libraries and plugins are linked to is then looked for there as well.
    patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$tree"/bin/*
    printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' >"$tree/bin/qt.conf"
    # For systems without fonts.
    install -D -m 644 -t "$tree/share/fonts" "$fonts"/DejaVuSans{,-Bold,Mono,Mono-Bold}.ttf
    install -D -m 644 -t "$tree/etc/fonts" "$project/installers/fonts.conf"
    copy_licences "$tree/share/doc/heapscape/libraries" "${libraries[@]}" "${plugins[@]/#/$qt/}" "$fonts/DejaVuSans.ttf"
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
        zstd -q -19 -T0 -f -o "$packages/$name.tar.zst"
    printf '%s\n' "$packages/$name.tar.zst"
}

# An image as the Open Container Initiative lays it out, of this Debian's essential packages and ours. No container engine is needed.
make_image() {
    local image=$work/image:$version target=$packages/heapscape-cli-$version-oci.tar sources=/etc/apt/sources.list package
    [ ! -e /etc/apt/sources.list.d/debian.sources ] || sources=/etc/apt/sources.list.d/debian.sources
    package=$(echo "$packages"/heapscape-cli_*.deb)
    [ -e "$package" ] || fail "The image holds the Debian package; make that first: package.sh deb image"
    # Where apt finds it outside of the root, dpkg looks for it inside.
    cp "$package" "$work/cli.deb"
    quietly "The image's files could not be put together." mmdebstrap --variant=essential --include="$work/cli.deb" \
        --setup-hook="install -D '$work/cli.deb' \"\$1$work/cli.deb\"" --customize-hook="rm \"\$1$work/cli.deb\" && rmdir \"\$1$work\"" \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root" "$sources"
    quietly "The image could not be made." umoci init --layout "$work/image"
    quietly "The image could not be made." umoci new --image "$image"
    quietly "The image could not be filled." umoci insert --image "$image" "$work/root" /
    # nobody, as a number so that Kubernetes sees that it is not root
    quietly "The image could not be described." umoci config --image "$image" --created "$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        --architecture amd64 --os linux --config.user 65534:65534 --config.entrypoint heapscape-cli \
        --config.env PATH=/usr/sbin:/usr/bin:/sbin:/bin --config.env LANG=C.UTF-8
    tar -C "$work/image" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$target" .
    printf '%s\n' "$target"
}

for kind; do "make_$kind"; done

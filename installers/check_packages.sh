#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks what package.sh has made: Debian packages by lintian, and the archive for libraries that it would take from the system.
# Usage: check_packages.sh FOLDER
set -euo pipefail
[ $# = 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
# shellcheck source=installers/packages.sh
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"
folder=$(realpath "$1")
install_packages lintian mandoc desktop-file-utils appstream shared-mime-info zstd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for package in "$folder"/*.deb; do
    [ -e "$package" ] || continue
    say "$(basename "$package") …"
    lintian --fail-on error,warning --tag-display-limit 0 "$package" || fail "lintian complains of $package."
done

for archive in "$folder"/*-linux-x64.tar.zst; do
    [ -e "$archive" ] || continue
    say "$(basename "$archive") …"
    tar -C "$work" --zstd -xf "$archive"
    tree=$(echo "$work"/heapscape-*)
    # With the paths that the programs have, plugins find the same libraries; of the system's there may be the C library's alone.
    foreign=$(LD_LIBRARY_PATH=$tree/lib ldd "$tree"/bin/heapscape* "$tree"/plugins/*/*.so "$tree"/lib/*.so* | grep '=>' | grep -vF "=> $tree/" |
        grep -Ev '/(ld-linux-[^/]*|lib(c|m|dl|rt|pthread|resolv|util|anl|mvec)\.so\.[0-9]+) ' || true)
    [ -z "$foreign" ] || { printf '%s\n' "$foreign" | sort -u >&2; fail "The archive would take these from the system."; }
    needs=$(objdump -T "$tree"/bin/heapscape* "$tree"/plugins/*/*.so "$tree"/lib/*.so* | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
    say "It needs ${needs/_/ } or later."
    share=$tree/share
    desktop-file-validate "$share/applications/heapscape.desktop"
    appstreamcli validate --no-net "$share"/metainfo/*.xml
    update-mime-database "$share/mime"
    for page in "$share"/man/man1/*.gz; do
        said=$(zcat "$page" | mandoc -T lint | grep -v 'referenced manual not found' || true)
        [ -z "$said" ] || fail "$(basename "$page"): $said"
    done
done
say "All is well."

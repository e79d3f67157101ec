#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Holds what desktops and readers of manual pages are given against the rules of those who read it.
# Usage: packaging.sh CHECK PROJECT PACKAGING HEAPSCAPE_CLI [HEAPSCAPE]    status 77 where the tool of the check is not installed
# PACKAGING: the build's folder of that name. Checks: desktop, appstream, mime, manual, window, versions
set -euo pipefail
check=$1 project=$2 packaging=$3 cli=$4 window=${5-}
desktop=$project/resources/desktop

need() { command -v "$1" >/dev/null || { echo "$1 is not installed."; exit 77; }; }

case $check in
    desktop)
        need desktop-file-validate
        desktop-file-validate "$desktop/heapscape.desktop"
        ;;
    appstream)
        need appstreamcli
        appstreamcli validate --no-net "$packaging"/*.metainfo.xml
        ;;
    mime)
        need update-mime-database
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        mkdir -p "$work/mime/packages"
        cp "$desktop/heapscape.xml" "$work/mime/packages"
        said=$(XDG_DATA_DIRS=$work update-mime-database "$work/mime" 2>&1)
        [ -z "$said" ] || { echo "$said"; exit 1; }
        # The desktop file offers the window for each type that is described.
        while read -r type; do
            grep -qF "$type;" "$desktop/heapscape.desktop" || { echo "heapscape.desktop lacks $type."; exit 1; }
            grep -qF "<mediatype>$type<" "$packaging"/*.metainfo.xml || { echo "The metainfo lacks $type."; exit 1; }
        done < <(sed -n 's/.*<mime-type type="\([^"]*\)".*/\1/p' "$desktop/heapscape.xml")
        ;;
    window)
        # The window's page names each option and place that its help names.
        page=$packaging/heapscape.1
        for word in $("$window" --help | tr '\n' ' ' | sed -n 's/.*Place to show: *\([^.]*\)\..*/\1/p' | tr ',' ' '); do
            grep -qw -- "$word" "$page" || { echo "heapscape(1) lacks the place $word."; exit 1; }
        done
        for word in $("$window" --help | grep -oE -- '^ *(-[a-z], )?--[a-z]+ ' | grep -oE -- '-[a-z]+ $'); do
            grep -q "^\.It Fl.* $word\( \|$\)\|^\.It Fl $word" "$page" || { echo "heapscape(1) lacks -$word."; exit 1; }
        done
        ;;
    manual)
        need mandoc
        pages=$(mktemp -d)
        trap 'rm -rf "$pages"' EXIT
        "$cli" man >"$pages/heapscape-cli.1"
        [ ! -e "$packaging/heapscape.1" ] || cp "$packaging/heapscape.1" "$pages"
        # Which other pages are installed is not the page's fault.
        said=$(mandoc -T lint "$pages"/* | grep -v 'referenced manual not found' || true)
        [ -z "$said" ] || { echo "$said"; exit 1; }
        ;;
    versions)
        # One version, in CMakeLists.txt, which the changelog begins with.
        version=$(sed -n 's/^project(heapscape VERSION \([0-9.]*\).*/\1/p' "$project/CMakeLists.txt")
        [ "$("$cli" --version)" = "heapscape-cli $version" ]
        grep -m 1 '^## ' "$project/CHANGELOG.md" | grep -qE "^## $version(, .*)?$" ||
            { echo "CHANGELOG.md does not begin with $version."; exit 1; }
        ;;
    *) echo "There is no check $check." >&2; exit 2 ;;
esac

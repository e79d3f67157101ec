# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by the scripts beside it: which Debian packages Heapscape needs, and how what is missing gets installed.
# shellcheck disable=SC2034  # each script takes the lists that it needs

engine_packages=(cmake ninja-build g++ pkgconf libelf-dev libdw-dev libzstd-dev liblz4-dev liblzma-dev zlib1g-dev
                 libarchive-dev libtbb-dev libxxhash-dev libre2-dev libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libedit-dev
                 libcapstone-dev libflatbuffers-dev)
window_packages=(qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev libqt6svg6 qt6-qpa-plugins fonts-dejavu-core
                 libgraphviz-dev)
# Only for programs that are to be shown on Wayland itself; most desktops offer X11 as well.
wayland_packages=(qt6-wayland)
test_packages=(libgtest-dev libgmock-dev pybind11-dev python3-dev zstd mandoc desktop-file-utils shared-mime-info)
debian_packages=(dpkg-dev file gzip)
archive_packages=(patchelf zstd)
image_packages=(mmdebstrap umoci)

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$project/build/installers.log
is_list_fetched=

say() { printf '%s\n' "$*" >&2; }
fail() { say "${0##*/}: $*"; exit 1; }

# quietly WHAT-FAILED COMMAND…: what it prints goes to the log, and on failure its end is shown.
quietly() {
    local sentence=$1; shift
    mkdir -p "${log%/*}"
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 30 "$log" >&2
    fail "$sentence The whole output is in $log."
}

missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
    done
}

# install_packages NAME…: installs those that are not there yet, as root or through sudo.
install_packages() {
    local missing as_root=()
    if ! command -v apt-get >/dev/null; then
        say "No apt-get here, so nothing gets installed: HACKING.md names what has to be there."
        return
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "Packages are missing, and installing them needs root. As root run: apt-get install ${missing[*]}"
        as_root=(sudo)
        say "Installing needs root; sudo may ask for your password."
        sudo -v || fail "Without root nothing can be installed. As root run: apt-get install ${missing[*]}"
    fi
    say "Installing packages that are missing (${#missing[@]}) …"
    # Once is enough for all packages of a run.
    [ -n "$is_list_fetched" ] ||
        quietly "The list of packages could not be fetched: is the network there?" "${as_root[@]}" apt-get -q update
    is_list_fetched=yes
    quietly "Packages could not be installed: ${missing[*]}." \
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
}

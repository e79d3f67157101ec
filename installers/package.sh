#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a Debian package of the window and the command line in build/release.
# Usage: package.sh
set -euo pipefail
# shellcheck source=installers/packages.sh
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

install_packages "${engine_packages[@]}" "${window_packages[@]}" "${debian_packages[@]}"

cd "$project"
quietly "Heapscape could not be configured." cmake --preset release
quietly "Heapscape could not be built." cmake --build --preset release
quietly "The package could not be made." cpack --config build/release/CPackConfig.cmake -B build/release
printf '%s\n' "$project"/build/release/*.deb

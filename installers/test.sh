#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds everything and runs every test; no display and no .NET needed. Where CI is set, warnings are errors.
# Usage: test.sh [CTEST-OPTION…]    for example: test.sh -R layers
set -euo pipefail
# shellcheck source=installers/packages.sh
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

install_packages "${engine_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"

cd "$project"
preset=tests
[ -z "${CI:-}" ] || preset=ci
cmake --preset $preset
cmake --build --preset $preset
# One more than there are cores, since tests of the window wait for it most of the time.
ctest --preset $preset --parallel $(($(nproc) + 1)) "$@"

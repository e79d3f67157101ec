#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails where a source is not in the form that clang-format gives it; 77 where there is no clang-format.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v clang-format >/dev/null; then
    echo "clang-format is not installed: the form of the sources was not checked."
    exit 77
fi
find engine gui tests bench \( -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 --max-procs="$(nproc)" --max-args=200 clang-format --dry-run -Werror

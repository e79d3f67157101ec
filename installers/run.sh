#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Heapscape on Debian 12 or later and opens a dump in it. Without a display it writes figures and pictures to ./out instead.
# Usage: run.sh [DUMP]    without DUMP the bundled sample is opened
set -euo pipefail
case ${1-} in -h|--help) sed -n '3,4s/^# //p' "$0"; exit 0 ;; -*) sed -n '4s/^# //p' "$0" >&2; exit 2 ;; esac
[ $# -le 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
# shellcheck source=installers/packages.sh
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

dump=$(realpath -m -- "${1:-$project/resources/sample/sample.core.zst}")
out=$PWD/out
[ -e "$dump" ] || fail "There is no file $dump."
if [ ! -f "$dump" ] || [ ! -r "$dump" ]; then fail "$dump is not a file that can be read."; fi

wanted=("${window_packages[@]}")
[ -z "${WAYLAND_DISPLAY:-}" ] || wanted+=("${wayland_packages[@]}")
install_packages "${engine_packages[@]}"

cd "$project"
# Half of the engine compiles while the window's packages are fetched, which it does not need; the other half beside the
# window, where a core would have nothing to do at first. What fails here is told below.
if [ ! -x build/release/bin/heapscape ]; then
    say "Building, which takes some minutes the first time …"
    setsid sh -c 'cmake --preset release -D HEAPSCAPE_GUI=OFF && cmake --build --preset release --target heapscape_engine_cold' >/dev/null 2>&1 </dev/null &
    engine=$!
    trap 'kill -- "-$engine" 2>/dev/null || true' EXIT
fi
install_packages "${wanted[@]}"
wait
trap - EXIT
quietly "Heapscape could not be configured." cmake --preset release
quietly "Heapscape could not be built." cmake --build --preset release --target heapscape
bin=$project/build/release/bin

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    # While people look at the window.
    (quietly "heapscape-cli could not be built." nice cmake --build --preset release) &
    exec "$bin/heapscape" "$dump"
fi

say "No display, so there will be no window: writing figures and pictures to $out …"
mkdir -p "$out" 2>/dev/null || fail "The folder $out cannot be made; run this from another folder."
[ -w "$out" ] || fail "The folder $out cannot be written to; run this from another folder."

# figures VERB [OPTION…]: what heapscape-cli says, under a headline of its own.
figures() {
    local verb=$1; shift
    printf '%s\n%s\n' "$verb" "${verb//?/=}"
    "$bin/heapscape-cli" "$verb" "$dump" "$@" || return
    printf '\n'
}

all_figures() {
    figures info && figures segments && figures generations && figures types --top 50 && figures modules &&
        figures objects --top 25 && figures retained --top 25 && figures retained --by-type --top 25 &&
        figures dominators --top 5 &&
        figures threads && figures locks && figures handles --top 50 && figures finalizers --top 50 &&
        figures statics --initialised --top 100 && figures strings --top 25 --redact && figures generics --top 25 &&
        figures verify && figures layout --top 10
}

places=(overview segments generations types layouts references roots threads findings)
pictures=("${places[@]/#/$out/}")
pictures=("${pictures[@]/%/.png}")
rm -f "$out/report.txt" "${pictures[@]}"
for place in "${places[@]}"; do
    QT_QPA_PLATFORM=offscreen quietly "The picture of $place could not be made." \
        timeout 120 "$bin/heapscape" --theme light --place "$place" --screenshot "$out/$place.png" "$dump"
done
quietly "heapscape-cli could not be built." cmake --build --preset release
all_figures >"$out/report.txt" || { rm -f "$out/report.txt"; fail "$dump could not be read, see the line above."; }
printf '%s\n' "$out/report.txt" "${pictures[@]}"

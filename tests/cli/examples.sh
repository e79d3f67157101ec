#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the commands that documents show on the bundled sample, and holds what they say against what stands below them.
# Usage: examples.sh HEAPSCAPE_CLI SAMPLE DOCUMENT…    the sample's name is that of the commands, its folder is entered
set -euo pipefail
cli=$(realpath "$1") sample=$2; shift 2
mapfile -t documents < <(realpath -- "$@")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$cli" "$work/heapscape-cli"
PATH=$work:$PATH
export HEAPSCAPE_CACHE=off
cd "$(dirname "$sample")"

# A runtime that lies where the sample's own lay describes the dump itself: the machine says so, the documents do not.
as_without_runtime() {
    sed 's/ *$//; s/described by its libcoreclr\.so on this disk$/described by a file that comes with Heapscape/'
}

# Lines from a command on, up to the next command or the end of the indented lines, without the indent.
examples() {
    awk -v wanted="$2" '
        /^    \$ heapscape-cli / { shown = (++count == wanted) }
        !/^    / { shown = 0 }
        shown { print substr($0, 5) }' "$1"
}

ran=0 wrong=0
for document in "${documents[@]}"; do
    for ((number = 1; ; ++number)); do
        examples "$document" "$number" >"$work/example"
        [ -s "$work/example" ] || break
        command=$(sed -n '1s/^\$ //p' "$work/example")
        [[ $command == *" $(basename "$sample")"* ]] || continue
        sed 1d "$work/example" >"$work/shown"
        eval "$command" | as_without_runtime >"$work/said"
        diff -u --label "$(basename "$document"): $command" --label "what it says" "$work/shown" "$work/said" || wrong=1
        ran=$((ran + 1))
    done
done
[ "$ran" -gt 0 ] || { echo "There is no example." >&2; exit 1; }
exit "$wrong"

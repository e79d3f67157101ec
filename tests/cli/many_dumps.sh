#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs what resources/manual/many-dumps.md says, as it stands there, on a folder with two dumps and a file that is none.
# Usage: many_dumps.sh WAY PAGE HEAPSCAPE_CLI DUMP…    where WAY is xargs, parallel, bucket, kubernetes or duckdb
set -euo pipefail
way=$1 page=$(realpath "$2") cli=$(realpath "$3"); shift 3
mapfile -t dumps < <(realpath -- "$@")

fail() { printf '%s\n' "$*" >&2; exit 1; }
skip() { printf 'Skipped: %s\n' "$*"; exit 77; }
needs() { command -v "$1" >/dev/null || skip "there is no $1 here."; }

# block CHAPTER PATTERN: the first stretch of indented lines below a heading in which PATTERN stands, without the indent.
block() {
    awk -v chapter="## $1" -v pattern="$2" '
        /^## / { inside = ($0 == chapter) }
        inside && /^    / { text = text substr($0, 5) "\n"; if (index($0, pattern)) found = 1; next }
        !/^$/ || found { if (found) exit; text = "" }
        END { if (found) printf "%s", text; else exit 1 }' "$page" || fail "The page has no block with $2 in $1."
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir dumps bin
ln -s "$cli" bin/heapscape-cli
PATH=$work/bin:$PATH
for dump in "${dumps[@]}"; do ln "$dump" dumps/ 2>/dev/null || cp "$dump" dumps/; done
echo "This is no dump." >dumps/none.core
block "One line for each dump" one-dump >one-dump

# Each dump has an answer of one line, which is the verb's own document, and the file that is none has its error.
check_results() {
    local dump answer
    for dump in "${dumps[@]}"; do
        answer=results/$1$(basename "$dump").json
        [ "$(wc -l <"$answer")" = 1 ] || fail "$answer is not one line."
        cmp <(heapscape-cli types "$dump" --retained --top 50 --json | tr -d '\n') <(tr -d '\n' <"$answer") ||
            fail "$answer is not what heapscape-cli says."
    done
    [ "$(find results -name '*.json' | wc -l)" = ${#dumps[@]} ] || fail "There are more answers than dumps: $(ls results)"
    grep -q 'heapscape-cli: ' "results/$1none.core.error" || fail "Nothing says why none.core has no answer."
    [ "$(find results -name '*.error' -o -name '*.part' -o -name '*.line' | wc -l)" = 1 ] || fail "Something is left: $(ls results)"
}

run() { block "$1" "$2" >way; status=0; bash -e way || status=$?; }

case $way in
xargs)
    run "With xargs" "xargs -0"
    [ $status = 123 ] || fail "xargs ended with $status, not 123."
    check_results dumps_
    ;;
parallel)
    needs parallel
    run "With GNU parallel" "parallel --jobs"
    [ $status = 1 ] || fail "parallel ended with $status, not with the number of dumps that cannot be used."
    check_results dumps_
    [ "$(wc -l <jobs.tsv)" = $((${#dumps[@]} + 2)) ] || fail "The log has not a line for each dump."
    ;;
bucket)
    needs rclone
    block "From a bucket" "rclone copyto" >from-bucket
    export BUCKET=$work/dumps RCLONE_CONFIG=$work/rclone.conf
    : >rclone.conf
    run "From a bucket" "rclone lsf"
    [ $status = 123 ] || fail "xargs ended with $status, not 123."
    check_results ""
    ;;
kubernetes)
    block "On Kubernetes" "# nth-dump" >nth-dump
    block "On Kubernetes" "apiVersion" >many-dumps.yaml
    find dumps -type f | sort >dumps.txt
    mkdir results
    # The command of the Job, with the places of the pod being here.
    command=$(sed -n 's/^ *command: \[\(.*\)\]$/\1/p' many-dumps.yaml | tr -d '",')
    command=${command//\/work\//$work/}
    command=${command/\/results/results}
    failed=0
    for index in $(seq 0 "${#dumps[@]}"); do
        # shellcheck disable=SC2086  # words of the command
        JOB_COMPLETION_INDEX=$index $command || { [ $? = 1 ] || fail "Not ended with 1."; failed=$((failed + 1)); }
    done
    [ $failed = 1 ] || fail "$failed dumps could not be used, not 1."
    check_results dumps_
    # shellcheck disable=SC2086
    if JOB_COMPLETION_INDEX=99 $command 2>/dev/null; then fail "There is no line 100, and it did not fail."; fi
    ;;
duckdb)
    needs duckdb
    run "With xargs" "xargs -0"
    block "Into DuckDB" "SELECT" >query.sql
    answer=$(duckdb -csv -c "$(cat query.sql)")
    grep -q "^System.String,${#dumps[@]},[0-9]*,[0-9]*,results/dumps_.*json$" <<<"$answer" || fail "Not the table: $answer"
    [ "$(wc -l <<<"$answer")" = 11 ] || fail "Not ten types: $answer"
    ;;
*) fail "There is no way $way." ;;
esac

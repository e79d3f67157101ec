# SPDX-License-Identifier: MIT
# Sourced by the scripts beside it: builds a program, starts it, dumps it, ends it.

targets=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# build PROGRAM ARTIFACTS [OPTION…]: leaves ARTIFACTS/bin/PROGRAM/release/PROGRAM.dll
build() {
    dotnet build --nologo --verbosity quiet --configuration Release --artifacts-path "$2" "${@:3}" "$targets/$1" >"$2.log" 2>&1 || { cat "$2.log" >&2; return 1; }
}

# launch DOTNET VERSION PROGRAM.dll [NAME=VALUE…] [-- ARGUMENT…]: starts it on that runtime, waits for its "ready", sets
# $pid. The environment is part of every dump, hence an empty one. $under may hold a command that is to start it.
launch() {
    local dotnet=$1 version=$2 program=$3 variables=(); shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do variables+=("$1"); shift; done
    log=$(mktemp)
    env -i DOTNET_ROOT="$(dirname "$dotnet")" "${variables[@]}" ${under[@]+"${under[@]}"} \
        "$dotnet" exec --fx-version "$version" "$program" "${@:2}" >"$log" 2>&1 &
    pid=$!
    for _ in $(seq "${patience:-300}"); do
        grep -q '^ready' "$log" && return
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    echo "$program did not get ready on $version:" >&2
    cat "$log" >&2
    finish
    return 1
}

# take KIND CREATEDUMP OUT: KIND is withheap, full, normal, triage or gcore
take() {
    if [ "$1" = gcore ]; then
        gcore -o "$3" "$pid" >/dev/null 2>&1 && mv "$3.$pid" "$3"
    else
        "$2" "--$1" -f "$3" "$pid" >/dev/null
    fi
}

# smaps OUT: what the kernel says of the program's mappings, while it stands still
smaps() {
    kill -STOP "$pid"
    cat "/proc/$pid/smaps" >"$1"
    kill -CONT "$pid"
}

finish() {
    if [ -n "${pid:-}" ]; then
        kill -KILL "$pid" 2>/dev/null || true  # a blocked finalizer would make it outlive a polite request
        wait "$pid" 2>/dev/null || true
    fi
    rm -f "${log:-}"
    pid='' log=''
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asks a shell what it completes heapscape-cli's words to, with the script that the program writes for it.
# Usage: completion.sh bash|zsh|fish HEAPSCAPE_CLI    status 77 where the shell is not installed
set -euo pipefail
shell=$1 cli=$(realpath "$2")
command -v "$shell" >/dev/null || { echo "$shell is not installed."; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
cd "$work"
"$cli" completion "$shell" >script
mkdir files && cd files
mkdir folder
touch notes.txt shop.core.zst 'two words.core' graph.gcdump

# zsh completes in terminals alone. In this one what is about to be listed is written to a file.
cat >~/.zshrc <<'ZSHRC'
PROMPT= RPROMPT=
autoload -Uz compinit && compinit -u -D
source ~/script
compadd() {
    local -a hits
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -O hits "$@"
        print -rl -- $hits >>~/offers
    fi
    builtin compadd "$@"
}
print-done() { print DONE; }
zle -N print-done
bindkey '^I' complete-word '^X' print-done
print READY
ZSHRC
cat >~/ask.zsh <<'ASK'
zmodload zsh/zpty
: >>~/offers
until_says() { local line; while zpty -r shell line; do [[ $line != *$1* ]] || break; done; }
zpty shell ZDOTDIR=$HOME TERM=dumb zsh -i
until_says READY
zpty -n -w shell "$1"$'\t\x18'
until_says DONE
ASK

# What the shell offers for the last of the words, sorted, on one line.
offers() {
    case $shell in
        bash) bash -c '
            source ../script
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _heapscape_cli
            printf "%s\n" "${COMPREPLY[@]}"' bash "$@" ;;
        fish) fish --no-config -c 'source ../script; complete -C "$argv"' "$*" | cut -f 1 ;;
        zsh) zsh -f ~/ask.zsh "$*" >/dev/null; cat ~/offers; rm -f ~/offers ;;
    esac | sed 's#/$##' | sort -u | tr '\n' ' '
}

wrong=0
# expect WANTED WORD…: each of the words WANTED is offered, and nothing with a ! in front.
expect() {
    local wanted=$1 said word; shift
    said=" $(offers "$@")"
    for word in $wanted; do
        if [[ $word == !* && $said == *" ${word#!} "* ]] || [[ $word != !* && $said != *" $word "* ]]; then
            echo "$* completes to:$said, where $word was expected."
            wrong=1
        fi
    done
}

expect "info insights !types !man" heapscape-cli in
expect "--top --timings !--json" heapscape-cli types --t
expect "--rules --against !--clear" heapscape-cli layout --
expect "object type namespace" heapscape-cli dominators shop.core.zst --by ''
expect "gen0 gen2" heapscape-cli objects shop.core.zst --generation ''
expect "!notes.txt !folder" heapscape-cli types --top ''
expect "folder !notes.txt" heapscape-cli types --cache ''
expect "shop.core.zst" heapscape-cli info sh
expect "shop.core.zst" heapscape-cli compare graph.gcdump sh
expect "bash zsh fish" heapscape-cli completion ''
expect "retained" heapscape-cli help ret
if [ "$shell" = bash ]; then
    expect "shop.core.zst graph.gcdump folder !notes.txt" heapscape-cli info ''
    expect "object !none" heapscape-cli dominators --by = ob
    [ "$(bash -c 'source ../script; complete -p heapscape-cli')" = "complete -o default -o filenames -F _heapscape_cli heapscape-cli" ]
fi
exit "$wrong"

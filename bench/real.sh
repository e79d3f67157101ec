#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Real programs: makes their dumps in FOLDER where they are not there yet, and prints what each verb takes on them from the
# command to the answer, beside ClrMD's opening and walk for statistics in the same run, page cache warm.
# Usage: bench/real.sh FOLDER [RUNS]      needs the .NET 10 SDK, NuGet and a release build
#   HEAPSCAPE_BEFORE=PROGRAM: another heapscape-cli, measured in turn with this one.
set -euo pipefail
mkdir -p "${1:?usage: bench/real.sh FOLDER [RUNS]}/sources" "$1/home"
folder=$(realpath "$1") runs=${2:-7}
here=$(cd "$(dirname "$0")" && pwd)
cli=${HEAPSCAPE_CLI:-$here/../build/release/bin/heapscape-cli}
dotnet=$(readlink -f "$(command -v dotnet)")
root=$(dirname "$dotnet")
newest() { find "$root/$1" -mindepth 1 -maxdepth 1 -name '10.*' | sort -V | tail -1; }
sdk=$(newest sdk) runtime=$(newest shared/Microsoft.NETCore.App) reference=$(newest packs/Microsoft.NETCore.App.Ref)/ref/net10.0

# Nobody's environment goes into a dump.
clean=(env -i PATH=/usr/bin:/bin "HOME=$folder/home" "DOTNET_ROOT=$root" DOTNET_CLI_TELEMETRY_OPTOUT=1 LANG=C.UTF-8)

program() {
    dotnet build -v q --nologo -c Release --artifacts-path "$folder/programs" "$here/$1" >/dev/null
    echo "$folder/programs/bin/$(basename "$1")/release/$(basename "$1").dll"
}

# dumpWhenReady NAME PROCESS LOG: dumps the process once its log has a line "ready", and ends it.
dumpWhenReady() {
    for _ in $(seq 3000); do
        if grep -q '^ready' "$3"; then break; fi
        kill -0 "$2" || { cat "$3" >&2; return 1; }
        sleep 0.1
    done
    "$runtime/createdump" --withheap -f "$folder/$1.part" "$2" >/dev/null
    kill -9 "$2"
    wait "$2" 2>/dev/null || true
    mv "$folder/$1.part" "$folder/$1.core"
}

# make NAME COMMAND...
make() {
    if [ -e "$folder/$1.core" ]; then return; fi
    echo "making $1.core" >&2
    "${clean[@]}" "${@:2}" >"$folder/$1.log" 2>&1 &
    dumpWhenReady "$1" $! "$folder/$1.log"
}

# The compiler server says nothing by itself: it is ready when it has compiled a few programs.
makeCompilerServer() {
    if [ -e "$folder/compiler-server.core" ]; then return; fi
    local pipe=heapscape-$$ references=() assembly i j server
    for assembly in "$reference"/*.dll; do references+=("-r:$assembly"); done
    echo "making compiler-server.core" >&2
    "${clean[@]}" "$dotnet" "$sdk/Roslyn/bincore/VBCSCompiler.dll" "-pipename:$pipe" >"$folder/compiler-server.log" 2>&1 &
    server=$!
    for i in $(seq 8); do
        { echo "using System.Linq; namespace Shop$i;"
          for j in $(seq 60); do
              echo "public record Part$j(int Id, string Name, decimal Price) { public static System.Collections.Generic.List<Part$j> Of(int count) =>"
              echo "    Enumerable.Range(0, count).Select(n => new Part$j(n, \$\"part {n}\", n * 1.5m)).Where(p => p.Price > 3).OrderBy(p => p.Name).ToList(); }"
          done; } >"$folder/sources/Shop$i.cs"
        "${clean[@]}" "$dotnet" "$sdk/Roslyn/bincore/csc.dll" "-shared:$pipe" -nologo -noconfig -nostdlib+ -target:library "${references[@]}" \
            "-out:$folder/sources/Shop$i.dll" "$folder/sources/Shop$i.cs"
    done
    echo ready >>"$folder/compiler-server.log"
    dumpWhenReady compiler-server $server "$folder/compiler-server.log"
}

cat >"$folder/sources/shop.fsx" <<'EOF'
type Line = { Sku: string; Count: int }
type Order = Open of Line list | Paid of Line list * decimal
let orders = [ for i in 1 .. 2000 -> if i % 3 = 0 then Open [ { Sku = $"sku {i}"; Count = i } ] else Paid([ { Sku = "none"; Count = 0 } ], decimal i) ]
let byKind = orders |> List.groupBy (function Open _ -> "open" | Paid _ -> "paid") |> Map.ofList
printfn "%d kinds" byKind.Count
printfn "ready"
System.Threading.Thread.Sleep System.Threading.Timeout.Infinite
EOF

makeCompilerServer
make fsi "$dotnet" "$sdk/FSharp/fsi.dll" --exec "$folder/sources/shop.fsx"
for name in Web Emitted Ef Garnet; do
    [ -e "$folder/${name,,}.core" ] || make "${name,,}" "$dotnet" "$(program "real/$name")"
done

python3 "$here/real.py" "$folder" "$runs" "$cli" "${HEAPSCAPE_BEFORE:-}" "$dotnet" "$(program peers/ClrMdBench)" "$runtime"

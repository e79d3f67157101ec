// SPDX-License-Identifier: MIT
/// Things of F# and how they read, by their own account.
module Museum.Functional.Hall

open System.Globalization

let private real (number: float) = number.ToString CultureInfo.InvariantCulture
let private quoted (text: string) = "\"" + text + "\""

let private tellShape shape =
  match shape with
  | Circle radius -> "Circle(" + real radius + ")"
  | Rectangle(width, height) -> "Rectangle(" + string width + ", " + string height + ")"
  | Point -> "Point"

let rec private tellToken token =
  match token with
  | Word text -> "Word(" + quoted text + ")"
  | Number number -> "Number(" + string number + ")"
  | Pair(first, second) -> "Pair(" + tellToken first + ", " + tellToken second + ")"
  | Flag(isUp, sign) -> "Flag(" + (if isUp then "true" else "false") + ", '" + string sign + "')"
  | End -> "End"
  | Blank -> "Blank"

let private tellColour colour =
  match colour with
  | Red -> "Red"
  | Green -> "Green"
  | Blue -> "Blue"

let private tellLength length =
  match length with
  | Metres metres -> "Metres(" + real metres + ")"
  | Feet feet -> "Feet(" + string feet + ")"
  | Unknown -> "Unknown"

let rec private tellPerson person =
  let boss =
    match person.Boss with
    | Some boss -> "Some(" + tellPerson boss + ")"
    | None -> "None"

  "{ Name = " + quoted person.Name + ", Age = " + string person.Age + ", Home = " + tellShape person.Home + ", Boss = " + boss + " }"

let private ada = { Name = "Ada"; Age = 36; Home = Circle 1.5; Boss = None }

/// Path, thing, and how it reads.
let texts () : struct (string * obj * string) list =
  let tell path told thing = struct ("Museum.Functional." + path, box thing, told thing)
  let result told failed outcome =
    match outcome with
    | Ok value -> "Ok(" + told value + ")"
    | Error value -> "Error(" + failed value + ")"

  [ tell "circle" tellShape (Circle 2.25)
    tell "rectangle" tellShape (Rectangle(3, 4))
    tell "point" tellShape Point
    tell "word" tellToken (Word "w")
    tell "number" tellToken (Number 1234567890123L)
    tell "pair" tellToken (Pair(Word "left", Number 7L))
    tell "flag" tellToken (Flag(true, 'x'))
    tell "end" tellToken End
    tell "blank" tellToken Blank
    tell "green" tellColour Green
    tell "title" (fun (Title text) -> "Title(" + quoted text + ")") (Title "Notes")
    tell "metres" tellLength (Metres 2.5)
    tell "feet" tellLength (Feet 6)
    tell "unknown" tellLength Unknown
    tell "person" tellPerson ada
    tell "clerk" tellPerson { ada with Name = "Bob"; Age = 20; Home = Rectangle(1, 2); Boss = Some ada }
    tell "size" (fun size -> "{ Width = " + string size.Width + ", Height = " + string size.Height + " }") { Width = 8; Height = 9 }
    tell "some" (fun _ -> "Some(5)") (Some 5)
    tell "someText" (fun _ -> "Some(\"five\")") (Some "five")
    tell "valueSome" (fun _ -> "ValueSome(6)") (ValueSome 6)
    tell "valueNone" (fun _ -> "ValueNone") (ValueNone: int voption)
    tell "ok" (result string quoted) (Ok 1: Result<int, string>)
    tell "error" (result string quoted) (Error "bad": Result<int, string>)
    tell "choice" (fun _ -> "Choice2Of3(\"two\")") (Choice2Of3 "two": Choice<int, string, bool>) ]

type Item = { Key: string; Value: string }

let private told (value: obj) =
  match value with
  | :? string as text -> quoted text
  | other -> string other

/// Path, collection, its kind, and how its items read, in order; without keys where it has none.
let collections () : struct (string * obj * string * Item[]) list =
  let keyed path (map: Map<'k, 'v>) =
    struct ("Museum.Functional." + path, box map, "FSharpMap", [| for pair in map -> { Key = told pair.Key; Value = told pair.Value } |])

  let plain path kind (items: seq<'t>) =
    struct ("Museum.Functional." + path, box items, kind, [| for item in items -> { Key = null; Value = told item } |])

  [ plain "list" "FSharpList" [ 1; 2; 3 ]
    plain "listOfTexts" "FSharpList" [ for n in 1..3 -> "text " + string n ]
    plain "listEmpty" "FSharpList" ([]: int list)
    plain "listLong" "FSharpList" [ 1..1000 ]
    keyed "map" (Map [ "pear", 3; "apple", 1; "fig", 2 ])
    keyed "mapOfTexts" (Map [ for n in 1..5 -> "key " + string n, "value " + string n ])
    keyed "mapOfOne" (Map [ 7, "seven" ])
    keyed "mapEmpty" (Map.empty: Map<int, string>)
    keyed "mapLarge" (Map [ for n in 1..300 -> n * 37 % 301, int64 n ])
    plain "set" "FSharpSet" (Set [ 3; 1; 2 ])
    plain "setOfOne" "FSharpSet" (Set [ "one" ])
    plain "setEmpty" "FSharpSet" (Set.empty: Set<int>)
    plain "setLarge" "FSharpSet" (Set [ for n in 1..300 -> n * 37 % 301 ]) ]

/// A record that leads back to itself.
let ring () : obj =
  let first = { Label = "first"; Next = None }
  let second = { Label = "second"; Next = Some first }
  first.Next <- Some second
  box first

/// An exception that F# declares.
let refusal () : exn = Refused("too late", 5)

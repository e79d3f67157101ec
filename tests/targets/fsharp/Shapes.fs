// SPDX-License-Identifier: MIT
namespace Museum.Functional

/// A union of which each case is a class of its own.
type Shape =
  | Circle of radius: float
  | Rectangle of width: int * height: int
  | Point

/// A union with so many cases that its objects carry a number.
type Token =
  | Word of string
  | Number of int64
  | Pair of Token * Token
  | Flag of bool * char
  | End
  | Blank

/// A union without fields: one class, and a number.
type Colour =
  | Red
  | Green
  | Blue

/// A union of one case.
type Title = Title of string

[<Struct>]
type Length =
  | Metres of metres: float
  | Feet of feet: int
  | Unknown

type Person = { Name: string; Age: int; Home: Shape; Boss: Person option }

[<Struct>]
type Size = { Width: int; Height: int }

type Ring = { Label: string; mutable Next: Ring option }

exception Refused of reason: string * code: int

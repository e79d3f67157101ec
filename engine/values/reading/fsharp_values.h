// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "values/instance.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// A record or a case of a union with its fields.
struct FSharpParts {
  struct Part {
    std::string name;  // as F# has it: "Age", "radius", "Item1"
    FieldPlace place;
  };

  bool isUnion = false;
  std::string caseName;  // of a union
  std::vector<Part> parts;
};
/// Whether an instance is a record or a union of F#, which its type alone tells; no collection of F# is one.
bool isFSharpValue(const Instance& instance);
/// The F# value of an instance; nothing for all other types.
std::optional<FSharpParts> fsharpPartsOf(const Instance& instance);

/// The F# value in one line: "{ Name = \"Ada\", Age = 36 }", "Circle(1.5)", "Point". `references`: that were followed
/// to this instance. `shown`: bytes of the text that count, see ValueExtent.
std::optional<Value> readFSharpValue(const ValueReader& reader, const Instance& instance, std::size_t references,
                                     std::size_t shown = SIZE_MAX);

}  // namespace heapscape::engine

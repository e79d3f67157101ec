// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// What F# declares a type as, from the attribute that its compiler leaves (CompilationMapping, prim-types.fs).
struct FSharpType {
  struct Case {
    std::string name;
    std::vector<std::string> fields;  // as they are named in the class or structure that holds them, in order
  };

  bool isUnion = false;
  std::vector<Case> cases;          // of a union, by tag
  std::vector<std::string> fields;  // of a record, in order
  std::string definition;           // "Museum.Shape"; "…+Circle" is the class of a case

  /// Null if there is no case of that tag.
  const Case* caseOf(std::int32_t tag) const;
  const Case* caseNamed(std::string_view name) const;
};

/// Nothing if the type is no record or union of F#. `type`: for an object of a union this may be the class of its case;
/// ask for its parent then.
std::optional<FSharpType> readFSharpType(const RuntimeReaders& readers, const MethodTable& type);

}  // namespace heapscape::engine

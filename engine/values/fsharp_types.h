// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/concurrent_unordered_map.h>

#include <memory>
#include <string>
#include <vector>

#include "base/spread_address.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

class TypeShapes;
struct FieldShape;
struct TypeShape;

/// A case of a union, or all that a record has.
struct FSharpCase {
  struct Part {
    std::string name;         // as F# has it: "Age", "radius", "Item1"
    const FieldShape* field;  // from where the instance's fields begin
  };

  std::string name;  // of a case
  std::vector<Part> parts;
  bool isWhole = true;  // false: the type lacks a field that is declared
};

/// A record or union of F#, as the type of an instance tells it, from the attribute that its compiler leaves
/// (CompilationMapping, prim-types.fs).
struct FSharpDeclaration {
  bool isUnion = false;
  std::vector<FSharpCase> cases;         // of a union by tag; of a record one
  const FieldShape* tag = nullptr;       // an int that numbers the case; null where there is none
  const FSharpCase* onlyCase = nullptr;  // that an instance without a tag can be of; null if none is certain
};

/// Which types are records and unions of F#, read from metadata once for each. Safe from any thread.
class FSharpTypes {
 public:
  FSharpTypes();
  ~FSharpTypes();

  /// Null if it is neither. The pointer lives as long as this object.
  const FSharpDeclaration* find(const RuntimeReaders& readers, const TypeShapes& shapes, const TypeShape& shape);

 private:
  class Definitions;

  std::unique_ptr<const FSharpDeclaration> read(const RuntimeReaders& readers, const TypeShapes& shapes,
                                                const TypeShape& shape);

  std::unique_ptr<Definitions> m_definitions;
  tbb::concurrent_unordered_map<Address, std::unique_ptr<const FSharpDeclaration>, SpreadAddress>
      m_types;  // null: neither
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "values/fsharp_type.h"

namespace heapscape::engine {

class TypeShapes;
struct TypeShape;

/// A record or union of F#, as the type of an instance tells it.
struct FSharpDeclaration {
  FSharpType type;
  const FSharpType::Case* onlyCase = nullptr;  // that an instance without a tag can be of; null if none is certain
};

/// Which types are records and unions of F#, read from metadata once for each. Safe from any thread.
class FSharpTypes {
 public:
  /// Null if it is neither. The pointer lives as long as this object.
  const FSharpDeclaration* find(const RuntimeReaders& readers, const TypeShapes& shapes, const TypeShape& shape);

 private:
  std::mutex m_mutex;
  std::unordered_map<Address, std::unique_ptr<const FSharpDeclaration>> m_types;  // null for what is neither
};

}  // namespace heapscape::engine

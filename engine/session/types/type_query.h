// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/objects/scope_walk.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Counts of each type in a part of the heap; walks it again where the whole heap's counts do not answer it, and then
/// counts the garbage in it as well, if it is known.
Outcome<TypeCounts> countTypes(const Snapshot& snapshot, const HeapScope& scope, std::stop_token stop);

/// What of a type's objects in these counts no root leads to; nothing while that is not known, and for free objects.
std::optional<std::uint64_t> garbageBytesOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type);
std::optional<std::uint64_t> garbageCountOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type);

enum class TypeColumn : std::uint8_t {
  Name,
  Count,
  Bytes,
  AverageBytes,
  PaddingBytes,
  RetainedBytes,
  GarbageBytes,
  Assembly
};

struct TypeQuery {
  std::string text;  // part of the name, case ignored; or a regular expression
  bool isRegularExpression = false;
  std::string nameSpace;  // only types in it or below; empty for all
  bool includeFree = true;
  TypeColumn sortBy = TypeColumn::Bytes;
  bool descending = true;

  bool operator==(const TypeQuery&) const = default;
};

struct TypeSelection {
  std::vector<TypeId> types;  // with at least one object in the counts, in display order
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t paddingBytes = 0;
};

/// Filters and sorts. Fails with BadQuery (a sentence about the regular expression).
Outcome<TypeSelection> selectTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                   std::stop_token stop);

/// Padding of one type's instances in these counts, in bytes; 0 before the Layouts stage.
std::uint64_t paddingBytesOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type);

/// A namespace, or a type in one; nodes are in pre-order, a node's children follow it.
struct NamespaceNode {
  std::string name;           // last part of the namespace, or the type's name without it
  std::string fullName;       // "System.Collections.Generic", or the type's full name
  std::uint32_t parent = 0;   // index; the root is its own parent
  TypeId type;                // none for a namespace
  std::uint64_t objects = 0;  // with all below
  std::uint64_t bytes = 0;
  std::uint64_t paddingBytes = 0;
  std::optional<std::uint64_t> garbageBytes = {};  // nothing while it is not known
  std::vector<std::uint32_t> children;             // indices, in the order asked for
};

/// The selection grouped by namespace; node 0 is the whole. Namespaces retain nothing of their own: they are sorted by
/// size among themselves.
std::vector<NamespaceNode> groupByNamespace(const Snapshot& snapshot, const TypeCounts& counts,
                                            const TypeSelection& selection, TypeColumn sortBy = TypeColumn::Bytes,
                                            bool descending = true);

/// The namespace of a full type name, generic arguments and nested types left aside; empty for none.
std::string_view namespaceOf(std::string_view typeName);

}  // namespace heapscape::engine

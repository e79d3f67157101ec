// SPDX-License-Identifier: MIT
#pragma once

#include "query/completion.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Names of types, assemblies and fields of a dump, for fields called type, heldBy, owner, name, assembly and
/// namespace of any schema.
class SnapshotCompletion : public CompletionSource {
 public:
  /// The schema outlives this.
  SnapshotCompletion(const Snapshot& snapshot, const QuerySchema& schema) : m_snapshot(snapshot), m_schema(schema) {}

  std::vector<std::string> valuesOf(std::uint32_t field, std::string_view part, std::size_t limit) const override;
  std::vector<Completion> membersOf(std::string_view typeText, std::string_view path) const override;

 private:
  /// By their bytes, the most first.
  std::vector<std::uint32_t> typesByBytes() const;

  const Snapshot m_snapshot;
  const QuerySchema& m_schema;
};

}  // namespace heapscape::engine

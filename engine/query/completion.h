// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/schema.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

enum class CompletionKind : std::uint8_t { Field, Operator, Value, Keyword };

/// Something that may stand at a place of a query.
struct Completion {
  std::string text;  // as it is to be written
  CompletionKind kind = CompletionKind::Field;
  std::string help = {};
  bool operator==(const Completion&) const = default;
};

struct Completions {
  std::size_t from = 0, to = 0;  // bytes of the text that each of them stands for
  std::vector<Completion> items;
};

/// A source of values that no schema knows.
class CompletionSource {
 public:
  virtual ~CompletionSource() = default;
  /// Values of a field of kind Text, those first that are likely to be meant; each holds `part`.
  virtual std::vector<std::string> valuesOf(std::uint32_t field, std::string_view part, std::size_t limit) const = 0;
  /// Names that may stand behind `path` (empty, or ending with a dot) in field("…") of a type with this in its name;
  /// without any, of the types that take up the most.
  virtual std::vector<Completion> membersOf(std::string_view typeText, std::string_view path) const = 0;
};

inline constexpr std::size_t kMostCompletions = 100;

/// The words that may be written at the cursor (in bytes). `source` may be null.
Completions completeQuery(std::string_view text, std::size_t cursor, const QuerySchema& schema,
                          const CompletionSource* source);

/// Text as a query writes it, with quotation marks.
std::string quotedForQuery(std::string_view text);

/// Names of types, assemblies and fields of a dump, for fields called type, heldBy, owner, name, assembly and
/// namespace of any schema.
class SnapshotCompletion : public CompletionSource {
 public:
  /// The schema outlives this.
  SnapshotCompletion(const Snapshot& snapshot, const QuerySchema& schema) : m_snapshot(snapshot), m_schema(schema) {}

  std::vector<std::string> valuesOf(std::uint32_t field, std::string_view part, std::size_t limit) const override;
  std::vector<Completion> membersOf(std::string_view typeText, std::string_view path) const override;

 private:
  /// Those with the most bytes first.
  std::vector<std::uint32_t> typesByBytes() const;

  const Snapshot m_snapshot;
  const QuerySchema& m_schema;
};

}  // namespace heapscape::engine

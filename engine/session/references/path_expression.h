// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "session/references/edge_names.h"
#include "session/references/path_edges.h"
#include "session/roots/roots_query.h"
#include "values/reading/collection_reader.h"
#include "values/written_fields.h"

namespace heapscape::engine {

/// A text, and the same without what strings of the program hold.
struct PathText {
  std::string text;
  std::string redacted;

  void add(std::string_view both) {
    text += both;
    redacted += both;
  }
};

/// Writes what an expression begins with: "Zoo.P.orders", "(strong handle 0x7f…)", "(thread 5 \"worker\" stack)".
/// Redaction leaves out the names of threads.
PathText rootExpression(const RootRow& root);

/// "[42]", "[\"key\"]", "[Wing.South]", ".ElementAt(3)": the item of a collection as C# gets at it.
PathText itemExpression(const FoundItem& item);

/// Writes paths as C# expressions. Items of collections are told by key or position rather than by where they are kept;
/// a long run of one field is ".Next…×999,998", and of very many steps the middle is left out. For one question: looks
/// at so many items of collections in all.
class PathExpressions {
 public:
  explicit PathExpressions(EdgeNames& names) : m_names(names) {}

  /// Writes what follows the expression of a path's first object: ".Lines[3].Sku".
  PathText write(std::span<const EdgeRun> runs);

 private:
  void writeRun(const EdgeRun& run, bool isLast, PathText& to);
  std::size_t writeItem(std::span<const EdgeRun> runs, PathText& to);
  void writeFound(const FoundItem& item, PathText& to) const;
  FieldRole roleOf(const EdgeRun& run);

  EdgeNames& m_names;
  std::uint64_t m_looks = 100'000;  // at items, to find their position
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "output/json_writer.h"
#include "session/dominators/dominator_outline.h"

namespace heapscape::engine {

/// Writes the member `dominators`, nodes nested in nodes. Redaction leaves out the names that programs give threads.
class DominatorJsonWriter {
 public:
  DominatorJsonWriter(JsonWriter& json, const Snapshot& snapshot, bool isRedacted);

  /// Each node before its children.
  void write(const DominatorOutlineRow& row);
  /// Behind the last row.
  void finish();

 private:
  void closeDownTo(std::size_t depth);

  JsonWriter& m_json;
  const Snapshot& m_snapshot;
  bool m_isRedacted;
  std::size_t m_open = 0;  // nodes that are not closed yet
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/text.h"
#include "session/dominators/dominators_query.h"

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

/// Names a node: without the name that the program gave a thread if it is redacted.
std::string dominatorName(const DominatorNode& node, bool isRedacted);

/// The tree for people: a line for each node, names set in by their depth.
class DominatorTextWriter {
 public:
  DominatorTextWriter(Output& output, bool isRedacted);

  /// Each node before its children.
  void write(const DominatorOutlineRow& row);
  /// Writes the whole; behind the last row.
  void finish();

 private:
  struct Hidden {
    std::uint32_t depth;
    std::uint64_t nodes;
    std::uint64_t bytes;
  };
  /// Tells of the siblings that are not shown, below the last one that is.
  void closeDownTo(std::uint32_t depth);
  void addRow(std::uint64_t retained, const std::string& objects, const std::string& size, std::uint32_t depth,
              const std::string& name);

  Output& m_output;
  bool m_isRedacted;
  TextTable m_table;
  std::uint64_t m_wholeBytes = 0;
  std::vector<Hidden> m_hidden;  // of the nodes on the way
};

}  // namespace heapscape::engine

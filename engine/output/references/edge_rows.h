// SPDX-License-Identifier: MIT
#pragma once

#include "graph/edge.h"
#include "output/row_writer.h"

namespace heapscape::engine {

/// Writes millions of edges.
class EdgeRowWriter : public RowWriter {
 public:
  using RowWriter::RowWriter;

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const Edge& edge);
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include "output/row_writer.h"
#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// Writes millions of objects with their immediate dominators.
class DominatedRowWriter : public RowWriter {
 public:
  using RowWriter::RowWriter;

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const DominatedObject& row);
};

}  // namespace heapscape::engine

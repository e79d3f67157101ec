// SPDX-License-Identifier: MIT
#pragma once

#include "graph/edge.h"
#include "output/output.h"

namespace heapscape::engine {

/// Writes millions of edges.
class EdgeRowWriter {
 public:
  enum class Form { Text, Tsv, Json };

  /// Json: rows are elements of an array that the caller has begun.
  EdgeRowWriter(Output& output, Form form) : m_output(output), m_form(form) {}

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const Edge& edge);
  /// Behind the last row.
  void finish();

 private:
  Output& m_output;
  Form m_form;
  bool m_isFirst = true;
};

}  // namespace heapscape::engine

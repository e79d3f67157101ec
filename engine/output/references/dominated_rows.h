// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// Writes millions of objects with their immediate dominators.
class DominatedRowWriter {
 public:
  enum class Form { Text, Tsv, Json };

  /// Json: rows are elements of an array that the caller has begun.
  DominatedRowWriter(Output& output, Form form) : m_output(output), m_form(form) {}

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const DominatedObject& row);
  /// Behind the last row.
  void finish();

 private:
  Output& m_output;
  Form m_form;
  bool m_isFirst = true;
};

}  // namespace heapscape::engine

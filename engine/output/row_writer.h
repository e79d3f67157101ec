// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"

namespace heapscape::engine {

/// What those have in common who write millions of rows without making a table of them.
class RowWriter {
 public:
  enum class Form { Text, Tsv, Json };

  /// Json: rows are elements of an array that the caller has begun.
  RowWriter(Output& output, Form form) : m_output(output), m_form(form) {}

  /// Behind the last row.
  void finish() {
    if (m_form == Form::Json && !m_isFirst) m_output.write('\n');
  }

 protected:
  Output& output() { return m_output; }
  Form form() const { return m_form; }
  /// In front of each row: what separates elements of the array.
  void separate() {
    if (m_form == Form::Json && !m_isFirst) m_output.write(',');
    m_isFirst = false;
  }

 private:
  Output& m_output;
  Form m_form;
  bool m_isFirst = true;
};

}  // namespace heapscape::engine

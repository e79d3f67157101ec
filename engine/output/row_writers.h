// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "graph/edge.h"
#include "output/output.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {

/// Base of writers of millions of rows without making a table of them.
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

/// Writes millions of object rows; what a type adds to its rows is made once.
class ObjectRowWriter : public RowWriter {
 public:
  /// Json: rows are elements of an array that the caller has begun.
  ObjectRowWriter(Output& output, Form form, const Snapshot& snapshot);

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const ObjectRow& row);

 private:
  static char* writeTsv(char* to, const ObjectRow& row);
  static char* writeText(char* to, const ObjectRow& row);
  static char* writeJson(char* to, const ObjectRow& row);
  const std::string& typeText(TypeId type);

  const Snapshot m_snapshot;
  std::vector<std::string> m_typeTexts;  // by TypeId, empty until the first row of the type
};

/// Writes millions of objects with their immediate dominators.
class DominatedRowWriter : public RowWriter {
 public:
  using RowWriter::RowWriter;

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const DominatedObject& row);
};

/// Writes millions of edges.
class EdgeRowWriter : public RowWriter {
 public:
  using RowWriter::RowWriter;

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const Edge& edge);
};

}  // namespace heapscape::engine

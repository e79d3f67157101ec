// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {

/// Writes millions of object rows; what a type adds to its rows is made once.
class ObjectRowWriter {
 public:
  enum class Form { Text, Tsv, Json };

  /// Json: rows are elements of an array that the caller has begun.
  ObjectRowWriter(Output& output, Form form, const Snapshot& snapshot);

  /// The line of titles; nothing in JSON.
  void writeHeader();
  void write(const ObjectRow& row);
  /// Behind the last row.
  void finish();

 private:
  char* writeTsv(char* to, const ObjectRow& row) const;
  char* writeText(char* to, const ObjectRow& row) const;
  char* writeJson(char* to, const ObjectRow& row) const;
  const std::string& typeText(TypeId type);

  Output& m_output;
  Form m_form;
  const Snapshot m_snapshot;
  std::vector<std::string> m_typeTexts;  // by TypeId, empty until the first row of the type
  bool m_isFirst = true;
};

}  // namespace heapscape::engine

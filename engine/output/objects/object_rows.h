// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/row_writer.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine

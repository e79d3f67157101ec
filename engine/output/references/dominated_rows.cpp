// SPDX-License-Identifier: MIT
#include "output/references/dominated_rows.h"

#include <fmt/format.h>

#include <string_view>

namespace heapscape::engine {

void DominatedRowWriter::writeHeader() {
  if (m_form == Form::Tsv) m_output.write("object\tdominator\tretainedBytes\tretainedCount\n");
  if (m_form == Form::Text)
    m_output.write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", "Object", "Dominator", "Retained", "Objects"));
}

void DominatedRowWriter::write(const DominatedObject& row) {
  struct Frame {
    std::string_view begin, afterObject, afterDominator, afterBytes, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kElement{"\n{\"object\":\"", "\",\"dominator\":\"",
                                  "\",\"retainedBytes\":", ",\"retainedCount\":", "}"};
  if (m_form == Form::Text) {
    m_output.write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", toString(row.object),
                               row.dominator ? toString(row.dominator) : "", row.retainedBytes, row.retainedCount));
    return;
  }
  const Frame& frame = m_form == Form::Json ? kElement : kTabs;
  if (m_form == Form::Json && !m_isFirst) m_output.write(',');
  m_isFirst = false;
  m_output.write(frame.begin);
  m_output.writeAddress(row.object);
  m_output.write(frame.afterObject);
  m_output.writeAddress(row.dominator);
  m_output.write(frame.afterDominator);
  m_output.writeNumber(row.retainedBytes);
  m_output.write(frame.afterBytes);
  m_output.writeNumber(row.retainedCount);
  m_output.write(frame.end);
}

void DominatedRowWriter::finish() {
  if (m_form == Form::Json && !m_isFirst) m_output.write('\n');
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "output/references/edge_rows.h"

#include <string_view>

namespace heapscape::engine {

void EdgeRowWriter::writeHeader() {
  if (m_form == Form::Tsv) m_output.write("from\tto\tkind\toffset\n");
  if (m_form == Form::Text) m_output.write("From            To              Kind       Offset\n");
}

void EdgeRowWriter::write(const Edge& edge) {
  struct Frame {
    std::string_view begin, afterFrom, afterTo, afterKind, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kColumns{"", "  ", "  ", "  ", "\n"};
  static constexpr Frame kObject{"\n{\"from\":\"", "\",\"to\":\"", "\",\"kind\":\"", "\",\"offset\":", "}"};
  const Frame& frame = m_form == Form::Json ? kObject : m_form == Form::Tsv ? kTabs : kColumns;
  constexpr std::size_t kKindWidth = 9;

  if (m_form == Form::Json && !m_isFirst) m_output.write(',');
  m_isFirst = false;
  m_output.write(frame.begin);
  m_output.writeAddress(edge.from);
  m_output.write(frame.afterFrom);
  m_output.writeAddress(edge.to);
  m_output.write(frame.afterTo);
  const std::string_view kind = toString(edge.kind);
  m_output.write(kind);
  if (m_form == Form::Text) {
    for (std::size_t i = kind.size(); i < kKindWidth; ++i) m_output.write(' ');
  }
  m_output.write(frame.afterKind);
  m_output.writeNumber(edge.offset);
  m_output.write(frame.end);
}

void EdgeRowWriter::finish() {
  if (m_form == Form::Json && !m_isFirst) m_output.write('\n');
}

}  // namespace heapscape::engine

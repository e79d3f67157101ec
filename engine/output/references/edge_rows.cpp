// SPDX-License-Identifier: MIT
#include "output/references/edge_rows.h"

#include <string_view>

namespace heapscape::engine {

void EdgeRowWriter::writeHeader() {
  if (form() == Form::Tsv) output().write("from\tto\tkind\toffset\n");
  if (form() == Form::Text) output().write("From            To              Kind       Offset\n");
}

void EdgeRowWriter::write(const Edge& edge) {
  struct Frame {
    std::string_view begin, afterFrom, afterTo, afterKind, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kColumns{"", "  ", "  ", "  ", "\n"};
  static constexpr Frame kObject{"\n{\"from\":\"", "\",\"to\":\"", "\",\"kind\":\"", "\",\"offset\":", "}"};
  const Frame& frame = form() == Form::Json ? kObject : form() == Form::Tsv ? kTabs : kColumns;
  constexpr std::size_t kKindWidth = 9;

  separate();
  output().write(frame.begin);
  output().writeAddress(edge.from);
  output().write(frame.afterFrom);
  output().writeAddress(edge.to);
  output().write(frame.afterTo);
  const std::string_view kind = toString(edge.kind);
  output().write(kind);
  if (form() == Form::Text) {
    for (std::size_t i = kind.size(); i < kKindWidth; ++i) output().write(' ');
  }
  output().write(frame.afterKind);
  output().writeNumber(edge.offset);
  output().write(frame.end);
}

}  // namespace heapscape::engine

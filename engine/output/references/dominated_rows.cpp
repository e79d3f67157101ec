// SPDX-License-Identifier: MIT
#include "output/references/dominated_rows.h"

#include <fmt/format.h>

#include <string_view>

namespace heapscape::engine {

void DominatedRowWriter::writeHeader() {
  if (form() == Form::Tsv) output().write("object\tdominator\tretainedBytes\tretainedCount\n");
  if (form() == Form::Text)
    output().write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", "Object", "Dominator", "Retained", "Objects"));
}

void DominatedRowWriter::write(const DominatedObject& row) {
  struct Frame {
    std::string_view begin, afterObject, afterDominator, afterBytes, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kElement{"\n{\"object\":\"", "\",\"dominator\":\"",
                                  "\",\"retainedBytes\":", ",\"retainedCount\":", "}"};
  if (form() == Form::Text) {
    output().write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", toString(row.object),
                               row.dominator ? toString(row.dominator) : "", row.retainedBytes, row.retainedCount));
    return;
  }
  const Frame& frame = form() == Form::Json ? kElement : kTabs;
  separate();
  output().write(frame.begin);
  output().writeAddress(row.object);
  output().write(frame.afterObject);
  output().writeAddress(row.dominator);
  output().write(frame.afterDominator);
  output().writeNumber(row.retainedBytes);
  output().write(frame.afterBytes);
  output().writeNumber(row.retainedCount);
  output().write(frame.end);
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "output/tsv_line.h"

#include "output/text.h"

namespace heapscape::engine {

void writeTsvLine(Output& output, const std::vector<std::string>& cells) {
  bool isFirst = true;
  for (const std::string& cell : cells) {
    if (!isFirst) output.write('\t');
    output.write(printable(cell));
    isFirst = false;
  }
  output.write('\n');
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "output/layouts/object_bytes_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "output/text_table.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kBytesOnLine = 16;

}  // namespace

void writeObjectBytesText(Output& output, const ObjectBytes& bytes) {
  using Align = TextTable::Align;
  output.write("\nBytes\n");
  TextTable table({{"Offset", Align::Right}, {"Bytes"}, {"Owner"}, {"Name"}, {"Type"}});
  std::size_t at = 0;
  for (const ByteRun& run : bytes.runs) {
    for (std::size_t done = 0; done < run.sizeBytes; done += kBytesOnLine) {
      const std::size_t count = std::min<std::size_t>(kBytesOnLine, run.sizeBytes - done);
      const auto line = std::span(bytes.bytes).subspan(at + done, count);
      const std::string hex =
          run.owner == ByteOwner::Missing ? "(not in the dump)" : fmt::format("{:02x}", fmt::join(line, " "));
      const bool isFirst = done == 0;
      table.addRow({fmt::to_string(run.offset + static_cast<std::int64_t>(done)), hex,
                    isFirst ? toString(run.owner) : "", isFirst ? run.name : "", isFirst ? run.typeName : ""});
    }
    at += run.sizeBytes;
  }
  table.write(output);
  const std::uint64_t left = bytes.totalBytes - bytes.skipped - bytes.bytes.size();
  if (left) output.write(fmt::format("{} more bytes\n", left));
}

}  // namespace heapscape::engine

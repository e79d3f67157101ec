// SPDX-License-Identifier: MIT
#include "insight/collections/array_types.h"

namespace heapscape::engine {

std::vector<std::uint8_t> arrayTypes(const InsightInput& input) {
  std::vector<std::uint8_t> isArray(input.contents.types->size());
  for (std::uint32_t i = 0; i < isArray.size(); ++i) {
    const TypeRow& row = input.row({i});
    if (row.isFree || !row.componentSize) continue;
    const auto type = input.contents.readers->methodTables.read(row.methodTable);
    isArray[i] = type && type->isArray;
  }
  return isArray;
}

std::string elementTypeName(const std::string& arrayType) {
  const std::size_t bracket = arrayType.rfind('[');
  return bracket == std::string::npos ? arrayType : arrayType.substr(0, bracket);
}

}  // namespace heapscape::engine

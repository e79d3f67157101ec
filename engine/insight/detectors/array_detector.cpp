// SPDX-License-Identifier: MIT
#include "insight/detectors/array_detector.h"

#include <algorithm>
#include <cstring>

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

namespace {

constexpr std::uint64_t kCheckInterval = 64;  // elements between two looks at whether that was enough

template <class Element>
std::uint64_t countOthers(Bytes elements, std::uint64_t most) {
  const std::uint64_t count = elements.size() / sizeof(Element);
  std::uint64_t others = 0;
  for (std::uint64_t i = 0; i < count && others <= most;) {
    const std::uint64_t end = std::min(count, i + kCheckInterval);
    for (; i < end; ++i) {
      Element element;
      std::memcpy(&element, elements.data() + i * sizeof element, sizeof element);
      others += element != 0;
    }
  }
  return others;
}

bool isAllZero(const std::byte* from, std::size_t size) {
  return size == 0 || (from[0] == std::byte{} && std::memcmp(from, from + 1, size - 1) == 0);
}

std::uint64_t countOthersOfSize(Bytes elements, std::uint32_t size, std::uint64_t most) {
  std::uint64_t others = 0;
  for (std::size_t at = 0; at + size <= elements.size() && others <= most; at += size)
    others += !isAllZero(elements.data() + at, size);
  return others;
}

}  // namespace

ElementPattern patternOf(Bytes elements, std::uint32_t elementBytes, std::uint64_t mostOthers) {
  ElementPattern pattern;
  if (!elementBytes || elements.size() < elementBytes) return pattern;
  // Equal neighbours all along: the elements but the first are those but the last.
  const std::size_t rest = elements.size() - elementBytes;
  pattern.isUniform = std::memcmp(elements.data(), elements.data() + elementBytes, rest) == 0;
  pattern.isZero = pattern.isUniform && isAllZero(elements.data(), elementBytes);
  if (pattern.isUniform) {
    pattern.other = pattern.isZero ? 0 : elements.size() / elementBytes;
  } else if (elementBytes == 8) {
    pattern.other = countOthers<std::uint64_t>(elements, mostOthers);
  } else if (elementBytes == 4) {
    pattern.other = countOthers<std::uint32_t>(elements, mostOthers);
  } else if (elementBytes == 2) {
    pattern.other = countOthers<std::uint16_t>(elements, mostOthers);
  } else if (elementBytes == 1) {
    pattern.other = countOthers<std::uint8_t>(elements, mostOthers);
  } else {
    pattern.other = countOthersOfSize(elements, elementBytes, mostOthers);
  }
  return pattern;
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "layout/inline_array.h"

#include "base/bounded_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kInlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";

}  // namespace

// II.23.3: prolog 1, then an int32. The runtime takes what lies there for the number and refuses 0 and less.
std::optional<std::uint32_t> inlineArrayLength(const Metadata& metadata, std::uint32_t typeDefRow) {
  const auto blob = metadata.typeAttribute(typeDefRow, kInlineArray);
  if (!blob) return std::nullopt;
  std::uint32_t length = 0;
  return tryReadAt(*blob, sizeof(std::uint16_t), length) ? length : 0;
}

}  // namespace heapscape::engine

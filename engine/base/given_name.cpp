// SPDX-License-Identifier: MIT
#include "base/given_name.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kCollectible = "collectible ";

}  // namespace

// Up to the last quotation mark: a name may hold some itself. One that has been cut has no last one.
std::string withoutGivenName(std::string_view text) {
  if (text.starts_with(kCollectible)) return "collectible context";
  const std::size_t opening = text.find(" \"");
  if (opening == std::string_view::npos) return std::string(text);
  const std::size_t closing = text.rfind('"');
  return std::string(text.substr(0, opening))
      .append(closing > opening + 1 ? text.substr(closing + 1) : std::string_view());
}

}  // namespace heapscape::engine

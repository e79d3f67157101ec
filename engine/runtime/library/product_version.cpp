// SPDX-License-Identifier: MIT
#include "runtime/library/product_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>

namespace heapscape::engine {
namespace {

constexpr std::string_view kVersionMark = "@(#)Version ";
constexpr std::size_t kMostVersionBytes = 64;
constexpr std::uint64_t kMostVersionDataBytes = 16 << 20;  // of a runtime's library a tenth was seen
constexpr unsigned kPatchFactor = 100;  // 10.0.12 is built as 10.0.1226: the two digits are not its own
constexpr unsigned kUnversioned = 42;   // what is built without a release calls itself 42.42.42.42424

std::optional<std::string> releaseIn(std::string_view text) {
  std::array<unsigned, 3> parts{};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  for (unsigned& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc() || next == end || *next != '.') return std::nullopt;
    at = next + 1;
  }
  if (parts[0] == kUnversioned) return std::nullopt;
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2] / kPatchFactor);
}

}  // namespace

std::string productVersion(const AddressSpace& space, std::span<const AddressRange> data) {
  const std::boyer_moore_horspool_searcher mark(kVersionMark.begin(), kVersionMark.end());
  for (const AddressRange& range : data) {
    for (const AddressRange& part :
         space.present({range.start, std::min(range.end, range.start + kMostVersionDataBytes)})) {
      const auto view = space.view(part);
      if (!view) continue;
      const std::string_view text(reinterpret_cast<const char*>(view->bytes.data()), view->bytes.size());
      for (auto found = std::search(text.begin(), text.end(), mark); found != text.end();
           found = std::search(found + 1, text.end(), mark)) {
        const auto place = static_cast<std::size_t>(found - text.begin()) + kVersionMark.size();
        if (const auto release = releaseIn(text.substr(place, kMostVersionBytes))) return *release;
      }
    }
  }
  return {};
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "review/review_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

std::int64_t capped(std::uint64_t number) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

}  // namespace

ReviewCell contentsCell(bool isRedacted, std::string text, std::string redacted) {
  if (isRedacted || text == redacted) return {std::move(redacted)};
  return {std::move(text), {}, std::move(redacted)};
}

ReviewCell countCell(std::uint64_t count) {
  return {readableCount(count), capped(count)};
}

ReviewCell bytesCell(std::uint64_t bytes) {
  return {readableBytes(bytes), capped(bytes)};
}

ReviewCell signedBytesCell(std::int64_t bytes) {
  ReviewCell cell = savedBytesCell(bytes);
  if (bytes > 0) cell.text.insert(0, "+");
  return cell;
}

ReviewCell savedBytesCell(std::int64_t bytes) {
  const std::uint64_t size = bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
  return {(bytes < 0 ? "−" : "") + readableBytes(size), bytes};
}

std::string percentText(std::uint64_t part, std::uint64_t whole) {
  const RoundedPercent percent = roundPercent(part, whole);
  return fmt::format("{}{:.{}f}%", percent.bound ? std::string(1, percent.bound) : "", percent.value, percent.decimals);
}

ReviewCell percentCell(std::uint64_t part, std::uint64_t whole) {
  const double share = whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  return {percentText(part, whole), static_cast<std::int64_t>(share * 100'000)};
}

ReviewCell addressCell(Address address) {
  return {address ? toString(address) : std::string()};
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "values/reading/known_object.h"
#include "values/managed_array.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kGroups = 8;
using Groups = std::array<std::uint16_t, kGroups>;

std::string ipv4Text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address & 0xff, address >> 8 & 0xff, address >> 16 & 0xff, address >> 24);
}

/// Whether the last two groups are written as an address of IPv4 (ShouldHaveIpv4Embedded in IPv6AddressHelper.cs).
bool holdsIpv4(const Groups& groups) {
  const bool beginsEmpty = groups[0] == 0 && groups[1] == 0 && groups[2] == 0 && groups[3] == 0;
  if (beginsEmpty && groups[6] != 0) {
    const bool isCompatible = groups[4] == 0 && (groups[5] == 0 || groups[5] == 0xffff);
    const bool isTranslated = groups[4] == 0xffff && groups[5] == 0;
    if (isCompatible || isTranslated) return true;
  }
  return groups[4] == 0 && groups[5] == 0x5efe;  // ISATAP
}

struct Run {
  std::size_t first = 0, length = 0;
};

/// The longest run of zeros, the first of equals; one alone is not left out (RFC 5952).
Run longestEmptyRun(const Groups& groups, std::size_t end) {
  Run longest;
  for (std::size_t i = 0; i < end;) {
    std::size_t length = 0;
    while (i + length < end && groups[i + length] == 0) ++length;
    if (length > longest.length) longest = {i, length};
    i += length + 1;
  }
  return longest.length > 1 ? longest : Run{};
}

std::string ipv6Text(const Groups& groups) {
  const bool isMixed = holdsIpv4(groups);
  const std::size_t end = isMixed ? kGroups - 2 : kGroups;
  const Run left = longestEmptyRun(groups, end);
  std::string text;
  for (std::size_t i = 0; i < end; ++i) {
    if (left.length && i == left.first) {
      text += "::";
      i += left.length - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    text += fmt::format("{:x}", groups[i]);
  }
  if (!isMixed) return text;
  if (!text.ends_with(':')) text += ':';
  return text + fmt::format("{}.{}.{}.{}", groups[6] >> 8, groups[6] & 0xff, groups[7] >> 8, groups[7] & 0xff);
}

}  // namespace

std::optional<Value> ipAddressValue(const KnownObject& object) {
  const auto number = object.instance.number<std::uint32_t>("_addressOrScopeId");
  const auto numbers = object.instance.reference("_numbers");
  if (!number || !numbers) return std::nullopt;
  if (!*numbers) return Value{.kind = ValueKind::Known, .text = ipv4Text(*number)};
  const auto array = readArray(object.instance, "_numbers");
  Groups groups{};
  if (!array || array->count != kGroups || array->elementSize != sizeof groups[0] ||
      !object.instance.memory().tryRead(array->data, std::as_writable_bytes(std::span(groups))))
    return std::nullopt;
  Value value{.kind = ValueKind::Known, .text = ipv6Text(groups)};
  if (*number) value.text += fmt::format("%{}", *number);
  return value;
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace heapscape::engine {

/// Bytes of a pointer (and of a slot of the stack and a reference), and of the smallest page that a kernel of the
/// processors uses whose dumps are read. Those of arm64 may have larger ones: ElfCore::pageBytes().
inline constexpr std::uint32_t kPointerBytes = 8;
inline constexpr std::uint64_t kPageBytes = 4096;

/// An address in the dumped process; never a pointer of ours. Null is 0.
struct Address {
  std::uint64_t value = 0;

  constexpr explicit operator bool() const { return value != 0; }
  constexpr auto operator<=>(const Address&) const = default;
  constexpr Address& operator+=(std::uint64_t bytes) {
    value += bytes;
    return *this;
  }
};

constexpr Address operator+(Address address, std::uint64_t bytes) {
  return {address.value + bytes};
}
constexpr Address operator-(Address address, std::uint64_t bytes) {
  return {address.value - bytes};
}
/// Distance in bytes; the left one must not be the smaller.
constexpr std::uint64_t operator-(Address left, Address right) {
  return left.value - right.value;
}

/// Half-open: start is in it, end is not. All ranges of the engine are.
struct AddressRange {
  Address start;
  Address end;

  constexpr bool operator==(const AddressRange&) const = default;
  constexpr std::uint64_t sizeBytes() const { return end > start ? end - start : 0; }
  constexpr bool isEmpty() const { return end <= start; }
  constexpr bool contains(Address address) const { return address >= start && address < end; }
};

/// "0x7f4c59812340": lower case, no leading zeros.
std::string toString(Address address);

/// Reads "0x7f…" or bare hexadecimal digits; false if the text is anything else.
bool tryParseAddress(const std::string& text, Address& address);

constexpr std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace heapscape::engine

template <>
struct std::hash<heapscape::engine::Address> {
  std::size_t operator()(heapscape::engine::Address address) const noexcept {
    return static_cast<std::size_t>(address.value * 0x9E3779B97F4A7C15ull);
  }
};

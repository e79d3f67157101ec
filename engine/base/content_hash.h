// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// 128 bits that tell contents apart: two that differ by accident have the same with a chance of 1 in 2^64 among four
/// thousand million. Not made against whoever looks for two with the same one.
struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Hash128&) const = default;
};

/// Hashes of bytes that lie in one piece (XXH3): as fast as memory is.
std::uint64_t hashOf(Bytes bytes);
Hash128 hash128Of(Bytes bytes);

/// The hash of what is added piece by piece. Each piece counts with its length, so that none can pass for another one.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;

  ContentHash& add(Bytes bytes);
  ContentHash& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  ContentHash& add(const char* text) { return add(std::string_view(text)); }
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) ContentHash& add(T value) {
    return add(std::as_bytes(std::span(&value, 1)));
  }
  Hash128 finish() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace heapscape::engine

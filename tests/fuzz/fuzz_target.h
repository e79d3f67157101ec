// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "support/builders/core_builder.h"

/// Runs one input; always 0. Whatever it is, nothing may crash, hang or take memory without bound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heapscape::fuzz {

/// Small valid inputs that the replay driver begins with.
std::vector<test::FileBytes> seeds();

/// A seed that is written down byte by byte.
inline test::FileBytes bytes(std::initializer_list<unsigned> values) {
  test::FileBytes made;
  for (const unsigned value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

inline engine::Bytes bytesOf(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

}  // namespace heapscape::fuzz

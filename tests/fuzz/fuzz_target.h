// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "support/core_builder.h"

/// Runs one input; always 0. Whatever it is, nothing may crash, hang or take memory without bound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heapscape::fuzz {

/// Small valid inputs that the replay driver begins with.
std::vector<test::FileBytes> seeds();

inline engine::Bytes bytesOf(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

}  // namespace heapscape::fuzz

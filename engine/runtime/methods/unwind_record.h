// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"

namespace heapscape::engine {

/// The head of the .xdata record of a function of arm64 ("ARM64 exception handling" in Microsoft's documentation;
/// src/coreclr/unwinder/arm64/unwinder.cpp). The short form without a record no compiler of .NET writes.
struct UnwindRecord {
  std::uint32_t functionBytes = 0;
  bool hasOneEpilogue = false;  // at the function's end; then `epilogues` is the index of its first code
  std::uint32_t epilogues = 0;  // how many, one word each
  std::uint32_t codeBytes = 0;
  Address scopes = {};  // the words of the epilogues
  Address codes = {};
  Address end = {};  // behind the offset of the personality routine, where the GC info of compiled images lies
};

/// Returns nullopt if it is not in the dump, in the short form, or of an unknown version.
std::optional<UnwindRecord> readUnwindRecord(const AddressSpace& memory, Address address);

}  // namespace heapscape::engine

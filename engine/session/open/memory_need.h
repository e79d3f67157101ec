// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"

namespace heapscape::engine {

/// Bytes that this process may still take without pushing out others: what the kernel says is available, or less where
/// a control group (a container) or a limit of the process allows less. Pages of mapped files count as free, since the
/// kernel takes them back; swap does not. Nothing if the kernel does not tell. `root` is where /proc and /sys are
/// looked for.
std::optional<std::uint64_t> freeMemoryBytes(const std::filesystem::path& root = "/");

/// Memory needed to find something out of all objects, beside the dump itself.
struct MemoryNeed {
  const char* of = "";           // "Retained sizes", as a sentence begins
  std::uint64_t objects = 0;     // gaps among them
  std::uint64_t bytes = 0;       // at the peak
  std::uint64_t takenBytes = 0;  // of these, what is there already
  const char* help = "";         // what does fit
};

/// Returns the need of two at the same time.
MemoryNeed operator+(MemoryNeed one, const MemoryNeed& other);

/// Fails with NotEnoughMemory if it needs more than `allowedBytes` in all; without that, if what is not there yet is
/// more than is free. Says so beforehand: what runs out of memory in the midst of it is ended by the kernel.
Result<void> checkMemory(const MemoryNeed& need, std::optional<std::uint64_t> allowedBytes);

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace heapscape::engine {

/// Bytes that this process may still take without pushing out others: what the kernel says is available, or less where
/// a control group (a container) or a limit of the process allows less. Pages of mapped files count as free, since the
/// kernel takes them back; swap does not. Nothing if the kernel does not tell. `root` is where /proc and /sys are
/// looked for.
std::optional<std::uint64_t> freeMemoryBytes(const std::filesystem::path& root = "/");

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heapscape::engine {

/// Fails with FileUnreadable, also if the file is larger than `limit` or no regular file.
Result<std::string> readWholeFile(const std::filesystem::path& path, std::size_t limit);

/// Puts the content in place of what was there in one step, so that no reader sees half of it and a full disk costs
/// nothing that was there before. What is no regular file (a pipe, /dev/stdout) is written to as it is. Fails with
/// FileUnreadable.
Result<void> writeWholeFile(const std::filesystem::path& path, std::string_view content);

}  // namespace heapscape::engine

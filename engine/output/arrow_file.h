// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "base/result.h"
#include "output/typed_columns.h"

namespace heapscape::engine {

/// Writes an answer in Arrow's file format (Apache Arrow "Columnar format", IPC file, metadata version 5), which other
/// programs map and read as it is. Texts are dictionaries. The file has its name once it is whole; fails with
/// FileUnreadable.
Result<void> writeArrowFile(const std::filesystem::path& path, const TypedColumns& columns);

}  // namespace heapscape::engine

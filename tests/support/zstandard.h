// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "support/builders/core_builder.h"

namespace heapscape::test {

/// One Zstandard frame with a checksum; with `announceSize`, its header says how many bytes come out of it.
FileBytes compressed(engine::Bytes bytes, bool announceSize = true);

/// The bytes of one frame whose header says how many there are; throws if it is damaged.
std::string decompressed(engine::Bytes frame);

/// The bytes of a file that is one such frame; throws if it is missing or damaged.
std::string unpackedFile(const std::filesystem::path& path);

/// The same of a frame that was made with `zstd --patch-from` over `base`.
std::string unpackedPatch(const std::filesystem::path& path, engine::Bytes base);

}  // namespace heapscape::test

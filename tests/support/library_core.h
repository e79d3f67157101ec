// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "support/builders/core_builder.h"

namespace heapscape::test {

FileBytes contentsOf(const std::filesystem::path& file);

/// A core as the kernel writes it of a process with a library mapped at an address: of the library it holds the first
/// page, or less of it, and what is writable.
CoreBuilder kernelCoreOf(const FileBytes& library, std::uint64_t base, const std::string& recordedPath,
                         std::uint64_t firstBytes = 4096);
/// How much of a library has its headers and notes.
std::uint64_t endOfNotes(const FileBytes& library);

}  // namespace heapscape::test

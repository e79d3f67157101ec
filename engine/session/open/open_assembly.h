// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

struct AssemblyOptions {
  /// Folders, assembly files or core dumps whose modules serve as well, to look for referenced assemblies in; before
  /// the assembly's own folder's framework and NuGet cache.
  std::vector<std::filesystem::path> search = {};
  /// 8 to 11; otherwise that of the dump, or of the CoreLib that was found.
  std::optional<std::uint32_t> runtimeMajor = {};
};

/// The types of an assembly file. Referenced assemblies are looked for beside it, in the options' places, in an
/// installed framework and in the NuGet cache. Fails with FileUnreadable, Damaged, or NotFound if the file is not a
/// managed one.
Outcome<DeclaredLayouts> openAssemblyFile(const std::filesystem::path& path, const AssemblyOptions& options,
                                          std::stop_token stop);
/// Whether a file begins like a PE image rather than like a dump.
bool looksLikeAssembly(const std::filesystem::path& path);

}  // namespace heapscape::engine

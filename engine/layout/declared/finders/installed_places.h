// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace heapscape::engine {

/// The only answer to where this machine keeps .NET and its packages. Where a folder stands
/// for the machine (memory/recorded_path), `shared` in it is the framework's, `packages` NuGet's cache.

/// Folders that have a "shared" in them, most particular first: $DOTNET_ROOT, the folder of the `dotnet` on $PATH,
/// ~/.dotnet, the distributions' folders. Those that are not there are left out.
std::vector<std::filesystem::path> installedDotnets();

/// $NUGET_PACKAGES or ~/.nuget/packages, which need not exist; empty if neither is set.
std::filesystem::path installedPackages();

}  // namespace heapscape::engine

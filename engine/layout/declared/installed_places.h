// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace heapscape::engine {

/// The only answer to where this machine keeps .NET and its packages. $HEAPSCAPE_INSTALLED, where it is set, names a
/// folder that stands for all of it: `shared` in it is the framework's, `packages` NuGet's cache; empty means that
/// nothing is installed.

/// Folders that have a "shared" in them, most particular first: $DOTNET_ROOT, the folder of the `dotnet` on $PATH,
/// ~/.dotnet, the distributions' folders. Those that are not there are left out.
std::vector<std::filesystem::path> installedDotnets();

/// Whether a folder stands for this machine, so that what a dump says of the machine's files means nothing here.
bool isMachineReplaced();

/// $NUGET_PACKAGES or ~/.nuget/packages, which need not exist; empty if neither is set.
std::filesystem::path installedPackages();

}  // namespace heapscape::engine

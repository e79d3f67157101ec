// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace heapscape::test {

/// A dump of tests/data as it lies there, compressed: "shop-10", "growth/before-10". Not for one that lies there as
/// what differs from another (tests/data/patches.txt).
std::filesystem::path packedDumpPath(const std::string& dump);

/// The same unpacked. Done once for all programs of tests, in the folder of the build, since unpacking takes longer
/// than most tests.
std::filesystem::path dumpPath(const std::string& dump);

}  // namespace heapscape::test

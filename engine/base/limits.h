// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapscape::engine {

/// Caps on what a dump may ask for. A core file is untrusted: every count read from it is held against one of these.
struct Limits {
  std::size_t findings = 1000;
  std::size_t programHeaders = 4'000'000;
  std::size_t mappedFiles = 1'000'000;
  std::size_t threads = 100'000;
  std::size_t modules = 100'000;
  std::size_t heaps = 1024;
  std::size_t segmentsPerGeneration = 2'000'000;
  std::size_t typesPerModule = 4'000'000;
  std::size_t fieldsPerType = 65'535;
  std::size_t typeArguments = 1024;
  std::size_t parentDepth = 1000;
  std::size_t nestingDepth = 64;           // nested types, generic arguments, value types inside value types
  std::size_t nameBytes = 64 * 1024;       // one full type name
  std::size_t metadataBytes = 1ull << 30;  // one module's metadata
  std::uint64_t decompressedBytes = 1ull << 42;
};

inline constexpr Limits kLimits{};

}  // namespace heapscape::engine

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
  std::size_t handles = 16'000'000;
  std::size_t syncBlocks = 8'000'000;
  std::size_t finalizableObjects = 256'000'000;
  std::size_t statics = 4'000'000;  // static fields of all types; thread statics once for each thread
  std::size_t typesPerModule = 4'000'000;
  std::size_t closedTypes = 1'000'000;        // computed from metadata, instantiations included
  std::size_t listedTypes = 250'000;          // of one assembly, with all it instantiates and holds
  std::size_t declarationBytes = 512 << 20;   // signatures of all fields of types from metadata, and 64 bytes for each
  std::size_t referencedAssemblies = 16'384;  // of one that layouts are computed for, all together
  std::size_t fieldsPerType = 65'535;
  std::size_t methodsPerType = 65'536;
  std::size_t typeArguments = 1024;
  std::size_t dictionarySlots = 65'536;          // of one generic instantiation
  std::size_t codeRangesOfPiece = 4096;          // of managed code within 128 KiB of addresses
  std::size_t codeUnitsOfMethod = 1 << 22;       // of 256 bytes
  std::size_t codeEntriesOfModule = 16'000'000;  // methods of one ReadyToRun image
  std::size_t funcletsOfMethod = 65'535;
  std::size_t codeVersionsOfMethod = 10'000;
  std::size_t parentDepth = 1000;
  std::size_t nestingDepth = 64;            // nested types, generic arguments, value types inside value types
  std::size_t nestedValues = 1 << 16;       // values that are read as parts of one, or of one list of elements
  std::size_t delegatesInOne = 100'000;     // that a multicast delegate calls
  std::size_t innerExceptions = 100'000;    // of an AggregateException
  std::size_t stackFrames = 100'000;        // of a stack trace
  std::size_t queueSegments = 100'000;      // of one ConcurrentQueue; each may hold a million items
  std::size_t builderChunks = 1'000'000;    // of one StringBuilder
  std::size_t taskExceptions = 1000;        // of one Task
  std::size_t nameBytes = 64 * 1024;        // one full type name
  std::size_t typeNamesBytes = 1ull << 30;  // full names of all types together; what comes later is cut
  std::size_t metadataBytes = 1ull << 30;   // one module's metadata
  std::size_t manifestBytes = 64ull << 20;  // one ReadyToRun image's native manifest
  std::uint64_t decompressedBytes = 1ull << 42;
  std::uint64_t decoderBytes = 2ull << 30;  // of memory that a compressed file may ask for to be decompressed
  std::size_t packingDepth = 4;             // a compressed file in a compressed file
  std::size_t archiveEntries = 1'000'000;   // files and folders in one tar archive
};

inline constexpr Limits kLimits{};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Exceptions of the heap that say the same and were thrown at the same place.
struct ExceptionRow {
  std::string typeName;
  Address methodTable;
  std::string message;  // that the exception keeps; empty for none of its own
  std::int32_t hresult = 0;
  std::uint64_t count = 0;
  bool isThrown = false;  // it has a stack trace: it was thrown, at least once
  std::string method;     // of the innermost frame: "Shop.Pay(System.Int32)"; empty where there is none
  std::string file;       // of the source, as the PDB has it; empty if not known
  std::uint32_t line = 0;
  std::uint32_t frames = 0;  // of the first
  std::string innerType;     // what has caused the first; empty for nothing
  /// Managed ids of threads that are not done with one of them: it is on its way, or its handler runs.
  std::vector<std::uint32_t> threads;
  /// Those that nothing holds any more; known from the Retained stage on.
  std::optional<std::uint64_t> unreachable;
  Address object;  // the first by address, one on its way before others
};

struct ExceptionList {
  std::vector<ExceptionRow> exceptions;  // those on their way first, then most first
  FindingList findings;
};

/// All exceptions of the heap, equal ones together unless `isEach`. Of a dump without a heap those that its threads
/// have thrown, and what caused them.
Outcome<ExceptionList> listExceptions(const Snapshot& snapshot, bool isEach, std::stop_token stop);

}  // namespace heapscape::engine

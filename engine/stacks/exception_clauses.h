// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/methods/code_lookup.h"

namespace heapscape::engine {

/// One try block of a method with what handles exceptions in it (EE_ILEXCEPTION_CLAUSE,
/// src/coreclr/inc/eexcp.h). Offsets are bytes from the start of the method's code; ends are not in the ranges. Until
/// .NET 9 an empty try block marks a copy of a finally block within the method's own code.
struct ExceptionClause {
  std::uint32_t tryStart = 0;
  std::uint32_t tryEnd = 0;
  std::uint32_t handlerStart = 0;
  std::uint32_t handlerEnd = 0;
  std::optional<std::uint32_t> filterStart = {};  // only of a handler with an exception filter (`when` in C#)
};

/// Reads what methods handle. Every call reads the dump. Safe from any thread.
class ExceptionClauses {
 public:
  explicit ExceptionClauses(const ClrRuntime& runtime) : m_runtime(runtime) {}

  /// Of the whole method, in the order in which they are asked; nothing if the dump does not hold them all.
  std::optional<std::vector<ExceptionClause>> of(const CodeLocation& code) const;
  /// Whether the code is a funclet that is an exception filter; false also where `of` gives nothing.
  bool isFilter(const CodeLocation& code) const;

 private:
  struct Table {
    Address first;
    std::uint64_t count = 0;
  };
  std::optional<Table> jittedTable(const CodeLocation& code) const;
  std::optional<Table> readyToRunTable(const CodeLocation& code) const;
  std::optional<ExceptionClause> readClause(Address clause, bool isReadyToRun) const;

  const ClrRuntime& m_runtime;
};

}  // namespace heapscape::engine

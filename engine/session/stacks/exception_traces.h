// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_set>

#include "session/snapshot/snapshot.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/source_lines.h"
#include "values/reading/exception_details.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Reads exceptions with all that can be told of where they were thrown: methods as stacks name them, files and lines,
/// and the exceptions that caused them with the same. Reads memory alone, so that a dump without a heap has them, too.
/// Remembers names and PDBs; not safe from several threads.
class ExceptionTraces {
 public:
  explicit ExceptionTraces(const Snapshot& snapshot);

  /// Returns nullopt if there is no exception at the address. What several lead to, or a circle, is there once, where
  /// it is met first.
  std::optional<ExceptionDetails> of(Address exception);
  /// Returns the exception without what caused it.
  std::optional<ExceptionDetails> alone(Address exception);
  /// Returns the exception with what can be told quickly: of the stack only the innermost frame, if that is `isTraced`.
  std::optional<ExceptionDetails> brief(Address exception, bool isTraced);
  /// Whether instances of a type are exceptions.
  bool isException(const MethodTable& type) const { return isExceptionType(m_values, type); }

 private:
  std::optional<ExceptionDetails> read(Address exception, ExceptionStack stack, bool isTraced);
  void addCauses(ExceptionDetails& details, std::unordered_set<Address>& seen, std::size_t depth);
  void trace(ExceptionDetails::Frame& frame);

  const RuntimeReaders& m_readers;
  const ValueReader m_values;
  FrameNames m_names;
  FrameSources m_sources;
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "runtime/threads/thread_registers.h"
#include "session/stacks/exception_traces.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/frame_sources.h"
#include "session/stacks/frame_variables.h"
#include "session/stacks/stacks_query.h"
#include "stacks/stack_reader.h"
#include "stacks/unwinding/native_symbols.h"

namespace heapscape::engine {

/// Makes rows of the stacks of one dump. Not safe from several threads.
class StackRows {
 public:
  StackRows(const Snapshot& snapshot, const StackOptions& options);

  /// Nothing for a thread that the dump has no registers of.
  std::optional<ThreadStackRow> of(const RuntimeThread& thread);

 private:
  void addFrames(const StackWithRoots& stack, const CoreThread& thread, ThreadStackRow& row);
  FrameRow managedFrame(const ManagedFrame& frame);
  FrameRow explicitFrame(const ExplicitFrame& frame);
  void nameFrame(FrameRow& frame);
  void addRoots(const StackEntry& entry, const FrameRoots& roots, FrameRow& frame, ThreadStackRow& row);
  StackRootRow rootRow(const StackRoot& root) const;
  void addProtected(const FrameRoots& roots, ThreadStackRow& row);
  /// `first`: of the row's frames the one that the walk's first entry is.
  void addValues(const StackWalk& walk, const CoreThread& thread, std::size_t first, ThreadStackRow& row);
  void noteExceptions(const StackWithRoots& stack, std::size_t firstFrame, ThreadStackRow& row);
  void addNative(Registers registers, bool isReturnAddress, Address end, ThreadStackRow& row);

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  StackOptions m_options;
  NativeUnwinder m_native;
  StackReader m_reader;
  FrameNames m_names;
  FrameSources m_sources;
  FrameVariables m_variables;
  ExceptionTraces m_traces;
  std::optional<NativeSymbols> m_symbols;
  ThreadRegisters m_registers;
};

}  // namespace heapscape::engine

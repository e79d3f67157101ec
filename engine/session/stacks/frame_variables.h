// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/elf/elf_core.h"
#include "session/stacks/frame_sources.h"
#include "session/stacks/stacks_query.h"
#include "session/stacks/variable_types.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_frame.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// What the variables of frames hold, by the debug info of their methods: values are told only where the code keeps
/// them at that very instruction, and where what keeps them is known. Not safe from several threads.
class FrameVariables {
 public:
  /// `heap`: null where it is not walked, so that references are not held against it. All outlive this.
  FrameVariables(const RuntimeReaders& readers, const WalkedHeap* heap, const FrameSources& sources);

  /// Parameters, then locals in scope, in the order of their declaration. `thread`: whose registers the dump has, for a
  /// frame that runs. Empty for methods without metadata.
  std::vector<VariableRow> of(const ManagedFrame& frame, const CoreThread* thread);

 private:
  struct Method;
  VariableRow read(const Method& method, const SignatureType& type, std::uint32_t variable, VariableRow row) const;
  VariableRow thisOf(const Method& method, const MethodTable& declaring) const;
  void readInto(const Method& method, const Slot& slot, bool isByRef, std::uint32_t variable, VariableRow& row) const;
  SignatureContext exactContext(const ManagedFrame& frame, const MethodDesc& method, const Module& module,
                                const DebugInfo* info) const;
  std::optional<GenericContext> genericContext(const ManagedFrame& frame, const DebugInfo* info, bool isMethod) const;
  std::optional<Address> pointerIn(const ManagedFrame& frame, const DebugInfo* info, std::int32_t variable) const;

  const RuntimeReaders& m_readers;
  const FrameSources& m_sources;
  ValueReader m_values;
  VariableTypes m_types;
  ManagedFrameRoots m_gcInfo;
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/elf/elf_core.h"
#include "metadata/signature.h"
#include "runtime/runtime_readers.h"
#include "session/stacks/source_lines.h"
#include "session/stacks/stacks_query.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_frame.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Types of the variables of methods, as they are declared. Safe from any thread.
class VariableTypes {
 public:
  explicit VariableTypes(const RuntimeReaders& readers) : m_readers(readers) {}

  /// Returns the context of the method's own code, which several instantiations may share.
  SignatureContext contextOf(const MethodDesc& method, const Module& module) const;
  /// Whether it names a type that stands for several.
  bool isShared(const SignatureContext& context) const;
  /// The context of code that instantiations share, once it is known what it runs for: by an argument that callers do
  /// not see, or by the method table of `this` (0 for none). As it was where that tells nothing.
  SignatureContext exactContext(SignatureContext shared, const MethodDesc& method,
                                const std::optional<GenericContext>& told, Address typeOfThis) const;
  /// The declaring type with the arguments of a context; 0 where it is not loaded, or not generic.
  Address exactType(const SignatureContext& context, const MethodTable& declaring) const;
  /// Returns the types of the locals by their slots. Fails where the IL of the method is not known.
  Result<std::vector<SignatureType>> localsOf(const Module& module, std::uint32_t methodRow) const;

 private:
  Address declaringOf(Address type, const MethodTable& declaring) const;

  const RuntimeReaders& m_readers;
};

/// Values of the variables of frames, by the debug info of their methods: shown only where the code keeps them at that
/// very instruction, and where what keeps them is known. Not safe from several threads.
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

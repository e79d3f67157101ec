// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "metadata/signature.h"
#include "runtime/runtime_readers.h"
#include "stacks/gc_info/frame_roots.h"

namespace heapscape::engine {

/// Types of the variables of methods, as they are declared. Safe from any thread.
class VariableTypes {
 public:
  explicit VariableTypes(const RuntimeReaders& readers) : m_readers(readers) {}

  /// Of the method's own code, which several instantiations may share.
  SignatureContext contextOf(const MethodDesc& method, const Module& module) const;
  /// Whether it names a type that stands for several.
  bool isShared(const SignatureContext& context) const;
  /// The context of code that instantiations share, once it is known what it runs for: by an argument that callers do
  /// not see, or by the method table of `this` (0 for none). As it was where that tells nothing.
  SignatureContext exactContext(SignatureContext shared, const MethodDesc& method,
                                const std::optional<GenericContext>& told, Address typeOfThis) const;
  /// The declaring type with the arguments of a context; 0 where it is not loaded, or not generic.
  Address exactType(const SignatureContext& context, const MethodTable& declaring) const;
  /// Of the locals by their slots. Fails where the IL of the method is not known.
  Result<std::vector<SignatureType>> localsOf(const Module& module, std::uint32_t methodRow) const;

 private:
  Address declaringOf(Address type, const MethodTable& declaring) const;

  const RuntimeReaders& m_readers;
};

}  // namespace heapscape::engine

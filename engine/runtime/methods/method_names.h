// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/aot/aot_method_names.h"
#include "runtime/methods/method_descs.h"
#include "runtime/modules/modules.h"
#include "runtime/types/type_names.h"
#include "runtime/types/type_resolver.h"

namespace heapscape::engine {

/// The bytes of a method's signature (ECMA-335 II.23.2.1), from metadata or as the runtime keeps it; empty if the dump
/// lacks it. `module`: whose metadata describes the method, may be null.
Bytes signatureBytesOf(const ClrRuntime& runtime, const MethodDesc& method, const Module* module);

/// What the type parameters in a method's signature stand for. `arguments`: of the declaring type, which a method that
/// is shared does not know itself.
SignatureContext signatureContextOf(const MethodDescs& methods, const MethodDesc& method, const Module* module,
                                    const std::vector<TypeHandle>& arguments);

/// Names methods: "Shop.Order.Notify(System.Object)". Safe from any thread.
class MethodNames {
 public:
  MethodNames(const MethodDescs& methods, const Modules& modules, const TypeNames& names, const TypeResolver& resolver)
      : m_methods(methods), m_modules(modules), m_names(names), m_resolver(resolver) {}

  /// With the declaring type; code that instantiations share is named by the canonical one:
  /// "System.Collections.Generic.List<System.__Canon>.Add(System.__Canon)". Never fails: an address that is no method's
  /// is named as such.
  std::string nameOf(Address methodDesc) const;
  /// The parts of a method's name in a program compiled ahead of time, where only its code stands for the method;
  /// nullopt in others, and if it has no name.
  std::optional<AotMethodName> compiledName(Address methodDesc) const;
  /// Without the declaring type: "Map<System.Int32>(System.Object)". `arguments`: of the declaring type, which a method
  /// that is shared does not know itself.
  std::string signatureOf(const MethodDesc& method, const std::vector<TypeHandle>& arguments) const;
  /// The bare name: "Map".
  std::string bareName(const MethodDesc& method) const;
  /// Whose metadata describes the method; null if it cannot be told.
  const Module* moduleOf(const MethodDesc& method) const;

 private:
  std::string parametersOf(const MethodDesc& method, const SignatureContext& context) const;

  const MethodDescs& m_methods;
  const Modules& m_modules;
  const TypeNames& m_names;
  const TypeResolver& m_resolver;
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// Names in the form of the runtime's own debugging interface, which SOS and stack traces of the runtime show: generic
/// arguments in brackets, each with its assembly. Names are limited in length as all are; what cannot be named says so.
/// Remembers names; not safe from several threads.
class DebuggerNames {
 public:
  explicit DebuggerNames(const RuntimeReaders& readers) : m_readers(readers) {}

  /// "System.Collections.Generic.List`1[[Shop.Order, shop]]"; empty for 0.
  const std::string& ofType(TypeHandle type);
  /// "Shop.Cart.Add[[System.Int32, System.Private.CoreLib]](System.__Canon, Int32 ByRef)": of parameters the names in
  /// short, as the runtime's signatures have them. Empty for an address that is no method's.
  const std::string& ofMethod(Address methodDesc);
  /// Simple name of the assembly that a module belongs to: "System.Private.CoreLib".
  std::string assemblyOf(const Module& module) const;

 private:
  std::string typeName(TypeHandle type, std::size_t depth) const;
  std::string typeDescName(TypeHandle type, std::size_t depth) const;
  std::string argumentList(const std::vector<TypeHandle>& arguments, std::size_t depth) const;
  std::string methodName(Address methodDesc) const;
  std::string parameters(const MethodDesc& method, const Module* module, const MethodTable* declaring) const;
  std::string signatureType(const SignatureType& type, const SignatureContext& context, std::size_t depth) const;
  std::string signatureType(TypeHandle type, std::size_t depth) const;
  const Module* moduleOf(TypeHandle type) const;

  const RuntimeReaders& m_readers;
  std::unordered_map<TypeHandle, std::string> m_types;
  std::unordered_map<Address, std::string> m_methods;
};

}  // namespace heapscape::engine

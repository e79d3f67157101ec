// SPDX-License-Identifier: MIT
#include "named_method.h"

#include <stdexcept>

namespace heapscape::test {

using namespace engine;

MethodTable namedType(const RuntimeReaders& readers, std::string_view type) {
  for (const Address address : readers.loadedTypes.all()) {
    if (readers.methodTables.isTypeDesc(address) || readers.names.nameOf(address) != type) continue;
    if (const auto read = readers.methodTables.read(address)) return *read;
  }
  throw std::runtime_error("no type " + std::string(type));
}

MethodDesc namedMethod(const RuntimeReaders& readers, std::string_view type, std::string_view signature) {
  const MethodTable declaring = namedType(readers, type);
  const auto arguments = readers.methodTables.typeArguments(declaring);
  FindingList findings;
  std::string others;
  for (const MethodDescChunk& chunk : readers.methods.chunksOf(declaring, findings)) {
    for (const MethodDesc& method : chunk.methods) {
      const std::string name = readers.methodNames.signatureOf(method, arguments.value_or(std::vector<TypeHandle>{}));
      if (name == signature && !method.isUnboxingStub) return method;
      if (name.starts_with(signature.substr(0, signature.find('(') + 1))) others += " " + name;
    }
  }
  throw std::runtime_error("no method " + std::string(signature) + ", but" + others);
}

}  // namespace heapscape::test

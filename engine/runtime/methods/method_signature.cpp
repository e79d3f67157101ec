// SPDX-License-Identifier: MIT
#include "runtime/methods/method_signature.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMaximumSignature = 64 * 1024;

// Arrays' methods and dynamic ones have their signature in memory (StoredSigMethodDesc).
Bytes storedSignature(const ClrRuntime& runtime, const MethodDesc& method) {
  const auto bytes = runtime.pointerAt(method.address, "StoredSigMethodDesc", "Sig");
  const auto size = runtime.valueAt<std::uint32_t>(method.address, "StoredSigMethodDesc", "cSig");
  if (!bytes || !size || *size > kMaximumSignature) return {};
  const Bytes signature = runtime.memory().prefix(*bytes, *size);
  return signature.size() == *size ? signature : Bytes{};
}

}  // namespace

Bytes signatureBytesOf(const ClrRuntime& runtime, const MethodDesc& method, const Module* module) {
  const bool isStored = method.classification == MethodClassification::Array ||
                        method.classification == MethodClassification::Dynamic ||
                        method.classification == MethodClassification::EEImpl;
  const Bytes bytes = isStored ? storedSignature(runtime, method) : Bytes{};
  if (!bytes.empty() || method.row == 0 || !module || !module->metadata) return bytes;
  const auto row = module->metadata->methodDef(method.row);
  return row ? row->signature : Bytes{};
}

SignatureContext signatureContextOf(const MethodDescs& methods, const MethodDesc& method, const Module* module,
                                    const std::vector<TypeHandle>& arguments) {
  SignatureContext context{module, arguments, methods.typeArguments(method)};
  // The methods of arrays have the element type as the type parameter.
  if (method.classification == MethodClassification::Array && arguments.empty()) {
    const MethodTables& methodTables = methods.methodTables();
    const auto array = methodTables.read(method.methodTable);
    if (const auto element = array ? methodTables.arrayElementType(*array) : failure(ErrorCode::NotFound, {}))
      context.arguments = {*element};
  }
  return context;
}

}  // namespace heapscape::engine

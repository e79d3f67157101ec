// SPDX-License-Identifier: MIT
#include "runtime/methods/method_names.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"
#include "base/unicode.h"
#include "runtime/aot/aot_program.h"

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

namespace {

constexpr std::size_t kMaximumDynamicName = 1024;

// Methods that an array type makes for itself, by slot (ArrayMethodDesc, src/coreclr/vm/method.hpp).
std::string arrayMethodName(std::uint32_t number) {
  constexpr const char* kNames[] = {"Get", "Set", "Address"};
  return number < std::size(kNames) ? kNames[number] : ".ctor";
}

/// The runtime frees the name of a method that is no longer used, and the MethodDesc goes on pointing there.
bool isDynamicName(std::string_view text) {
  const auto units = toUtf16(text);
  const auto isControl = [](char16_t unit) { return unit < 0x20 || (unit >= 0x7f && unit < 0xa0); };
  return units && !units->empty() && std::ranges::none_of(*units, isControl);
}

void appendLimited(std::string& name, std::string_view part) {
  if (name.size() + part.size() <= kLimits.nameBytes) name += part;
}

std::string unknownMethod(Address methodDesc) {
  return fmt::format("<unknown method {}>", toString(methodDesc));
}

}  // namespace

const Module* MethodNames::moduleOf(const MethodDesc& method) const {
  const MethodTables& methodTables = m_methods.methodTables();
  const auto type = methodTables.read(method.methodTable);
  return type ? m_modules.definingModule(methodTables, *type) : nullptr;
}

std::string MethodNames::bareName(const MethodDesc& method) const {
  const ClrRuntime& runtime = m_methods.methodTables().runtime();
  if (method.classification == MethodClassification::Dynamic) {
    const auto text = runtime.pointerAt(method.address, "DynamicMethodDesc", "MethodName");
    const auto name =
        text && *text ? runtime.memory().readText(*text, kMaximumDynamicName) : failure(ErrorCode::NotFound, {});
    return name && isDynamicName(*name) ? *name : std::string("<dynamic method>");
  }
  if (method.classification == MethodClassification::Array) {
    const auto virtuals = runtime.valueAt<std::uint16_t>(method.methodTable, "MethodTable", "NumVirtuals");
    return virtuals && method.slot >= *virtuals ? arrayMethodName(method.slot - *virtuals) : std::string("?");
  }
  const Module* module = moduleOf(method);
  const auto row = module && module->metadata ? module->metadata->methodDef(method.row) : std::nullopt;
  return row ? std::string(row->name) : fmt::format("method#{}", method.row);
}

std::string MethodNames::signatureOf(const MethodDesc& method, const std::vector<TypeHandle>& arguments) const {
  const SignatureContext context = signatureContextOf(m_methods, method, moduleOf(method), arguments);
  std::string name = bareName(method);
  for (std::size_t i = 0; i < context.methodArguments.size(); ++i) {
    appendLimited(name, i == 0 ? "<" : ", ");
    appendLimited(name, m_names.nameOf(context.methodArguments[i]));
  }
  if (!context.methodArguments.empty()) name += '>';
  appendLimited(name, parametersOf(method, context));
  return name;
}

std::string MethodNames::parametersOf(const MethodDesc& method, const SignatureContext& context) const {
  if (!context.module || !context.module->metadata) return {};
  const ClrRuntime& runtime = m_methods.methodTables().runtime();
  const auto signature = decodeMethodSignature(signatureBytesOf(runtime, method, context.module));
  if (!signature) return {};
  std::string text = "(";
  for (const SignatureType& parameter : signature->parameters) {
    if (text.size() > 1) appendLimited(text, ", ");
    appendLimited(text, m_resolver.nameOf(parameter, context));
  }
  return text + ")";
}

std::optional<AotMethodName> MethodNames::compiledName(Address methodDesc) const {
  const AotProgram* aot = m_methods.methodTables().runtime().aot();
  return aot ? aot->methodNames.find(methodDesc) : std::nullopt;
}

std::string MethodNames::nameOf(Address methodDesc) const {
  if (const auto name = compiledName(methodDesc)) return name->text();
  const auto method = m_methods.read(methodDesc);
  if (!method) return unknownMethod(methodDesc);
  const auto type = m_methods.methodTables().read(method->methodTable);
  const auto arguments = type ? m_methods.methodTables().typeArguments(*type) : tl::unexpected<Error>(type.error());
  const std::string declaring = method->classification == MethodClassification::Dynamic
                                    ? std::string("DynamicClass")
                                    : m_names.nameOf(method->methodTable);
  return declaring + "." + signatureOf(*method, arguments.value_or(std::vector<TypeHandle>{}));
}

}  // namespace heapscape::engine

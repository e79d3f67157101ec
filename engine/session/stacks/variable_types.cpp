// SPDX-License-Identifier: MIT
#include "session/stacks/variable_types.h"

#include <algorithm>

#include "base/limits.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/assembly_file.h"
#include "runtime/methods/method_names.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

SignatureContext VariableTypes::contextOf(const MethodDesc& method, const Module& module) const {
  const auto declaring = m_readers.methodTables.read(method.methodTable);
  std::vector<TypeHandle> arguments;
  if (declaring) arguments = m_readers.methodTables.typeArguments(*declaring).value_or(std::vector<TypeHandle>{});
  return signatureContextOf(m_readers.methods, method, &module, arguments);
}

bool VariableTypes::isShared(const SignatureContext& context) const {
  const Address canon = m_readers.runtime.globalPointer("CanonMethodTable").value_or(Address{});
  const auto isCanonical = [&](TypeHandle argument) {
    if (argument == canon) return true;
    const auto type = m_readers.methodTables.isTypeDesc(argument) ? failure(ErrorCode::NotFound, {})
                                                                  : m_readers.methodTables.read(argument);
    return type && genericFormOf(m_readers.runtime, *type) == GenericForm::Shared;
  };
  return std::ranges::any_of(context.arguments, isCanonical) ||
         std::ranges::any_of(context.methodArguments, isCanonical);
}

Address VariableTypes::exactType(const SignatureContext& context, const MethodTable& declaring) const {
  const auto row = m_readers.methodTables.typeDefRow(declaring);
  if (!declaring.isGenericInstance || !row || !context.module) return {};
  return m_readers.loadedTypes.instantiation(*context.module, *row, context.arguments);
}

/// The type or base type of an instance that a method of a generic type was declared by, as instantiated.
Address VariableTypes::declaringOf(Address type, const MethodTable& declaring) const {
  for (std::size_t depth = 0; type && depth < kLimits.parentDepth; ++depth) {
    const auto level = m_readers.methodTables.read(type);
    if (!level) return {};
    if (level->canonical == declaring.canonical) return type;
    type = level->parent;
  }
  return {};
}

// By an argument that callers do not see, or by `this`.
SignatureContext VariableTypes::exactContext(SignatureContext context, const MethodDesc& method,
                                             const std::optional<GenericContext>& told, Address typeOfThis) const {
  const auto declaring = m_readers.methodTables.read(method.methodTable);
  if (!declaring) return context;
  Address type = told && !told->isMethod ? told->handle : Address{};
  if (told && told->isMethod) {
    if (const auto exact = m_readers.methods.read(told->handle); exact && exact->row == method.row) {
      context.methodArguments = m_readers.methods.typeArguments(*exact);
      type = exact->methodTable;
    }
  }
  const Address exact = declaringOf(type ? type : typeOfThis, *declaring);
  const auto exactType = exact ? m_readers.methodTables.read(exact) : failure(ErrorCode::NotFound, {});
  if (exactType) context.arguments = m_readers.methodTables.typeArguments(*exactType).value_or(context.arguments);
  return context;
}

Result<std::vector<SignatureType>> VariableTypes::localsOf(const Module& module, std::uint32_t methodRow) const {
  const auto row = module.metadata->methodDef(methodRow);
  if (!row || row->rva == 0 || !module.imageBase)
    return failure(ErrorCode::NotFound, "The method has no IL in an image.");
  const PeReader inDump = [&](std::uint64_t offset, std::span<std::byte> target) {
    return m_readers.runtime.memory().tryRead(module.imageBase + offset, target);
  };
  auto token = localSignatureOf(inDump, module.isMapped, row->rva);
  if (!token) {
    const std::filesystem::path path = recordedPath(module.path);
    const auto assembly = path.empty() || module.mvid.empty() ? std::nullopt : openAssembly(path, module.mvid);
    if (assembly) token = localSignatureOf(*assembly, false, row->rva);
  }
  if (!token) return tl::unexpected<Error>(token.error());
  if (token->isNil()) return std::vector<SignatureType>{};
  const auto signature = module.metadata->standAloneSig(token->row);
  if (!signature) return failure(ErrorCode::Damaged, "A method names a signature that its module has not.");
  return decodeLocalSignature(*signature);
}

}  // namespace heapscape::engine

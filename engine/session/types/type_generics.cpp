// SPDX-License-Identifier: MIT
#include "session/types/type_generics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "runtime/types/method_table_flags.h"

namespace heapscape::engine {
namespace {

std::vector<std::string_view> parameterNames(const RuntimeReaders& readers, const MethodTable& type) {
  const Module* module = readers.modules.definingModule(readers.methodTables, type);
  const auto row = readers.methodTables.typeDefRow(type);
  if (!module || !module->metadata || !row) return {};
  return module->metadata->genericParamNames({TableId::TypeDef, *row});
}

void addArguments(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details) {
  const auto arguments = readers.methodTables.typeArguments(type);
  if (!arguments) {
    details.findings.push_back({FindingKind::RuntimeDataDamaged, type.address, arguments.error().what});
    return;
  }
  const auto canonical = readers.methodTables.read(type.canonical);
  const auto shared = canonical ? readers.methodTables.typeArguments(*canonical) : arguments;
  const bool isShared = canonical && genericFormOf(readers.runtime, *canonical) == GenericForm::Shared;
  const auto names = parameterNames(readers, type);
  const Address canon = readers.runtime.globalPointer("CanonMethodTable").value_or(Address{});
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    const TypeHandle handle = (*arguments)[i];
    TypeArgument argument;
    argument.parameter = i < names.size() ? std::string(names[i]) : fmt::format("!{}", i);
    argument.argument.name = readers.names.nameOf(handle);
    if (!readers.methodTables.isTypeDesc(handle)) argument.argument.methodTable = handle;
    const TypeHandle general = shared && i < shared->size() ? (*shared)[i] : handle;
    argument.canonicalName = readers.names.nameOf(general);
    argument.isShared = isShared && (general == canon || general != handle);
    details.typeArguments.push_back(std::move(argument));
  }
}

void addSharers(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details) {
  for (const Address address : readers.loadedTypes.all()) {
    if (address == type.address) continue;
    const auto other = readers.methodTables.read(address);
    if (other && other->isGenericInstance && other->canonical == type.canonical)
      details.sharedWith.push_back({readers.names.nameOf(address), address});
  }
  std::ranges::sort(details.sharedWith, {}, [](const TypeLink& link) { return std::tie(link.name, link.methodTable); });
  const auto [first, last] = std::ranges::unique(details.sharedWith, {}, &TypeLink::methodTable);
  details.sharedWith.erase(first, last);
}

}  // namespace

void readTypeGenerics(const Contents& contents, const MethodTable& type, TypeDetails& details) {
  if (!type.isGenericInstance) return;
  const RuntimeReaders& readers = *contents.readers;
  addArguments(readers, type, details);
  addSharers(readers, type, details);
}

}  // namespace heapscape::engine

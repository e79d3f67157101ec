// SPDX-License-Identifier: MIT
#include "session/type_generics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "runtime/generic_dictionary.h"
#include "runtime/method_table_flags.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPointerBytes = 8;

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

/// What a looked-up value is; empty if it cannot be told.
std::string meaningOf(const RuntimeReaders& readers, Address value) {
  if (!value) return "not needed yet";
  if (readers.methodTables.isTypeDesc(value) || readers.methodTables.isMethodTable(value)) {
    const std::string name = readers.names.nameOf(value);
    return name.starts_with('<') ? std::string() : name;
  }
  if (readers.methods.read(value)) return readers.methodNames.nameOf(value);
  const Address method = readers.code.methodAtEntry(value);
  return method && readers.methods.read(method) ? readers.methodNames.nameOf(method) : std::string();
}

void addDictionary(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details) {
  const auto dictionary = readGenericDictionary(readers.runtime, type);
  if (!dictionary) {
    details.findings.push_back({FindingKind::RuntimeDataDamaged, type.address, dictionary.error().what});
    return;
  }
  for (std::uint32_t i = 0; i < details.typeArguments.size() && i < dictionary->arguments; ++i) {
    const TypeArgument& argument = details.typeArguments[i];
    const Address slot = dictionary->address + kPointerBytes * i;
    const Address value = readers.runtime.memory().readPointer(slot).value_or(Address{});
    details.dictionary.push_back({i, slot, value, argument.parameter + " = " + argument.argument.name});
  }
  for (const GenericDictionary::Slot& slot : dictionary->slots) {
    const auto index = static_cast<std::uint32_t>((slot.address - dictionary->address) / kPointerBytes);
    details.dictionary.push_back({index, slot.address, slot.value, meaningOf(readers, slot.value)});
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
  addDictionary(readers, type, details);
  addSharers(readers, type, details);
}

}  // namespace heapscape::engine

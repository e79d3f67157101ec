// SPDX-License-Identifier: MIT
#include "runtime/types/loaded_types.h"

#include "base/limits.h"
#include "runtime/aot/aot_program.h"
#include "runtime/types/lookup_map.h"

namespace heapscape::engine {

// Chained entries behind an array of buckets; a chain's end is marked by bit 0.
std::vector<Address> readHandleHashTable(const ClrRuntime& runtime, Address module, std::string_view name) {
  const AddressSpace& memory = runtime.memory();
  std::vector<Address> handles;
  const auto table = runtime.pointerAt(module, "Module", name);
  if (!table || !*table) return handles;
  const auto buckets = runtime.pointerAt(*table, "EETypeHashTable", "Buckets");
  const auto count = runtime.valueAt<std::uint32_t>(*table, "EETypeHashTable", "Count");
  std::uint64_t length = 0;
  if (!buckets || !count || !memory.tryRead(*buckets, length) || length > kLimits.typesPerModule ||
      *count > kLimits.typesPerModule) {
    return handles;
  }
  const Address first = *buckets + 8 * runtime.contract().constant("EETypeHashTable.FirstBucketSlot");
  for (std::uint64_t bucket = 0; bucket < length && handles.size() < *count; ++bucket) {
    Address entry;
    if (!memory.tryRead(first + 8 * bucket, entry)) break;
    while (entry && (entry.value & 1) == 0 && handles.size() < *count) {
      const auto handle = runtime.pointerAt(entry, "EETypeHashTable", "VolatileEntryValue");
      const auto next = runtime.pointerAt(entry, "EETypeHashTable", "VolatileEntryNextEntry");
      if (!handle || !next) break;
      handles.push_back(*handle);
      entry = *next;
    }
  }
  return handles;
}

std::size_t LoadedTypes::KeyHash::operator()(const InstantiationKey& key) const noexcept {
  std::uint64_t hash = key.module.value + key.row;
  for (const TypeHandle argument : key.arguments) hash = hash * 0x9E3779B97F4A7C15ull + argument.value;
  return static_cast<std::size_t>(hash ^ hash >> 29);
}

Address LoadedTypes::definition(const Module& module, std::uint32_t typeDefRow) const {
  const std::lock_guard lock(m_mutex);
  const DefinitionMap& definitions = definitionsOf(module);
  return typeDefRow < definitions.size() ? definitions[typeDefRow] : Address{};
}

Address LoadedTypes::instantiation(const Module& module, std::uint32_t typeDefRow,
                                   const std::vector<TypeHandle>& arguments) const {
  const std::lock_guard lock(m_mutex);
  readInstantiations();
  const auto found = m_instantiations.find({module.address, typeDefRow, arguments});
  return found == m_instantiations.end() ? Address{} : found->second;
}

Address LoadedTypes::libraryType(std::string_view fullName) const {
  if (const AotProgram* aot = m_methodTables.runtime().aot()) {
    const AotToldTypes* told = aot->debugFile.types();
    return told ? told->libraryType(fullName) : Address{};
  }
  const Module* library = m_modules.coreLibrary();
  const std::uint32_t row = library && library->metadata ? library->metadata->findTypeDef(fullName) : 0;
  return row ? definition(*library, row) : Address{};
}

std::vector<Address> LoadedTypes::all() const {
  if (const AotProgram* aot = m_methodTables.runtime().aot()) {
    const AotToldTypes* told = aot->debugFile.types();
    return told ? told->all() : std::vector<Address>{};
  }
  const std::lock_guard lock(m_mutex);
  readInstantiations();
  std::vector<Address> types = m_constructed;
  for (const Module* module : m_modules.all()) {
    for (const Address address : definitionsOf(*module)) {
      const auto type = address ? m_methodTables.read(address) : failure(ErrorCode::NotFound, {});
      if (type && !type->isGenericInstance) types.push_back(address);
    }
  }
  return types;
}

const LoadedTypes::DefinitionMap& LoadedTypes::definitionsOf(const Module& module) const {
  const auto known = m_definitions.find(module.address);
  if (known != m_definitions.end()) return known->second;
  return m_definitions.emplace(module.address, readDefinitions(module)).first->second;
}

LoadedTypes::DefinitionMap LoadedTypes::readDefinitions(const Module& module) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  return readLookupMap(runtime, runtime.member(module.address, "Module", "TypeDefToMethodTableMap"));
}

void LoadedTypes::readInstantiations() const {
  if (m_hasInstantiations) return;
  m_hasInstantiations = true;
  for (const Module* module : m_modules.all()) {
    for (const TypeHandle handle : readInstantiationTable(*module)) {
      if (m_methodTables.isTypeDesc(handle)) continue;
      const auto type = m_methodTables.read(handle);
      if (!type) continue;
      m_constructed.push_back(handle);
      if (!type->isGenericInstance) continue;
      const auto definingModule = m_methodTables.module(*type);
      const auto row = m_methodTables.typeDefRow(*type);
      auto arguments = m_methodTables.typeArguments(*type);
      if (definingModule && row && arguments) m_instantiations[{*definingModule, *row, std::move(*arguments)}] = handle;
    }
  }
}

std::vector<TypeHandle> LoadedTypes::readInstantiationTable(const Module& module) const {
  return readHandleHashTable(m_methodTables.runtime(), module.address, "AvailableTypeParams");
}

}  // namespace heapscape::engine

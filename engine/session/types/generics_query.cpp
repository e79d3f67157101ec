// SPDX-License-Identifier: MIT
#include "session/types/generics_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/progress.h"
#include "metadata/names/parsed_type_name.h"
#include "metadata/names/type_name.h"
#include "runtime/types/method_tables.h"
#include "session/snapshot/contents.h"
#include "session/types/type_parts.h"

namespace heapscape::engine {
namespace {

/// Where a generic type is defined.
struct DefinitionKey {
  Address module;
  std::uint32_t row = 0;
  auto operator<=>(const DefinitionKey&) const = default;
};

class GenericsCollector {
 public:
  GenericsCollector(const Snapshot& snapshot, const std::string& text)
      : m_contents(snapshot.contents()), m_readers(*m_contents.readers), m_text(text) {}

  /// `fewest`: null for all.
  Outcome<std::vector<GenericDefinition>> collect(const FewestInstantiations* fewest, const std::stop_token& stop) {
    std::vector<Address> addresses = m_readers.loadedTypes.all();
    // Types of modules that the application domain does not list are known by their objects alone.
    for (const TypeRow& row : *m_contents.types) addresses.push_back(row.methodTable);
    std::ranges::sort(addresses);
    addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
    std::vector<MethodTable> types;
    std::size_t steps = 0;
    for (const Address address : addresses) {
      if (steps++ % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto type = m_readers.methodTables.read(address);
      if (type && type->isGenericInstance) types.push_back(*type);
    }
    if (fewest) leaveThoseOfMany(types, *fewest);
    for (const MethodTable& type : types) {
      if (steps++ % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      addType(type);
    }
    for (const auto& [canonical, definition] : m_canonicals) {
      if (steps++ % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (definition) addCode(canonical, *definition);
    }
    return finished();
  }

 private:
  void leaveThoseOfMany(std::vector<MethodTable>& types, const FewestInstantiations& fewest) const {
    std::map<DefinitionKey, std::uint32_t> own;
    for (const MethodTable& type : types) {
      const auto definition = keyOf(type);
      if (definition && !isOpen(m_readers.runtime, type)) own[*definition] += !sharesCode(type);
    }
    std::erase_if(own, [&](const auto& one) {
      const Module* module = m_readers.modules.find(one.first.module);
      return one.second < fewest(module->name);
    });
    std::erase_if(types, [&](const MethodTable& type) {
      const auto definition = keyOf(type);
      return !definition || !own.contains(*definition);
    });
  }

  std::optional<DefinitionKey> keyOf(const MethodTable& type) const {
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    const auto row = m_readers.methodTables.typeDefRow(type);
    return module && row ? std::optional(DefinitionKey{module->address, *row}) : std::nullopt;
  }

  bool sharesCode(const MethodTable& type) const {
    const auto canonical = m_readers.methodTables.read(type.canonical);
    return canonical && genericFormOf(m_readers.runtime, *canonical) == GenericForm::Shared;
  }

  /// The definition's row in the answer; null if the text does not ask for it.
  GenericDefinition* definitionOf(const MethodTable& type) {
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    const auto row = m_readers.methodTables.typeDefRow(type);
    if (!module || !row) return nullptr;
    const auto [entry, isNew] = m_definitions.try_emplace({module->address, *row});
    if (isNew) describe(entry->second, *module, *row);
    const bool isAsked = m_text.empty() || entry->second.name.find(m_text) != std::string::npos ||
                         entry->second.name.find(m_search.runtimeName()) != std::string::npos;
    return isAsked ? &entry->second : nullptr;
  }

  static void describe(GenericDefinition& definition, const Module& module, std::uint32_t row) {
    definition.assembly = module.name;
    // Without metadata a definition is told by its module and token, as its instantiations are.
    definition.name = fmt::format("{}!{:#010x}", module.name, Token{TableId::TypeDef, row}.value());
    if (!module.metadata) return;
    for (const std::string_view name : module.metadata->genericParamNames({TableId::TypeDef, row}))
      definition.parameters.emplace_back(name);
    definition.name = withTypeArguments(module.metadata->typeDefName(row), definition.parameters);
  }

  void addType(const MethodTable& type) {
    GenericDefinition* definition = definitionOf(type);
    if (!definition) return;
    if (isOpen(m_readers.runtime, type)) {
      ++definition->openForms;
      return;
    }
    GenericInstantiation instantiation;
    instantiation.name = m_readers.names.nameOf(type.address);
    instantiation.methodTable = type.address;
    instantiation.canonical = type.canonical;
    instantiation.canonicalName = m_readers.names.nameOf(type.canonical);
    instantiation.sharesCode = sharesCode(type);
    const TypeIndex::Slot* slot = m_contents.heap ? m_contents.heap->types.find(type.address.value) : nullptr;
    if (slot) {
      instantiation.objects = m_contents.heap->counts.count[slot->type];
      instantiation.bytes = m_contents.heap->counts.bytes[slot->type];
    }
    definition->instantiations.push_back(std::move(instantiation));
    ++definition->methodTables;
    definition->methodTableBytes += methodTableBytes(m_contents, type);
    if (m_canonicals.try_emplace(type.canonical, definition).second) ++definition->codeSets;
  }

  void addCode(Address canonical, GenericDefinition& definition) {
    const auto type = m_readers.methodTables.read(canonical);
    if (!type) return;
    FindingList ignored;  // the page of the type tells
    for (const MethodDescChunk& chunk : m_readers.methods.chunksOf(*type, ignored)) {
      for (const MethodDesc& method : chunk.methods) {
        ++definition.methods;
        const auto codes = m_readers.methodCodes.of(method);
        if (!codes.empty()) ++definition.methodsWithCode;
        for (const MethodCode& code : codes) {
          definition.codeBytes += code.sizeBytes;
          if (code.state == MethodState::Jitted) definition.jittedBytes += code.sizeBytes;
        }
        if (std::ranges::any_of(codes, [](const MethodCode& code) { return code.sizeBytes == 0; }))
          ++definition.codeSizeUnknown;
      }
    }
  }

  std::vector<GenericDefinition> finished() {
    std::vector<GenericDefinition> definitions;
    for (auto& [key, definition] : m_definitions) {
      if (definition.instantiations.empty()) continue;
      // Groups of one canonical method table by its name, the canonical one itself first.
      using Order = std::tuple<const std::string&, Address, bool, const std::string&, Address>;
      std::ranges::sort(definition.instantiations, {}, [](const GenericInstantiation& i) {
        return Order(i.canonicalName, i.canonical, i.methodTable != i.canonical, i.name, i.methodTable);
      });
      definitions.push_back(std::move(definition));
    }
    std::ranges::sort(definitions, [](const GenericDefinition& a, const GenericDefinition& b) {
      return std::tie(b.codeBytes, b.methodTableBytes, a.name) < std::tie(a.codeBytes, a.methodTableBytes, b.name);
    });
    return definitions;
  }

  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  const std::string& m_text;
  const TypeNameSearch m_search{m_text};
  std::map<DefinitionKey, GenericDefinition> m_definitions;
  std::map<Address, GenericDefinition*> m_canonicals;
};

}  // namespace

Outcome<std::vector<GenericDefinition>> listGenerics(const Snapshot& snapshot, const std::string& text,
                                                     std::stop_token stop) {
  return GenericsCollector(snapshot, text).collect(nullptr, stop);
}

Outcome<std::vector<GenericDefinition>> listGenericsOfMany(const Snapshot& snapshot, const FewestInstantiations& fewest,
                                                           std::stop_token stop) {
  return GenericsCollector(snapshot, {}).collect(&fewest, stop);
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/progress.h"
#include "metadata/names/parsed_type_name.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kNamesInMessage = 5;

struct NamedType {
  std::string name;
  Address methodTable;
  bool hasObjects = false;
};

class TypeFinder {
 public:
  TypeFinder(const Snapshot& snapshot, std::string text, std::stop_token stop)
      : m_readers(*snapshot.contents().readers), m_text(std::move(text)), m_stop(std::move(stop)) {
    std::unordered_map<Address, bool> addresses;  // with objects or not
    for (const TypeRow& row : snapshot.types()) {
      if (!row.isFree) addresses[row.methodTable] = true;
    }
    for (const Address address : m_readers.loadedTypes.all()) addresses.try_emplace(address, false);
    m_candidates.reserve(addresses.size());
    for (const auto& [address, hasObjects] : addresses) {
      if (m_candidates.size() % kHeavyStopInterval == 0 && m_stop.stop_requested()) break;
      m_candidates.push_back({m_readers.names.nameOf(address), address, hasObjects});
    }
    std::ranges::sort(m_candidates, {}, [](const NamedType& c) { return std::tie(c.name, c.methodTable); });
  }

  Result<Address> find() const {
    if (m_text.empty()) return failure(ErrorCode::BadQuery, "No type was named.");
    // From the narrowest meaning of the text to the widest; the first one that some type fits decides.
    const auto equals = [&](const NamedType& c) { return c.name == m_text; };
    if (const auto fits = those(equals); !fits.empty()) return only(fits);
    const TypeNameSearch search(m_text);
    const auto isNamed = [&](const NamedType& c) { return search.isNameOf(c.name); };
    if (const auto fits = those(isNamed); !fits.empty()) return only(fits);
    if (const Address definition = definitionWithParameters()) return definition;
    if (const auto fits = thoseOfDefinition(); !fits.empty()) return only(fits);
    const auto holds = [&](const NamedType& c) { return search.isHeldBy(c.name); };
    if (const auto fits = those(holds); !fits.empty()) return only(fits);
    return failure(ErrorCode::NotFound, fmt::format("No loaded type is named {}, and none has it in its name.", m_text),
                   "The verb types lists those with objects; a type without objects may not have been loaded.");
  }

 private:
  using Fitting = std::vector<const NamedType*>;

  Fitting those(const auto& predicate) const {
    Fitting fits;
    for (const NamedType& candidate : m_candidates) {
      if (predicate(candidate)) fits.push_back(&candidate);
    }
    return fits;
  }

  /// A definition with its own parameters, as the verb generics prints it: "Shop.Pair<TKey, TValue>". What is open has
  /// no objects, and is in no list of loaded types.
  Address definitionWithParameters() const {
    const auto parsed = parseTypeName(m_text);
    if (!parsed || parsed->arguments.empty() || !parsed->suffixes.empty()) return {};
    for (const Module* module : m_readers.modules.all()) {
      const std::uint32_t row = module->metadata ? module->metadata->findTypeDef(parsed->definition) : 0;
      if (!row) continue;
      const auto parameters = module->metadata->genericParamNames({TableId::TypeDef, row});
      if (std::ranges::equal(parameters, parsed->arguments, {}, {}, &ParsedTypeName::writtenDefinition))
        return m_readers.loadedTypes.definition(*module, row);
    }
    return {};
  }

  /// A generic definition stands for its instantiations: "System.Collections.Generic.List`1", "List`1".
  Fitting thoseOfDefinition() const {
    if (m_text.find('`') == std::string::npos) return {};
    const Fitting all = those([&](const NamedType& candidate) {
      const auto type = m_readers.methodTables.read(candidate.methodTable);
      if (!type || type->isArray) return false;
      const auto row = m_readers.methodTables.typeDefRow(*type);
      const Module* module = m_readers.modules.definingModule(m_readers.methodTables, *type);
      if (!row || !module || !module->metadata) return false;
      const std::string name = module->metadata->typeDefName(*row);
      return name == m_text || name.ends_with("." + m_text) || name.ends_with("+" + m_text);
    });
    // Forms over type parameters and over System.__Canon are not what is asked for if there are others.
    Fitting used;
    std::ranges::copy_if(all, std::back_inserter(used), [](const NamedType* c) { return c->hasObjects; });
    return used.empty() ? all : used;
  }

  Result<Address> only(const Fitting& fits) const {
    if (fits.size() == 1) return fits.front()->methodTable;
    // Of types with the same name, as in two load contexts, the one with objects is meant.
    const bool isOneName = std::ranges::all_of(fits, [&](const NamedType* c) { return c->name == fits.front()->name; });
    if (isOneName && std::ranges::count_if(fits, &NamedType::hasObjects) == 1)
      return (*std::ranges::find_if(fits, &NamedType::hasObjects))->methodTable;
    std::string names;
    for (const NamedType* candidate : std::span(fits).first(std::min(fits.size(), kNamesInMessage))) {
      if (!names.empty()) names += ", ";
      names += fmt::format("{} ({})", candidate->name, toString(candidate->methodTable));
    }
    if (fits.size() > kNamesInMessage) names += " …";
    return failure(ErrorCode::BadQuery, fmt::format("{} loaded types fit {}: {}.", fits.size(), m_text, names),
                   "Give the whole name, or the address of the method table.");
  }

  const RuntimeReaders& m_readers;
  const std::string m_text;
  const std::stop_token m_stop;
  std::vector<NamedType> m_candidates;  // by name
};

}  // namespace

Result<Address> findType(const Snapshot& snapshot, const std::string& nameOrAddress, std::stop_token stop) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  Address address;
  if (tryParseAddress(nameOrAddress, address)) {
    if (readers.methodTables.isMethodTable(address)) return address;
    if (nameOrAddress.starts_with("0x"))
      return failure(ErrorCode::NotFound, "There is no method table at " + toString(address) + ".");
  }
  return TypeFinder(snapshot, nameOrAddress, std::move(stop)).find();
}

}  // namespace heapscape::engine

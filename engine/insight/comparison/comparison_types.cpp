// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

using TypeKey = std::pair<std::string, std::string>;  // name and assembly

class TypeMatcher {
 public:
  void add(const Snapshot& snapshot, bool isAfter) {
    const std::vector<TypeRow>& types = snapshot.types();
    for (std::uint32_t i = 0; i < types.size(); ++i)
      if (snapshot.typeCounts().count[i]) add(snapshot, TypeId{i}, types[i], isAfter);
  }

  std::vector<TypeChange> take() {
    joinMovedTypes();
    std::vector<TypeChange> types;
    for (auto& [key, type] : m_types) types.push_back(std::move(type));
    return types;
  }

 private:
  static void addTo(Change& change, bool isAfter, std::uint64_t value) {
    (isAfter ? change.after : change.before) += value;
  }

  void add(const Snapshot& snapshot, TypeId id, const TypeRow& row, bool isAfter) {
    TypeChange& type = m_types[{row.name, row.assembly}];
    type.name = row.name;
    type.assembly = row.assembly;
    type.isFree = row.isFree;
    (isAfter ? type.typesAfter : type.typesBefore).push_back(id);
    addTo(type.count, isAfter, snapshot.typeCounts().count[id.value]);
    addTo(type.bytes, isAfter, snapshot.typeCounts().bytes[id.value]);
    if (id.value < snapshot.typePaddingBytes().size())
      addTo(type.padding, isAfter, snapshot.typePaddingBytes()[id.value]);
    if (id.value < snapshot.typeRetained().size())
      addTo(type.retained, isAfter, snapshot.typeRetained()[id.value].retainedBytes);
    std::uint64_t& size = isAfter ? type.instanceBytes.after : type.instanceBytes.before;
    if (row.componentSize == 0) size = std::max<std::uint64_t>(size, row.baseSize);
  }

  // .NET moves types between its assemblies from version to version. Where several may be meant, as of internal ones
  // that many assemblies have a copy of, none is.
  void joinMovedTypes() {
    struct Places {
      std::vector<TypeKey> gone, fresh;
    };
    std::map<std::string, Places> places;  // by name
    for (const auto& [key, type] : m_types) {
      if (!isFrameworkAssembly(key.second) || type.isNew() == type.isGone()) continue;
      Places& of = places[key.first];
      (type.isNew() ? of.fresh : of.gone).push_back(key);
    }
    for (const auto& [name, of] : places) {
      if (of.gone.size() != 1 || of.fresh.size() != 1) continue;
      join(m_types.at(of.fresh.front()), m_types.at(of.gone.front()));
      m_types.erase(of.gone.front());
    }
  }

  static void join(TypeChange& type, const TypeChange& gone) {
    type.typesBefore = gone.typesBefore;
    for (const auto member : {&TypeChange::count, &TypeChange::bytes, &TypeChange::padding, &TypeChange::retained,
                              &TypeChange::instanceBytes})
      (type.*member).before = (gone.*member).before;
  }

  std::map<TypeKey, TypeChange> m_types;
};

// Up to the first "<", for arguments have namespaces of their own.
std::string withoutNamespace(const std::string& name) {
  const std::size_t dot = std::string_view(name).substr(0, name.find('<')).rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

void guessMovedTypes(std::vector<TypeChange>& types) {
  struct Candidates {
    TypeChange* fresh = nullptr;
    const TypeChange* gone = nullptr;
    bool isAmbiguous = false;
  };
  std::map<TypeKey, Candidates> candidates;
  for (TypeChange& type : types) {
    if (type.isFree || type.isNew() == type.isGone()) continue;
    Candidates& of = candidates[{withoutNamespace(type.name), type.assembly}];
    of.isAmbiguous = of.isAmbiguous || (type.isNew() ? of.fresh != nullptr : of.gone != nullptr);
    if (type.isNew()) {
      of.fresh = &type;
    } else {
      of.gone = &type;
    }
  }
  for (const auto& [key, of] : candidates)
    if (of.fresh && of.gone && !of.isAmbiguous) of.fresh->perhapsWas = of.gone->name;
}

std::vector<TypeChange> compareTypes(const Snapshot& before, const Snapshot& after) {
  TypeMatcher matcher;
  matcher.add(before, false);
  matcher.add(after, true);
  std::vector<TypeChange> types = matcher.take();
  guessMovedTypes(types);
  sortByGrowth(types, GrowthColumn::Bytes);
  return types;
}

}  // namespace heapscape::engine

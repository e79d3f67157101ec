// SPDX-License-Identifier: MIT
#include "insight/comparison/matched_types.h"

#include <algorithm>
#include <map>
#include <utility>

#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

using NameAndAssembly = std::pair<std::string_view, std::string_view>;
using TypesByKey = std::map<NameAndAssembly, MatchedType>;

void addTo(TypeFigures& type, const Snapshot& snapshot, std::uint32_t id, const TypeRow& row) {
  type.isFree = row.isFree;
  type.types.push_back(TypeId{id});
  type.count += snapshot.typeCounts().count[id];
  type.bytes += snapshot.typeCounts().bytes[id];
  if (id < snapshot.typePaddingBytes().size()) type.padding += snapshot.typePaddingBytes()[id];
  if (id < snapshot.typeRetained().size()) type.retained += snapshot.typeRetained()[id].retainedBytes;
  if (row.componentSize == 0) type.instanceBytes = std::max<std::uint64_t>(type.instanceBytes, row.baseSize);
}

bool isInAll(const MatchedType& type) {
  return std::ranges::find(type.dumps, nullptr) == type.dumps.end();
}

std::size_t lastDumpOf(const MatchedType& type) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < type.dumps.size(); ++i)
    if (type.dumps[i]) last = i;
  return last;
}

// Where several may be meant, as of internal ones that many assemblies have a copy of, none is.
void joinMovedTypes(TypesByKey& types, std::size_t dumps) {
  std::map<std::string_view, std::vector<NameAndAssembly>> places;  // by name
  for (const auto& [key, type] : types)
    if (isFrameworkAssembly(key.second) && !isInAll(type)) places[key.first].push_back(key);
  for (const auto& [name, keys] : places) {
    std::vector<int> inDump(dumps);
    for (const NameAndAssembly& key : keys)
      for (std::size_t i = 0; i < dumps; ++i) inDump[i] += types.at(key).dumps[i] != nullptr;
    if (keys.size() < 2 || std::ranges::any_of(inDump, [](int count) { return count > 1; })) continue;
    const NameAndAssembly latest =
        *std::ranges::max_element(keys, {}, [&](const NameAndAssembly& key) { return lastDumpOf(types.at(key)); });
    MatchedType& joined = types.at(latest);
    for (const NameAndAssembly& key : keys) {
      if (key == latest) continue;
      for (std::size_t i = 0; i < dumps; ++i)
        if (const TypeFigures* figures = types.at(key).dumps[i]) joined.dumps[i] = figures;
      types.erase(key);
    }
  }
}

}  // namespace

const TypeFigures& MatchedType::latest() const {
  return *dumps[lastDumpOf(*this)];
}

bool mayHaveMoved(std::string_view assembly, std::string_view other) {
  return isFrameworkAssembly(assembly) && isFrameworkAssembly(other);
}

std::vector<TypeFigures> typeFiguresOf(const Snapshot& snapshot) {
  std::map<NameAndAssembly, TypeFigures> types;
  const std::vector<TypeRow>& rows = snapshot.types();
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (!snapshot.typeCounts().count[i]) continue;
    TypeFigures& type = types[{rows[i].name, rows[i].assembly}];
    addTo(type, snapshot, i, rows[i]);
    type.name = rows[i].name;
    type.assembly = rows[i].assembly;
  }
  std::vector<TypeFigures> figures;
  for (auto& [key, type] : types) figures.push_back(std::move(type));
  return figures;
}

std::vector<MatchedType> matchTypes(std::span<const std::vector<TypeFigures>* const> dumps) {
  TypesByKey types;
  for (std::size_t i = 0; i < dumps.size(); ++i) {
    for (const TypeFigures& figures : *dumps[i]) {
      MatchedType& type = types[{figures.name, figures.assembly}];
      type.dumps.resize(dumps.size());
      type.dumps[i] = &figures;
    }
  }
  joinMovedTypes(types, dumps.size());
  std::vector<MatchedType> matched;
  for (auto& [key, type] : types) matched.push_back(std::move(type));
  return matched;
}

}  // namespace heapscape::engine

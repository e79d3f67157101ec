// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "insight/comparison/matched_types.h"

namespace heapscape::engine {
namespace {

using TypeKey = std::pair<std::string, std::string>;  // name and assembly

TypeChange changeOf(const MatchedType& matched) {
  const TypeFigures& latest = matched.latest();
  TypeChange type;
  type.name = latest.name;
  type.assembly = latest.assembly;
  type.isFree = latest.isFree;
  if (matched.isInSeveralContexts) type.loadContext = latest.loadContext;
  const auto take = [&type](const TypeFigures* figures, std::uint64_t Change::*side, std::vector<TypeId>& ids) {
    if (!figures) return;
    ids = figures->types;
    type.count.*side = figures->count;
    type.bytes.*side = figures->bytes;
    type.padding.*side = figures->padding;
    type.retained.*side = figures->retained;
    type.instanceBytes.*side = figures->instanceBytes;
  };
  take(matched.dumps[0], &Change::before, type.typesBefore);
  take(matched.dumps[1], &Change::after, type.typesAfter);
  return type;
}

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
  const std::vector<TypeFigures> figuresBefore = typeFiguresOf(before), figuresAfter = typeFiguresOf(after);
  std::vector<TypeChange> types;
  for (const MatchedType& matched : matchTypes(std::array{&figuresBefore, &figuresAfter}))
    types.push_back(changeOf(matched));
  guessMovedTypes(types);
  sortByGrowth(types, GrowthColumn::Bytes);
  return types;
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "every_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "layout/advice/changed_layout.h"

namespace heapscape::test {
namespace {

using engine::DeclarationChange;
using engine::ElementType;
using engine::FieldDeclaration;
using engine::LayoutKind;

std::uint32_t bytesIf(engine::LayoutRules& rules, engine::ClosedTypeId type, const DeclarationChange& change) {
  const auto variant = engine::layOutChanged(rules, type, change);
  return variant ? variant->instanceBytes : UINT32_MAX;
}

// Below a base with bytes the runtime counts that base once more, so that alignment is not a matter of offsets alone.
bool mayBeExplicit(engine::LayoutRules& rules, const engine::TypeDeclaration& declaration) {
  if (declaration.base.isNone()) return true;
  const auto base = rules.placementOf(declaration.base);
  return base && (*base)->fieldBytes == 0;
}

std::vector<std::uint32_t> naturalOffsets(engine::LayoutRules& rules, const engine::TypeDeclaration& declaration,
                                          const std::vector<std::uint32_t>& sizes,
                                          const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> offsets;
  std::uint32_t end = 0;
  for (const std::uint32_t i : order) {
    const std::uint32_t alignment = engine::alignmentOfField(rules, declaration.fields[i]).value_or(1);
    offsets.push_back((end + alignment - 1) & ~(alignment - 1));
    end = offsets.back() + sizes[i];
  }
  return offsets;
}

}  // namespace

std::uint32_t fewestBytesOfEveryOrder(engine::LayoutRules& rules, engine::ClosedTypeId type) {
  const engine::TypeDeclaration& declaration = **rules.types().declarationOf(type);
  const std::vector<std::uint32_t> sizes = (*rules.placementOf(type))->sizes;
  // Fields of one type may change places without any difference, so one order of theirs is enough.
  std::map<std::tuple<ElementType, engine::ClosedTypeId>, std::vector<std::uint32_t>> alike;
  for (std::uint32_t i = 0; i < declaration.fields.size(); ++i) {
    const FieldDeclaration& field = declaration.fields[i];
    const auto valueType = field.element == ElementType::ValueType ? field.type : engine::ClosedTypeId{};
    alike[{field.element, valueType}].push_back(i);
  }
  std::vector<std::uint32_t> groups;
  std::vector<std::vector<std::uint32_t>> members;
  for (const auto& [key, fields] : alike) {
    groups.insert(groups.end(), fields.size(), static_cast<std::uint32_t>(members.size()));
    members.push_back(fields);
  }
  std::vector<DeclarationChange> attributes(4);
  attributes[1].layoutKind = LayoutKind::Auto;
  attributes[2].layoutKind = LayoutKind::Sequential;
  attributes[3] = attributes[2];
  attributes[3].pack = attributes[3].size = 0;
  if (declaration.layoutKind == LayoutKind::Explicit) attributes.erase(attributes.begin());
  std::uint32_t fewest = bytesIf(rules, type, {});
  do {
    std::vector<std::size_t> next(members.size());
    std::vector<std::uint32_t> order;
    for (const std::uint32_t group : groups) order.push_back(members[group][next[group]++]);
    for (DeclarationChange change : attributes) {
      change.order = order;
      fewest = std::min(fewest, bytesIf(rules, type, change));
    }
    if (!mayBeExplicit(rules, declaration)) continue;
    DeclarationChange change;
    change.layoutKind = LayoutKind::Explicit;
    change.pack = change.size = 0;
    change.order = order;
    change.explicitOffsets = naturalOffsets(rules, declaration, sizes, order);
    fewest = std::min(fewest, bytesIf(rules, type, change));
  } while (std::ranges::next_permutation(groups).found);
  return fewest;
}

}  // namespace heapscape::test

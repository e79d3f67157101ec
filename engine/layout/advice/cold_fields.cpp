// SPDX-License-Identifier: MIT
#include "layout/advice/cold_fields.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "layout/advice/changed_layout.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kColdShare = 10;         // used by at most one object in so many
constexpr std::uint64_t kFewestInstances = 100;  // fewer tell nothing about which fields are used
constexpr std::size_t kMaximumTries = 64;        // of how many of the coldest fields move

/// Types as they are, but for one.
class RedeclaredType : public ChangedTypes {
 public:
  RedeclaredType(DeclaredTypes& types, ClosedTypeId id, TypeDeclaration declaration)
      : ChangedTypes(types, {}), m_id(id), m_declaration(std::move(declaration)) {}

  Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) override {
    if (id == m_id) return &m_declaration;
    return ChangedTypes::declarationOf(id);
  }

 private:
  ClosedTypeId m_id;
  TypeDeclaration m_declaration;
};

struct ColdField {
  std::uint32_t index = 0;
  std::uint64_t used = 0;
};

Result<std::uint32_t> bytesIfDeclared(LayoutRules& rules, ClosedTypeId type, TypeDeclaration declaration) {
  RedeclaredType types(rules.types(), type, std::move(declaration));
  LayoutRules changed(types, rules, {type});
  return instanceBytesOf(changed, type);
}

class ColdSplitSearch {
 public:
  ColdSplitSearch(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration)
      : m_rules(rules), m_type(type), m_declaration(declaration) {}

  Result<std::optional<ColdSplit>> run(std::span<const FieldUse> use) {
    HEAPSCAPE_TRY(m_bytes, instanceBytesOf(m_rules, m_type));
    findCold(use);
    std::optional<ColdSplit> best;
    for (std::size_t count = 1; count <= std::min(m_cold.size(), kMaximumTries); ++count) {
      auto split = splitOff(count);
      if (!split) continue;  // what is left may not be loadable, as without the fields of a declared size
      if (split->savedInAll > (best ? best->savedInAll : 0)) best = std::move(*split);
    }
    return best;
  }

 private:
  void findCold(std::span<const FieldUse> use) {
    const std::string& ownName = m_rules.types().nameOf(m_type);
    std::unordered_map<std::string_view, const FieldUse*> own;
    for (const FieldUse& field : use)
      if (field.declaringType == ownName) own.emplace(field.name, &field);
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) {
      const auto told = own.find(m_declaration.fields[i].name);
      if (told == own.end() || told->second->instances < kFewestInstances) continue;
      if (told->second->used > told->second->instances / kColdShare) continue;
      m_instances = std::max(m_instances, told->second->instances);
      m_cold.push_back({i, told->second->used});
    }
    std::ranges::stable_sort(m_cold, {}, &ColdField::used);
  }

  // The object keeps a reference to the second one, which only those have that need it.
  Result<ColdSplit> splitOff(std::size_t count) {
    TypeDeclaration hot = m_declaration;
    TypeDeclaration cold;
    cold.assembly = m_declaration.assembly;
    hot.fields.clear();
    ColdSplit split;
    std::vector<bool> isCold(m_declaration.fields.size());
    for (const ColdField& field : std::span(m_cold).first(count)) {
      isCold[field.index] = true;
      split.users += std::min(field.used, m_instances);
    }
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) {
      (isCold[i] ? cold : hot).fields.push_back(m_declaration.fields[i]);
      if (isCold[i]) split.fields.emplace_back(m_declaration.fields[i].name);
    }
    FieldDeclaration& reference = hot.fields.emplace_back();
    reference.name = "cold";
    reference.element = ElementType::Class;
    HEAPSCAPE_TRY(const std::uint32_t hotBytes, bytesIfDeclared(m_rules, m_type, std::move(hot)));
    HEAPSCAPE_TRY(split.coldBytes, bytesIfDeclared(m_rules, m_type, std::move(cold)));
    split.isUsersExact = count == 1;
    split.users = std::min(split.users, m_instances);
    split.instances = m_instances;
    split.savedBytes = m_bytes - std::min(m_bytes, hotBytes);
    split.savedInAll = static_cast<std::int64_t>(m_instances * split.savedBytes) -
                       static_cast<std::int64_t>(split.users * split.coldBytes);
    return split;
  }

  LayoutRules& m_rules;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  std::uint32_t m_bytes = 0;
  std::uint64_t m_instances = 0;
  std::vector<ColdField> m_cold;  // the least used first
};

}  // namespace

Result<std::optional<ColdSplit>> bestColdSplit(LayoutRules& rules, ClosedTypeId type, std::span<const FieldUse> use) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  if (declaration->kind != TypeKind::Class || declaration->wellKnown != WellKnownType::None || use.empty())
    return std::optional<ColdSplit>();
  return ColdSplitSearch(rules, type, *declaration).run(use);
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "layout/advice/changed_layout.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include <vector>

#include "layout/framework_assembly.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {

Result<ChangedLayout> layOutChanged(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change) {
  ChangedTypes types(rules.types(), {{type, change}});
  LayoutRules changed(types, rules, types.changed());
  ChangedLayout layout;
  HEAPSCAPE_TRY(layout.instanceBytes, instanceBytesOf(changed, type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, changed.placementOf(type));
  layout.placement = *placement;
  return layout;
}

Result<std::uint32_t> instanceBytesOf(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  if (declaration->kind != TypeKind::Struct && declaration->kind != TypeKind::Enum) return rules.baseSizeOf(type);
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  return placement->fieldBytes;
}

Result<std::uint32_t> alignmentOfField(LayoutRules& rules, const FieldDeclaration& field) {
  if (!isPlacedAsValueType(field)) {
    const std::uint32_t size = primitiveSize(field.element);
    return size ? size : kPointerBytes;
  }
  HEAPSCAPE_TRY(const FieldPlacement* value, rules.placementOf(field.type));
  return value->references.empty() ? value->alignment : kPointerBytes;
}

bool fieldsOverlap(const FieldPlacement& placement) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (std::size_t i = 0; i < placement.offsets.size(); ++i)
    parts.emplace_back(placement.offsets[i], std::uint64_t{placement.offsets[i]} + placement.sizes[i]);
  std::sort(parts.begin(), parts.end());
  const auto overlap = [](const auto& a, const auto& b) { return b.first < a.second; };
  return std::ranges::adjacent_find(parts, overlap) != parts.end();
}

bool isPlacedAsValueType(const FieldDeclaration& field) {
  return field.element == ElementType::ValueType || field.element == ElementType::TypedByRef;
}

bool isOfFramework(DeclaredTypes& types, ClosedTypeId type) {
  const std::string& assembly = types.assemblyName(types.type(type).assembly);
  return assembly.empty() ? isFrameworkMember(types.nameOf(type)) : isFrameworkAssembly(assembly);
}

namespace {

class CautionWriter {
 public:
  CautionWriter(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration,
                const DeclarationChange& change)
      : m_rules(rules), m_type(type), m_declaration(declaration), m_change(change) {}

  Result<std::string> write() {
    if (isOfFramework(m_rules.types(), m_type)) {
      const std::string& assembly = m_rules.types().assemblyName(m_declaration.assembly);
      return fmt::format("The type belongs to the framework{} and cannot be changed.",
                         assembly.empty() ? std::string() : " (" + assembly + ")");
    }
    if (isMadeByCompiler(m_rules.types().nameOf(m_type)))
      return std::string("The compiler makes this type and chooses the order of its fields.");
    HEAPSCAPE_TRY(const FieldPlacement* placement, m_rules.placementOf(m_type));
    addMeaningOfDeclared(*placement);
    if (m_change.layoutKind && *m_change.layoutKind != LayoutKind::Explicit && fieldsOverlap(*placement))
      add("Fields that share bytes now would no longer do so.");
    if (m_change.layoutKind == LayoutKind::Explicit)
      add("Offsets have to be kept right by hand whenever a field changes.");
    if (m_declaration.isGeneric) add("With other type arguments another order may be the best.");
    return std::move(m_text);
  }

 private:
  void addMeaningOfDeclared(const FieldPlacement& placement) {
    const bool dropsSize = m_declaration.size && m_change.size;
    const bool dropsPack = m_declaration.pack && m_change.pack;
    if (m_declaration.layoutKind == LayoutKind::Explicit) {
      add("Its offsets are given by hand: native code or a file format may rely on them.");
    } else if (dropsSize && placement.effective == LayoutKind::Sequential) {
      add(fmt::format("Size = {} is declared and may be meant, for native code or to keep threads off one cache line.",
                      m_declaration.size));
    } else if (dropsPack && placement.effective == LayoutKind::Sequential) {
      add(fmt::format("Pack = {} is declared and may be meant: native code or a file format may rely on it.",
                      m_declaration.pack));
    } else if (placement.effective == LayoutKind::Sequential) {
      add("If native code or raw bytes are read as this type, its order is part of that contract.");
    }
  }

  void add(std::string_view sentence) {
    if (!m_text.empty()) m_text += ' ';
    m_text += sentence;
  }

  LayoutRules& m_rules;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  const DeclarationChange& m_change;
  std::string m_text;
};

}  // namespace

Result<std::string> cautionAgainst(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  return CautionWriter(rules, type, *declaration, change).write();
}

// Angle brackets of type arguments follow a name; those of the compiler begin one.
bool isMadeByCompiler(std::string_view typeName) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < typeName.size(); ++at) {
    const bool beginsName = at == 0 || typeName[at - 1] == '+' || typeName[at - 1] == '.';
    if (typeName[at] == '<' && depth == 0 && beginsName) return true;
    if (typeName[at] == '<') ++depth;
    if (typeName[at] == '>' && depth) --depth;
  }
  return false;
}

}  // namespace heapscape::engine

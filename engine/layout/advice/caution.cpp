// SPDX-License-Identifier: MIT
#include "layout/advice/caution.h"

#include <fmt/format.h>

#include "layout/advice/changed_layout.h"
#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

class CautionWriter {
 public:
  CautionWriter(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration,
                const DeclarationChange& change)
      : m_rules(rules), m_type(type), m_declaration(declaration), m_change(change) {}

  Result<std::string> write() {
    const std::string& assembly = m_rules.types().assemblyName(m_declaration.assembly);
    if (isFrameworkAssembly(assembly))
      return "The type belongs to the framework (" + assembly + ") and cannot be changed.";
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

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "layout/advice/caution.h"
#include "layout/advice/csharp_source.h"
#include "layout/advice/type_advice.h"

namespace heapscape::engine {
namespace {

// What C# declares where nothing is written.
LayoutKind defaultKind(const TypeDeclaration& declaration) {
  return declaration.kind == TypeKind::Struct ? LayoutKind::Sequential : LayoutKind::Auto;
}

std::string_view csharpName(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return "Auto";
    case LayoutKind::Sequential:
      return "Sequential";
    case LayoutKind::Explicit:
      return "Explicit";
  }
  return "Auto";
}

std::string attributeOf(const TypeDeclaration& declaration, const std::string& charSet) {
  std::string text;
  if (declaration.inlineArrayLength) text = fmt::format("[InlineArray({})]\n", *declaration.inlineArrayLength);
  const bool isDefault = declaration.layoutKind == defaultKind(declaration);
  if (isDefault && !declaration.pack && !declaration.size && charSet.empty()) return text;
  text += fmt::format("[StructLayout(LayoutKind.{}", csharpName(declaration.layoutKind));
  if (declaration.pack) text += fmt::format(", Pack = {}", declaration.pack);
  if (declaration.size) text += fmt::format(", Size = {}", declaration.size);
  if (!charSet.empty()) text += ", CharSet = " + charSet;
  return text + ")]\n";
}

std::string commentOn(const std::string& typeName, const TypeDeclaration& declaration, bool isReordered) {
  if (isMadeByCompiler(typeName)) return "// The compiler makes this type; in C# it would be:\n";
  const bool hasProperty = std::ranges::any_of(declaration.fields, CSharpSource::isOfProperty);
  return hasProperty && isReordered ? "// The order of automatic properties is that of their fields.\n" : "";
}

}  // namespace

Result<std::string> csharpDeclaration(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change) {
  ChangedTypes types(rules.types(), {{type, change}});
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, types.declarationOf(type));
  if (declaration->kind != TypeKind::Class && declaration->kind != TypeKind::Struct) return std::string();
  const CSharpSource source(types, type, *declaration);
  std::string text = commentOn(types.nameOf(type), *declaration, !change.order.empty());
  text += attributeOf(*declaration, source.charSet());
  text += source.typeModifiers() + source.typeName();
  if (const std::string base = source.baseName(); !base.empty()) text += " : " + base;
  text += "\n{\n";
  for (const FieldDeclaration& field : declaration->fields) text += "    " + source.member(field) + "\n";
  return text + "}\n";
}

}  // namespace heapscape::engine

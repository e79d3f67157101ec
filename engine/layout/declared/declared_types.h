// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "layout/declared/closed_type.h"
#include "layout/declared/type_declaration.h"

namespace heapscape::engine {

/// Where the layout rules get their types from. Not for use from several threads at once.
class DeclaredTypes {
 public:
  virtual ~DeclaredTypes() = default;

  virtual const ClosedType& type(ClosedTypeId id) const = 0;
  /// The declaration of a class or value type, kept as long as this object. Fails with NotFound if an assembly that it
  /// needs is missing (which one), or with Damaged.
  virtual Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) = 0;
  /// The runtime's full name, "System.Collections.Generic.List<Shop.Order>".
  virtual const std::string& nameOf(ClosedTypeId id) = 0;
  /// The name of a field's type, also of one that was not looked for; `owner` declares the field.
  virtual std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) = 0;
  /// Simple name of its assembly, "System.Private.CoreLib".
  virtual const std::string& assemblyName(AssemblyId assembly) const = 0;
  /// Whether ReadyToRun code of one assembly may rely on layouts of another: they were compiled together, or are one.
  virtual bool sharesVersionBubble(AssemblyId assembly, AssemblyId other) const = 0;
  virtual bool isReadyToRun(AssemblyId assembly) const = 0;
  /// Its metadata, for what layouts do not depend on, as accessibility and names of type parameters; null if there is
  /// none.
  virtual const Metadata* metadataOf(AssemblyId) const { return nullptr; }
};

}  // namespace heapscape::engine

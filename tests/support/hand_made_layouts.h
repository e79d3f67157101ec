// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"

namespace heapscape::handmade {

inline engine::LayoutField field(const char* name, std::uint32_t offset, std::uint32_t size,
                                 engine::FieldKind kind = engine::FieldKind::Primitive,
                                 const char* type = "System.Int32") {
  engine::LayoutField made;
  made.declaringType = "Zoo.Order";
  made.name = name;
  made.typeName = type;
  made.offset = offset;
  made.sizeBytes = size;
  made.kind = kind;
  return made;
}

inline engine::LayoutField value(const char* name, const char* type, std::uint32_t offset, std::uint32_t size,
                                 std::vector<engine::LayoutField> nested) {
  engine::LayoutField made = field(name, offset, size, engine::FieldKind::ValueType, type);
  made.nested = std::move(nested);
  return made;
}

/// class Order { Customer Customer; int Id; bool Paid; } with 3 bytes of padding: 32 bytes an object.
inline engine::TypeLayout order() {
  engine::TypeLayout layout;
  layout.typeName = "Zoo.Order";
  layout.baseSize = 32;
  layout.fieldsBytes = 16;
  layout.declaredKind = engine::LayoutKind::Auto;
  layout.fields = {field("Customer", 0, 8, engine::FieldKind::Reference, "Zoo.Customer"), field("Id", 8, 4),
                   field("Paid", 12, 1, engine::FieldKind::Primitive, "System.Boolean")};
  layout.paddings = {{13, 3, "Zoo.Order", false}};
  layout.ownPaddingBytes = 3;
  layout.levels = {{"Zoo.Order", {}, 0, 13}};
  return layout;
}

/// A class around struct Price { byte Currency; long Amount; } at offset 8: 7 bytes of padding inside the value.
inline engine::TypeLayout priced() {
  engine::TypeLayout layout;
  layout.typeName = "Zoo.Priced";
  layout.baseSize = 40;
  layout.fieldsBytes = 24;
  layout.fields = {field("Name", 0, 8, engine::FieldKind::Reference, "System.String"),
                   value("Price", "Zoo.Price", 8, 16, {field("Currency", 8, 1), field("Amount", 16, 8)})};
  layout.paddings = {{9, 7, "Zoo.Price", true}};
  layout.nestedPaddingBytes = 7;
  return layout;
}

/// An array of those: 16 bytes an element, of which 7 are padding.
inline engine::TypeLayout prices() {
  engine::TypeLayout price;
  price.typeName = "Zoo.Price";
  price.kind = engine::TypeKind::Struct;
  price.valueSize = 16;
  price.fieldsBytes = 16;
  price.fields = {field("Currency", 0, 1), field("Amount", 8, 8)};
  price.paddings = {{1, 7, "Zoo.Price", false}};
  engine::TypeLayout layout;
  layout.kind = engine::TypeKind::Array;
  layout.typeName = "Zoo.Price[]";
  layout.elementTypeName = "Zoo.Price";
  layout.elementKind = engine::FieldKind::ValueType;
  layout.baseSize = 24;
  layout.componentSize = 16;
  layout.elementOffset = 16;
  layout.rank = 1;
  layout.elementLayout = {price};
  return layout;
}

/// A struct with explicit layout whose fields share their bytes; 8 bytes.
inline engine::TypeLayout unionOfFields() {
  engine::TypeLayout layout;
  layout.typeName = "Zoo.Union";
  layout.kind = engine::TypeKind::Struct;
  layout.effectiveKind = engine::LayoutKind::Explicit;
  layout.declaredKind = engine::LayoutKind::Explicit;
  layout.baseSize = 24;
  layout.valueSize = 8;
  layout.fieldsBytes = 8;
  layout.fields = {field("whole", 0, 8), field("low", 0, 4), field("high", 4, 4), field("top", 7, 1)};
  return layout;
}

}  // namespace heapscape::handmade

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/type_layout.h"

namespace heapscape::gui {

/// What a stretch of an object's bytes is.
enum class LayoutPart : std::uint8_t {
  Header,       // the object header in front of the object's address
  MethodTable,  // the pointer at the object's address
  Field,
  Padding,
  Unused,    // behind an array's length
  Element,   // of an array, or a character
  Repeated,  // several elements, or fields of an inline array, shown as one
};

/// One stretch of bytes of an object, or of an unboxed value. Offsets count from the object's address, so that the
/// header lies at −8 and the first field at 8; in an unboxed value they count from its start.
struct LayoutItem {
  LayoutPart part = LayoutPart::Field;
  engine::FieldKind kind = engine::FieldKind::Primitive;  // of fields and elements
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string name;
  std::string typeName;  // of a padding: the type whose padding it is
  std::string declaringType;
  engine::Address methodTable;
  std::uint32_t parent = kNoItem;
  int depth = 0;
  std::uint64_t repeats = 0;            // Repeated: how many; 0 for as many as the array is long
  std::vector<std::uint32_t> children;  // by offset

  static constexpr std::uint32_t kNoItem = 0xffffffff;
  std::int64_t sizeBytes() const { return end - begin; }
  bool canOpen() const { return !children.empty(); }
};

/// A class of the inheritance chain and the bytes it added.
struct LayoutLevel {
  std::string typeName;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// A layout as a tree of stretches of bytes: what the diagram, the table of fields and the text show. Parents come
/// before their children.
struct LayoutItems {
  std::vector<LayoutItem> items;
  std::vector<std::uint32_t> roots;  // by offset
  std::vector<LayoutLevel> levels;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t fieldsBegin = 0;  // 8 in an object, 0 in an unboxed value
  bool isUnboxed = false;

  const LayoutItem& operator[](std::uint32_t item) const { return items[item]; }
};

/// `isUnboxed` is for value types: without header and method table pointer.
LayoutItems buildLayoutItems(const engine::TypeLayout& layout, bool isUnboxed);

/// Whether an item or anything in it is padding.
bool holdsPadding(const LayoutItems& items, std::uint32_t item);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/type_layout.h"

namespace heapscape::engine {

/// For each of the fields, which come by offset: whether it shares bytes with another one, as in a union.
std::vector<bool> overlappingFields(std::span<const LayoutField> fields);

/// Kind of a stretch of an object's bytes.
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
  FieldKind kind = FieldKind::Primitive;  // of fields and elements
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string name;
  std::string typeName;  // of a padding: the type whose padding it is
  std::string declaringType;
  std::string why;  // of a padding: why its bytes are empty, as Padding::why; empty if that is not known
  Address methodTable;
  std::uint32_t parent = kNoItem;
  int depth = 0;
  std::uint64_t repeats = 1;            // how many elements it holds; 0 for as many as an array has that is not known
  std::int64_t hiddenPaddingBytes = 0;  // of a repetition: of what it holds, and not shown by itself; of one element if
                                        // repeats is 0
  std::int64_t mostTailBytes = 0;  // of an array's elements if repeats is 0: what may be left behind the last, up to
                                   // the 8 bytes that objects are rounded up to
  bool overlaps = false;           // of a field: shares bytes with one next to it, as in a union
  std::vector<std::uint32_t> children;  // by offset; of fields in a row those of the first

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

/// A layout as a tree of stretches of bytes: what diagrams, boxes of text and tables of fields show. Parents come
/// before their children, fields in the order of their layout, and paddings behind the fields beside them.
struct LayoutItems {
  std::vector<LayoutItem> items;
  std::vector<std::uint32_t> roots;  // by offset, of those that begin together the longest first
  std::vector<LayoutLevel> levels;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t fieldsBegin = 0;  // 8 in an object, 0 in an unboxed value
  bool isUnboxed = false;

  const LayoutItem& operator[](std::uint32_t item) const { return items[item]; }
};

/// How the fields in a row of an inline array or a fixed buffer become items: as a single one, or if there are many
/// the first two and the last by themselves.
enum class FieldRows : std::uint8_t { AsOne, ByTheirEnds };

/// `isUnboxed` is for value types: without header and method table pointer. `length`: how many elements or characters
/// the object has that this is about, if it is about one; then its end is known too, with what lies behind them.
LayoutItems buildLayoutItems(const TypeLayout& layout, bool isUnboxed, FieldRows rows = FieldRows::ByTheirEnds,
                             std::optional<std::uint64_t> length = std::nullopt);

/// The innermost fields of some that come by offset, those in a row one by one; by offset from where the layout's
/// fields start. Those that overlap are one item without a type. Names are paths: "Total.m_lo", "Items[2].Key", "real |
/// low".
std::vector<LayoutItem> leafItems(const std::vector<LayoutField>& fields);

/// Whether an item or anything in it is padding.
bool holdsPadding(const LayoutItems& items, std::uint32_t item);

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "layout/type_layout.h"
#include "session/layouts/declared_layouts.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What a field may be tried as, by C#'s names. For a layout only size and alignment count, which an enum over it and
/// the type without a sign share.
enum class TriedType : std::uint8_t { Bool, Byte, Char, Short, Int, Long, Float, Double };
template <>
inline constexpr auto kEnumNames<TriedType> = std::to_array<EnumName<TriedType>>({{TriedType::Bool, "bool"},
                                                                                  {TriedType::Byte, "byte"},
                                                                                  {TriedType::Char, "char"},
                                                                                  {TriedType::Short, "short"},
                                                                                  {TriedType::Int, "int"},
                                                                                  {TriedType::Long, "long"},
                                                                                  {TriedType::Float, "float"},
                                                                                  {TriedType::Double, "double"}});

/// A declaration to try. What is empty is as declared.
struct TriedDeclaration {
  std::optional<LayoutKind> kind;
  std::optional<std::uint32_t> pack;  // 0: natural
  std::optional<std::uint32_t> size;  // 0: none
  std::vector<std::uint32_t> order;   // own fields by their number as declared; those that are missing are left out
  std::map<std::uint32_t, TriedType> types;  // by the number as declared

  bool operator==(const TriedDeclaration&) const = default;
};

/// A field as the type itself declares it.
struct OwnField {
  std::string name;
  std::string typeName;
  bool isBool = false;
};

/// What there is to change in a declaration.
struct OwnDeclaration {
  LayoutKind kind = LayoutKind::Auto;
  std::uint32_t pack = 0;
  std::uint32_t size = 0;
  std::vector<OwnField> fields;  // in the order of their declaration, bases' left out
  bool canChange = false;        // false for what is laid out in one way alone, as enums and strings are
};
/// Of an array that of the value type it holds. Fails as DeclaredLayouts::layout() does.
Result<OwnDeclaration> ownDeclaration(const DeclaredLayouts& layouts, LayoutTypeId type);

/// All that the heap holds of a type and of all others of its generic definition, to tell at once what it would take up
/// declared otherwise: objects, boxes, arrays, derived classes, and what holds them by value.
class HeapOfType {
 public:
  struct Parts;
  explicit HeapOfType(std::unique_ptr<Parts> parts);
  ~HeapOfType();

  Parts& parts() const { return *m_parts; }

 private:
  std::unique_ptr<Parts> m_parts;
};
/// Reads it, lengths of arrays included. Null where there is no heap, or nothing on it.
Outcome<std::shared_ptr<const HeapOfType>> heapOfType(const Snapshot& snapshot, const DeclaredLayouts& layouts,
                                                      LayoutTypeId type, std::stop_token stop);

/// A type as it would be laid out.
struct TriedLayout {
  LayoutVariant layout;  // with reasons and the declaration as C#
  /// Bytes that the heap would shrink by, to the byte; negative if it would grow. Nothing without a heap, or if the
  /// runtime would refuse one of the types on it.
  std::optional<std::int64_t> savedOnHeap;
};
/// Lays the type out by the rules of the runtime as if it were declared so. `heap`: of the same type, or null. Fails as
/// DeclaredLayouts::layout() does, so also with the runtime's reason to refuse such a type.
Result<TriedLayout> tryDeclaration(const DeclaredLayouts& layouts, LayoutTypeId type, const TriedDeclaration& tried,
                                   const HeapOfType* heap);

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "metadata/signature.h"
#include "runtime/aot/dwarf_file.h"

namespace heapscape::engine {

/// A type by its place in DwarfTypes.
using DwarfTypeId = std::uint32_t;
inline constexpr DwarfTypeId kNoDwarfType = UINT32_MAX;

/// A type as the compiler tells it to debuggers.
struct DwarfType {
  enum class Kind : std::uint8_t {
    Other,  // arrays among others, which the program's own data tell of
    Class,  // classes and value types
    Enum,
    Number,     // a number, a character or a truth value
    Reference,  // to an object, or to a variable
    Pointer,
  };

  Kind kind = Kind::Other;
  bool isDeclaration = false;              // of a class that is described elsewhere, under the same name
  ElementType element = ElementType::End;  // of a Number
  std::string_view name = {};              // as the linker knows it: "aotapp_Zoo_Pair_2<String__Int32>"
  std::uint32_t sizeBytes = 0;             // of a class with its MethodTable pointer, but without the object's header
  DwarfTypeId target = kNoDwarfType;       // what a class derives from, a reference or pointer leads to, an enum is
  std::uint32_t firstMember = 0;           // of a Class among members(), of an Enum among enumerators()
  std::uint32_t members = 0;
};

struct DwarfMember {
  std::string_view name;
  DwarfTypeId type = kNoDwarfType;
  std::uint32_t offset = 0;  // from the start of the object or the value
  bool isStatic = false;
};

struct DwarfEnumerator {
  std::string_view name;
  std::uint64_t value = 0;  // sign-extended
};

/// Where some static field of a class lies; which one, the compiler (up to .NET 11) tells wrongly.
struct DwarfStaticPlace {
  DwarfTypeId declaring = kNoDwarfType;
  std::uint64_t base = 0;    // in the program's file: where the fields lie, or the reference to the object with them
  std::uint32_t offset = 0;  // of the field, from there
  bool isInObject = false;
};

/// All types of managed code that a program's debugging information tells of, read once. Numbers and names come out of
/// a file that may be damaged: a type that is not whole is left out, and what a member refers to may be kNoDwarfType.
/// The file is no longer needed afterwards. Safe from any thread.
class DwarfTypes {
 public:
  /// Fails with Damaged, or NotFound if no unit of the file is of managed code.
  static Result<DwarfTypes> read(DwarfFile& file);

  std::size_t size() const { return m_types.size(); }
  const DwarfType& type(DwarfTypeId id) const { return m_types[id]; }
  /// The class or enum of a name: the enum where there are both, and never a declaration; kNoDwarfType if there is
  /// none.
  DwarfTypeId find(std::string_view name) const;
  /// A declaration's class, else the type itself.
  DwarfTypeId described(DwarfTypeId id) const;
  std::span<const DwarfMember> membersOf(const DwarfType& type) const;
  std::span<const DwarfEnumerator> enumeratorsOf(const DwarfType& type) const;
  /// By class, then in the file's order.
  std::span<const DwarfStaticPlace> staticPlaces() const { return m_places; }

 private:
  friend class DwarfTypeReader;

  std::unique_ptr<std::pmr::monotonic_buffer_resource> m_texts =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<DwarfType> m_types;
  std::vector<DwarfMember> m_members;
  std::vector<DwarfEnumerator> m_enumerators;
  std::vector<DwarfStaticPlace> m_places;
  std::unordered_map<std::string_view, DwarfTypeId> m_byName;
};

}  // namespace heapscape::engine

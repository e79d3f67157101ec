// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_type_names.h"

namespace heapscape::engine {

/// Where the thread statics of one class lie: for each thread in an object that holds those of most classes, or in one
/// that is their own.
struct AotThreadPlace {
  Address typeManager;       // of the compiled module
  std::uint32_t module = 0;  // its number
  std::uint32_t index = 0;   // of their own object among the module's; 0: in the common one
  std::uint32_t start = 0;   // in the object
  std::uint32_t end = 0;
  Address holderType;  // the object's MethodTable
};

/// The places of all classes, which compiled code reads out of the program itself (TypeThreadStaticIndexNode and
/// ThreadStaticsRegion, src/coreclr/tools/aot/ILCompiler.Compiler). Checked on 8.0.31, 9.0.20, 10.0.12 and 11.0.0.
class AotThreadPlaces {
 public:
  /// A place in the program that tells where the thread statics of a class lie.
  struct Noted {
    std::string className;  // as the linker knows it
    Address note;
  };
  /// What is not in the dump, or contradicts itself, is left out.
  AotThreadPlaces(const AotMethodTables& methodTables, const AotModules& modules, std::vector<Noted> noted);

  struct Class {
    std::string name;
    AotThreadPlace place;
  };
  /// By module, object and place in it.
  std::span<const Class> all() const { return m_classes; }
  /// Null if the class has none.
  const AotThreadPlace* find(std::string_view className) const;

 private:
  std::vector<Class> m_classes;
  std::unordered_map<std::string_view, std::size_t> m_byName;
};

/// Offsets in an object where its type says that references lie, ascending; none if that cannot be read.
std::vector<std::uint32_t> referencePlacesOf(const AotMethodTables& methodTables, Address methodTable);

}  // namespace heapscape::engine

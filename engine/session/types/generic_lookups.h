// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "runtime/types/generic_dictionary.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

struct TypeDetails;

/// How far a slot of a generic dictionary has come.
enum class SlotState : std::uint8_t {
  Argument,  // a type argument, there from the start
  Size,      // the dictionary's own size
  Filled,    // looked up before: the next lookup reads it
  Empty,     // code looks it up, but has not yet: the next lookup asks the runtime, which fills it
  Beyond,    // the same, and the dictionary ends before it: the runtime makes a larger one first
  Free,      // no code looks it up
};

template <>
inline constexpr auto kEnumNames<SlotState> = std::to_array<EnumName<SlotState>>({{SlotState::Argument, "argument"},
                                                                                  {SlotState::Size, "size"},
                                                                                  {SlotState::Filled, "filled"},
                                                                                  {SlotState::Empty, "empty"},
                                                                                  {SlotState::Beyond, "beyond"},
                                                                                  {SlotState::Free, "free"}});

/// A slot of a generic dictionary, or one that its layout has and it lacks.
struct DictionarySlot {
  std::uint32_t index = 0;
  Address address;  // 0 if Beyond
  Address value;
  std::string meaning;  // "T = System.String", a type or method that the slot's value names, or empty
  SlotState state = SlotState::Free;
  std::string kind = {};    // what code looks up: "type", "method entry" …; empty if it is not known
  std::string wanted = {};  // the same as the code says it: "List<T>"; empty if it cannot be told
  /// Code compares the dictionary's size before it reads the slot, which is one read more.
  bool checksSize = false;
  /// Code that was compiled ahead of time looks it up. The signature then lies in the image, which most dumps lack.
  bool isOfReadyToRun = false;
};

/// The figures of one dictionary. Slots are counted without the arguments and the size.
struct DictionaryFigures {
  Address address;
  Address layout;  // DictionaryLayout; 0 if the code looks nothing up
  std::uint32_t arguments = 0;
  std::uint32_t room = 0;                           // slots that the dictionary has
  std::uint32_t layoutSlots = 0;                    // that the layout has
  std::uint32_t initialSlots = 0;                   // that it had at first: behind them code compares the size
  std::uint32_t used = 0;                           // that code looks up
  std::uint32_t filled = 0, empty = 0, beyond = 0;  // of the used ones
  /// The layout cannot grow any more: what further code looks up has no slot and asks the runtime every time.
  bool isLayoutFull = false;
};

/// The dictionary of a generic parent, as a type uses it.
struct InheritedLookups {
  std::string owner;  // the parent
  Address ownerMethodTable;
  Address dictionary;        // what this type uses
  Address current;           // what the parent uses
  std::uint32_t room = 0;    // slots of the one that this type uses
  std::uint32_t used = 0;    // that code looks up
  std::uint32_t missed = 0;  // of these, how many the one that this type uses does not hold
  /// The parent's dictionary has grown since the type was made. A lookup that is missed through the old one asks the
  /// runtime, which then gives the type the new one; until then it stays as it is.
  bool isOutdated = false;
};

/// An instantiation of a generic method, with a dictionary of its own.
struct MethodLookups {
  std::string name;
  Address methodDesc;
  DictionaryFigures figures;
  std::vector<DictionarySlot> slots;
};

/// Where shared code gets its type arguments from.
enum class LookupSource : std::uint8_t {
  None,         // it is not shared
  This,         // the object's own method table
  MethodTable,  // a hidden argument: of static methods, value types and interfaces
  Method,       // a hidden argument: of generic methods
};

template <>
inline constexpr auto kEnumNames<LookupSource> =
    std::to_array<EnumName<LookupSource>>({{LookupSource::None, "none"},
                                           {LookupSource::This, "this"},
                                           {LookupSource::MethodTable, "methodTable"},
                                           {LookupSource::Method, "method"}});

/// The steps from there to a slot, each of them but the first a read of memory.
struct LookupPath {
  LookupSource source = LookupSource::This;
  std::vector<std::string> steps;  // "this", "method table", "PerInstInfo", "dictionary 2 of 2", "slot"
  std::uint32_t reads() const { return static_cast<std::uint32_t>(steps.size() - 1); }
};

/// Where the code of a method gets its type arguments from (MethodDesc::AcquiresInstMethodTableFromThis and its
/// neighbours, src/coreclr/vm/method.cpp). `owner`: the method table that declares it.
LookupSource lookupSourceOf(const ClrRuntime& runtime, const MethodDesc& method, const MethodTable& owner);

/// Fills in how shared code of a type and of its generic methods finds what depends on their arguments: dictionaries
/// with their slots, those of parents, and the steps to them. Needs `details.typeArguments` and `details.methods`.
void readTypeLookups(const Contents& contents, const MethodTable& type, TypeDetails& details);

}  // namespace heapscape::engine

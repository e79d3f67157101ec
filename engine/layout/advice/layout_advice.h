// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Kinds of changes that make instances of a type smaller.
enum class AdviceKind : std::uint8_t {
  NothingToGain,    // the layout is the best possible, or rounding eats what would be won
  Reorder,          // another order of the fields, the attribute as it is
  AutoAttribute,    // LayoutKind.Auto
  SequentialOrder,  // LayoutKind.Sequential with another order of the fields
  ExplicitOffsets,  // LayoutKind.Explicit, where neither of the others gets there
  Pack,             // fields off their alignment: smaller, with a price
  MergeBools,       // bool fields as bits of one
  SplitColdFields,  // fields that hardly any instance uses, moved to an object of their own
};
template <>
inline constexpr auto kEnumNames<AdviceKind> =
    std::to_array<EnumName<AdviceKind>>({{AdviceKind::NothingToGain, "nothing"},
                                         {AdviceKind::Reorder, "reorder"},
                                         {AdviceKind::AutoAttribute, "auto"},
                                         {AdviceKind::SequentialOrder, "sequential"},
                                         {AdviceKind::ExplicitOffsets, "explicit"},
                                         {AdviceKind::Pack, "pack"},
                                         {AdviceKind::MergeBools, "mergeBools"},
                                         {AdviceKind::SplitColdFields, "splitColdFields"}});

struct Advice {
  AdviceKind kind = AdviceKind::NothingToGain;
  std::string text;                        // a sentence or two: what to do, what it brings, what it costs
  std::int64_t savedBytesPerInstance = 0;  // after rounding; of a value type unboxed
};

/// The order and attribute that give a type the fewest bytes while every field keeps its alignment. Fields that
/// share bytes (unions) go on doing so unless a layout without takes less, and a caution says so; types whose size is
/// their meaning (fixed buffers, inline arrays, enums) stay as they are.
struct BestOrder {
  AdviceKind means = AdviceKind::NothingToGain;
  std::vector<std::string> order;   // names of the own instance fields
  std::uint32_t instanceBytes = 0;  // now: base size of a class, unboxed size of a value type
  std::uint32_t bestBytes = 0;      // then; never more
  std::string declaration;          // C#, to be pasted: attribute, type and fields; empty if nothing is to gain
  std::string caution;              // why it may not be wanted: framework type, interop, explicit offsets; or empty
  std::string separation = {};      // why it is left as it is though bytes are empty, see separationOf(); or empty
};

/// How many of a type's instances use a field at all.
struct FieldUse {
  std::string declaringType;
  std::string name;
  std::uint64_t instances = 0;  // looked at
  std::uint64_t used = 0;       // of those, with any byte not zero
};

/// Why a field lies where it does.
struct FieldReason {
  std::string declaringType;
  std::string name;
  std::uint32_t offset = 0;  // from the start of the fields
  std::string why;           // one sentence
};

}  // namespace heapscape::engine

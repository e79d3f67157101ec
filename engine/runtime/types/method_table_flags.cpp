// SPDX-License-Identifier: MIT
#include "runtime/types/method_table_flags.h"

#include <array>

namespace heapscape::engine {
namespace {

// Names of constants in the contract; a version that has no such flag has no such constant.
constexpr std::array kHighFlags{"MTFlags.HasFinalizer", "MTFlags.Collectible", "MTFlags.ContainsGCPointers",
                                "MTFlags.ContainsGenericVariables", "MTFlags.HasComponentSize"};
// The component size of arrays and strings takes their place.
constexpr std::array kLowFlags{"MTFlags.HasVariance",          "MTFlags.HasDefaultCtor",
                               "MTFlags.HasPreciseInitCctors", "MTFlags.IsRegStructPassed",
                               "MTFlags.IsByRefLike",          "MTFlags.HasBoxedRegularStatics",
                               "MTFlags.HasBoxedThreadStatics"};
constexpr const char* kCriticalFinalizer = "MTFlags.HasCriticalFinalizer";
constexpr std::array kFlags2{
    "MTFlags2.HasPerInstInfo",          "MTFlags2.HasInterfaceMap",        "MTFlags2.DynamicStatics",
    "MTFlags2.HasDispatchMapSlot",      "WFlags2.HasNonVirtualSlots",      "WFlags2.HasModuleOverride",
    "MTFlags2.HasModuleDependencies",   "MTFlags2.IsIntrinsicType",        "MTFlags2.HasCctor",
    "MTFlags2.HasVirtualStaticMethods", "MTFlags2.HasBoxedRegularStatics", "WFlags2.HasSingleNonVirtualSlot"};
constexpr std::array kCategories{"MTFlags.Category.Class",         "MTFlags.Category.ValueType",
                                 "MTFlags.Category.Nullable",      "MTFlags.Category.PrimitiveValueType",
                                 "MTFlags.Category.TruePrimitive", "MTFlags.Category.Array",
                                 "MTFlags.Category.SzArray",       "MTFlags.Category.Interface"};

std::string shortName(std::string_view constant) {
  return std::string(constant.substr(constant.find('.') + 1));
}

}  // namespace

GenericForm genericFormOf(const ClrRuntime& runtime, const MethodTable& type) {
  if (!type.isGenericInstance) return GenericForm::None;
  const Contract& contract = runtime.contract();
  const std::uint64_t form = type.flags & contract.constant("MTFlags.GenericsMask");
  if (form == contract.constant("MTFlags.Generics.TypicalInst")) return GenericForm::Typical;
  return form == contract.constant("MTFlags.Generics.SharedInst") ? GenericForm::Shared : GenericForm::Closed;
}

bool isOpen(const ClrRuntime& runtime, const MethodTable& type) {
  return (type.flags & runtime.contract().constant("MTFlags.ContainsGenericVariables")) != 0;
}

Result<std::uint32_t> readFlags2(const ClrRuntime& runtime, const MethodTable& type) {
  const Address flags = runtime.member(type.address, "MethodTable", "Flags2");
  if (runtime.contract().constant("MethodTable.TokenBytes") == sizeof(std::uint32_t)) {
    HEAPSCAPE_TRY(const std::uint32_t value, runtime.memory().read<std::uint32_t>(flags));
    return value & ((1u << runtime.contract().constant("MethodTable.TokenShift")) - 1);
  }
  HEAPSCAPE_TRY(const std::uint16_t value, runtime.memory().read<std::uint16_t>(flags));
  return std::uint32_t{value};
}

bool hasClassConstructor(const ClrRuntime& runtime, std::uint32_t flags2) {
  return (flags2 & runtime.contract().constant("MTFlags2.HasCctor")) != 0;
}

std::vector<std::string> flagNames(const ClrRuntime& runtime, const MethodTable& type, std::uint32_t flags2) {
  const Contract& contract = runtime.contract();
  std::vector<std::string> names;
  const auto addSet = [&](const auto& flags, std::uint32_t value) {
    for (const char* flag : flags) {
      if (value & contract.constant(flag)) names.push_back(shortName(flag));
    }
  };
  for (const char* category : kCategories) {
    if ((type.flags & contract.constant("MTFlags.CategoryMask")) == contract.constant(category))
      names.push_back(shortName(category));
  }
  addSet(kHighFlags, type.flags);
  if (!type.hasComponentSize) {
    addSet(kLowFlags, type.flags);
    switch (genericFormOf(runtime, type)) {
      case GenericForm::None:
        break;
      case GenericForm::Closed:
        names.emplace_back("Generics.GenericInst");
        break;
      case GenericForm::Shared:
        names.emplace_back("Generics.SharedInst");
        break;
      case GenericForm::Typical:
        names.emplace_back("Generics.TypicalInst");
        break;
    }
  }
  // A low bit on some versions, a high one on others.
  const std::uint64_t critical = contract.constant(kCriticalFinalizer);
  if ((type.flags & critical) && (!type.hasComponentSize || critical > contract.constant("MTFlags.ComponentSizeMask")))
    names.push_back(shortName(kCriticalFinalizer));
  addSet(kFlags2, flags2);
  return names;
}

}  // namespace heapscape::engine

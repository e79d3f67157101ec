// SPDX-License-Identifier: MIT
// Values of the processor's vectors, whose size and alignment it decides.
#include <gtest/gtest.h>

#include "layout/rules/layout_rules.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using test::TypesInMemory;

/// A struct of a byte and a vector of so many eight bytes; where the vector lies in it.
std::uint32_t offsetOf(WellKnownType vector, std::size_t words, Architecture architecture) {
  TypesInMemory types;
  std::vector<TypesInMemory::Field> fields(words, {"word", ElementType::U8});
  const auto value = types.addStruct("V", fields);
  types.declaration(value).wellKnown = vector;
  const auto holder = types.addStruct("H", {{"flag", ElementType::U1}, TypesInMemory::value("vector", value)});
  LayoutRules rules(types, LayoutRuntime::of(architecture));
  const auto placement = rules.placementOf(holder);
  if (!placement) throw std::runtime_error(placement.error().message());
  return (*placement)->offsets.at(1);
}

TEST(VectorLayouts, FollowTheProcessor) {
  EXPECT_EQ(offsetOf(WellKnownType::Vector64, 1, Architecture::X64), 8u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector64, 1, Architecture::Arm64), 8u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector128, 2, Architecture::X64), 16u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector128, 2, Architecture::Arm64), 16u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector256, 4, Architecture::X64), 32u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector256, 4, Architecture::Arm64), 16u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector512, 8, Architecture::X64), 64u);
  EXPECT_EQ(offsetOf(WellKnownType::Vector512, 8, Architecture::Arm64), 16u);
}

TEST(VectorLayouts, OfTheMachinesOwnLengthAreOfSixteenBytesOnArm64) {
  EXPECT_EQ(LayoutRuntime::of(Architecture::Arm64).vectorBytes, 16u);
  EXPECT_EQ(LayoutRuntime::of(Architecture::X64).vectorBytes, 32u);
}

}  // namespace
}  // namespace heapscape::engine

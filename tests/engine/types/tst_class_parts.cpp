// SPDX-License-Identifier: MIT
// The counts of an EEClass and the parts that only some have: tests/targets/lookups/Shapes.cs.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/types/ee_class.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::TypeDetails;

TypeDetails soundDetailsIn(const engine::Snapshot& snapshot, const std::string& name) {
  const auto type = engine::findType(snapshot, name);
  if (!type) throw std::runtime_error(type.error().message());
  auto details = engine::typeDetails(snapshot, *type);
  if (!details) throw std::runtime_error(details.error().message());
  EXPECT_TRUE(details->findings.empty()) << name;
  return std::move(*details);
}

std::uint32_t figureOf(const TypeDetails& type, std::string_view name) {
  const auto figure = std::ranges::find(type.eeClassFigures, name, &engine::EEClassFigure::name);
  return figure == type.eeClassFigures.end() ? 0xffffffff : figure->value;
}

bool hasFlag(const TypeDetails& type, const std::string& flag) {
  return type.eeClassLayout && std::ranges::find(type.eeClassLayout->flags, flag) != type.eeClassLayout->flags.end();
}

class ClassParts : public testing::TestWithParam<std::string> {
 protected:
  static TypeDetails detailsOf(const std::string& name) { return soundDetailsIn(openedDump(GetParam()), name); }
};

INSTANTIATE_TEST_SUITE_P(OfLookups, ClassParts, testing::Values("lookups-8", "lookups-10", "lookups-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ClassParts, CountsAreThoseOfTheSource) {
  const TypeDetails counts = detailsOf("Lookups.Counts");
  EXPECT_EQ(figureOf(counts, "NumInstanceFields"), 3u);
  EXPECT_EQ(figureOf(counts, "NumStaticFields"), 6u);
  EXPECT_EQ(figureOf(counts, "NumHandleStatics"), 2u);  // a string and a struct in a box
  EXPECT_EQ(figureOf(counts, "NumThreadStaticFields"), 2u);
  EXPECT_EQ(figureOf(counts, "NumHandleThreadStatics"), 1u);
  if (GetParam() == "lookups-8") {
    EXPECT_EQ(figureOf(counts, "NumBoxedStatics"), 1u);
  } else {
    EXPECT_EQ(figureOf(counts, "NonGCStaticFieldBytes"), 8u);
    EXPECT_EQ(figureOf(counts, "NonGCThreadStaticFieldBytes"), 4u);
  }
}

TEST_P(ClassParts, OptionalFieldsAreToldByName) {
  EXPECT_EQ(engine::registersText(*detailsOf("Lookups.InRegisters").eeClassOptionalFields),
            "8 bytes SSE, 8 bytes integer");
  EXPECT_EQ(engine::registersText(*detailsOf("Lookups.HoldsReference").eeClassOptionalFields),
            "8 bytes reference, 8 bytes integer");
  EXPECT_FALSE(detailsOf("Lookups.Counts").eeClassOptionalFields);
  const TypeDetails variant = detailsOf("Lookups.IConvert<object, string, System.Version>");
  ASSERT_TRUE(variant.eeClassOptionalFields);
  EXPECT_EQ(variant.eeClassOptionalFields->variances, (std::vector<std::string>{"in", "out", "invariant"}));
  const TypeDetails shared = detailsOf("Lookups.Rack<string>");
  ASSERT_TRUE(shared.eeClassOptionalFields);
  EXPECT_EQ(shared.eeClassOptionalFields->dictionaryLayout, shared.dictionaryFigures.layout);
}

TEST_P(ClassParts, LayoutsAreToldByName) {
  const TypeDetails packed = detailsOf("Lookups.Packed");
  ASSERT_TRUE(packed.eeClassLayout);
  EXPECT_EQ(packed.eeClassLayout->packing, 2u);
  EXPECT_EQ(packed.eeClassLayout->largestAlignment, 2u);
  EXPECT_TRUE(hasFlag(packed, "Blittable"));
  const TypeDetails sized = detailsOf("Lookups.Sized");
  EXPECT_EQ(sized.eeClassLayout->packing, 64u);
  EXPECT_TRUE(hasFlag(sized, "HasExplicitSize"));
  EXPECT_TRUE(hasFlag(detailsOf("Lookups.WithFree"), "HasAutoLayoutField"));
  EXPECT_TRUE(hasFlag(detailsOf("Lookups.Wide"), "HasInt128Field"));
  EXPECT_EQ(detailsOf("Lookups.Wide").eeClassLayout->largestAlignment, 16u);
  EXPECT_FALSE(hasFlag(detailsOf("Lookups.HoldsReference"), "Blittable"));
  EXPECT_FALSE(detailsOf("Lookups.Free").eeClassLayout);
  if (GetParam() == "lookups-8") {
    EXPECT_EQ(packed.eeClassLayout->managedSize, 10u);
    EXPECT_EQ(sized.eeClassLayout->managedSize, 48u);
  } else {
    EXPECT_EQ(packed.eeClassLayout->kind, "sequential");
    EXPECT_EQ(sized.eeClassLayout->kind, "explicit");
  }
}

// .NET 9 has the counts of 10 and the layouts of 8.
TEST(ClassPartsOf9, AreThoseOfTheFramework) {
  const TypeDetails guid = soundDetailsIn(openedDump("shop-9"), "System.Guid");
  ASSERT_TRUE(guid.eeClassOptionalFields && guid.eeClassLayout);
  EXPECT_EQ(engine::registersText(*guid.eeClassOptionalFields), "8 bytes integer, 8 bytes integer");
  EXPECT_EQ(guid.eeClassLayout->managedSize, 16u);
  EXPECT_EQ(guid.eeClassLayout->largestAlignment, 4u);
  EXPECT_EQ(figureOf(guid, "NumInstanceFields"), 11u);
}

std::vector<std::byte> packedForm(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::byte> bytes(64);
  std::size_t bit = 0;
  const auto write = [&](std::uint32_t value, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i, ++bit) {
      if (value >> i & 1) bytes[bit / 8] |= std::byte{static_cast<unsigned char>(1u << bit % 8)};
    }
  };
  for (const std::uint32_t number : numbers) {
    std::uint32_t length = 1;
    while (length < 32 && number >> length) ++length;
    write(length - 1, 5);
    write(number, length);
  }
  bytes.resize((bit + 7) / 8);
  return bytes;
}

TEST(PackedNumbers, AreReadOneBehindTheOther) {
  const std::vector<std::uint32_t> numbers{0, 1, 300, 0xffffffff, 7, 65536};
  const auto packed = packedForm(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(engine::packedNumber(packed, i), numbers[i]) << i;
  EXPECT_FALSE(engine::packedNumber(packed, 100));
  EXPECT_FALSE(engine::packedNumber({}, 0));
}

TEST(PackedNumbers, GiveTheSameCountsAsPlainOnes) {
  PatchedCore core("lookups-8");
  const TypeDetails plain = soundDetailsIn(openedDump("lookups-8"), "Lookups.Counts");
  std::vector<std::uint32_t> numbers;
  for (const engine::EEClassFigure& figure : plain.eeClassFigures) numbers.push_back(figure.value);
  ASSERT_EQ(numbers.size(), 11u);
  constexpr std::uint64_t kFieldsArePacked = 49, kFixedFields = 56;
  const auto packed = packedForm(numbers);
  core.write(plain.eeClass + kFieldsArePacked, std::uint8_t{1});
  core.writeAt(core.fileOffset(plain.eeClass + kFixedFields), packed);
  const TypeDetails details = soundDetailsIn(openSnapshot(core.path(), engine::Stage::Objects), "Lookups.Counts");
  for (const engine::EEClassFigure& figure : plain.eeClassFigures)
    EXPECT_EQ(figureOf(details, figure.name), figure.value) << figure.name;
  EXPECT_EQ(details.fields.size(), plain.fields.size());
}

}  // namespace
}  // namespace heapscape::test

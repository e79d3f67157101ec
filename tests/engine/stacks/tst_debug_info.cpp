// SPDX-License-Identifier: MIT
#include "stacks/debug_info/debug_info.h"

#include <gtest/gtest.h>

#include "support/builders/nibble_writer.h"

namespace heapscape::test {
namespace {

using engine::DebugInfo;
using engine::IlMapping;
using engine::Register;
namespace x64 = engine::x64;
using engine::VariablePlace;
using Kind = VariablePlace::Kind;

// As special IL offsets and variables are written: lifted by the least of them.
std::uint32_t il(std::int32_t offset) {
  return static_cast<std::uint32_t>(offset + 3);
}
std::uint32_t variable(std::int32_t number) {
  return static_cast<std::uint32_t>(number + 4);
}

constexpr engine::DebugInfoRules kPacked{.arePacked = true};
// As .NET 11 writes them.
constexpr engine::DebugInfoRules kVariableFirst{
    .arePacked = true, .sourceBits = 3, .isFatMarked = true, .isVariableFirst = true, .leastVariable = -6};

TEST(NibbleReader, ReadsNumbersOfAnySize) {
  NibbleWriter writer;
  for (const std::uint32_t value : {0u, 7u, 8u, 511u, 512u, 0x7fffffffu, 0xffffffffu}) writer.add(value);
  for (const std::int32_t value : {0, -1, 1, -4000, 4000}) writer.addSigned(value);
  engine::NibbleReader reader(writer.bytes());
  for (const std::uint32_t value : {0u, 7u, 8u, 511u, 512u, 0x7fffffffu, 0xffffffffu})
    EXPECT_EQ(reader.readUnsigned(), value);
  for (const std::int32_t value : {0, -1, 1, -4000, 4000}) EXPECT_EQ(reader.readSigned(), value);
  EXPECT_FALSE(reader.failed());
  EXPECT_EQ(reader.nextByte(), writer.bytes().size());
  reader.readUnsigned();
  reader.readUnsigned();
  EXPECT_TRUE(reader.failed());
}

TEST(NibbleReader, GivesUpOnANumberThatDoesNotEnd) {
  const std::vector<std::byte> bytes(100, std::byte{0xff});
  engine::NibbleReader reader(bytes);
  EXPECT_EQ(reader.readUnsigned(), 0u);
  EXPECT_TRUE(reader.failed());
}

TEST(IlMappings, AreReadAsUntilDotNet9) {
  NibbleWriter writer;
  writer.add(4);
  writer.add(0).add(il(IlMapping::kProlog)).add(2);
  writer.add(20).add(il(0)).add(2);
  writer.add(5).add(il(1000)).add(16);
  writer.add(300).add(il(IlMapping::kEpilog)).add(2);
  const auto mappings = engine::parseIlMappings(writer.bytes(), {});
  ASSERT_TRUE(mappings) << mappings.error().message();
  EXPECT_EQ(*mappings,
            (std::vector<IlMapping>{{0, IlMapping::kProlog}, {20, 0}, {25, 1000}, {325, IlMapping::kEpilog}}));
}

TEST(IlMappings, AreReadAsSinceDotNet10) {
  NibbleWriter head;
  head.add(3).add(5 - 1).add(6 - 1);  // entries; bits of a native step and of an IL offset, each less one
  auto bytes = head.bytes();
  std::uint64_t bits = 0;
  unsigned count = 0;
  const auto add = [&](std::uint64_t value, unsigned width) {
    bits |= value << count;
    count += width;
  };
  for (const IlMapping& step : {IlMapping{0, IlMapping::kProlog}, IlMapping{31, 0}, IlMapping{9, 40}}) {
    add(2, 2);
    add(step.nativeOffset, 5);
    add(il(step.ilOffset), 6);
  }
  for (unsigned i = 0; i < (count + 7) / 8; ++i) bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
  const auto mappings = engine::parseIlMappings(bytes, kPacked);
  ASSERT_TRUE(mappings) << mappings.error().message();
  EXPECT_EQ(*mappings, (std::vector<IlMapping>{{0, IlMapping::kProlog}, {31, 0}, {40, 40}}));
}

TEST(IlMappings, MayTellOfMoreKindsOfPlaces) {
  auto bytes = NibbleWriter().add(2).add(5 - 1).add(6 - 1).bytes();
  const std::uint32_t first = 2u | 0u << 3 | il(0) << 8;
  const std::uint32_t second = 4u | 17u << 3 | il(23) << 8;
  const std::uint32_t bits = first | second << 14;
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
  const auto mappings = engine::parseIlMappings(bytes, kVariableFirst);
  ASSERT_TRUE(mappings) << mappings.error().message();
  EXPECT_EQ(*mappings, (std::vector<IlMapping>{{0, 0}, {17, 23}}));
}

TEST(IlMappings, DecideByTheCallWhereAFrameIsInOne) {
  const DebugInfo info{.mappings = {{0, IlMapping::kProlog},
                                    {10, 0},
                                    {20, 7},
                                    {20, 9},
                                    {30, IlMapping::kNoMapping},
                                    {40, 12},
                                    {50, IlMapping::kEpilog}},
                       .variables = {},
                       .suspensions = {}};
  EXPECT_EQ(engine::ilOffsetAt(info, 0, false), 0u);
  EXPECT_EQ(engine::ilOffsetAt(info, 10, false), 0u);
  EXPECT_EQ(engine::ilOffsetAt(info, 20, true), 0u);
  EXPECT_EQ(engine::ilOffsetAt(info, 20, false), 9u);
  EXPECT_EQ(engine::ilOffsetAt(info, 35, true), std::nullopt);
  EXPECT_EQ(engine::ilOffsetAt(info, 50, true), 12u);
  EXPECT_EQ(engine::ilOffsetAt(info, 50, false), std::nullopt);
  EXPECT_EQ(engine::ilOffsetAt({}, 5, true), std::nullopt);
}

TEST(VariablePlaces, AreReadInEveryForm) {
  NibbleWriter writer;
  writer.add(9);
  const auto begin = [&](std::int32_t number, std::uint32_t type) {
    writer.add(16).add(100).add(variable(number)).add(type);
  };
  begin(0, 0);
  writer.add(3);
  begin(1, 1);
  writer.add(12);
  begin(2, 2);
  writer.add(40);
  begin(3, 3);
  writer.add(5).addSigned(-24);
  begin(4, 4);
  writer.add(4).addSigned(32);
  begin(5, 5);
  writer.add(0).add(2);
  begin(6, 6);
  writer.add(1).add(5).addSigned(-8);
  begin(7, 7);
  writer.addSigned(-16).add(5).add(6);
  begin(VariablePlace::kGenericContext, 8);
  writer.add(5).addSigned(16);
  const auto places = engine::parseVariablePlaces(writer.bytes(), {});
  ASSERT_TRUE(places) << places.error().message();
  ASSERT_EQ(places->size(), 9u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ((*places)[i].variable, static_cast<std::int32_t>(i));
    EXPECT_EQ((*places)[i].start, 16u);
    EXPECT_EQ((*places)[i].end, 116u);
  }
  const std::vector<Kind> kinds = {
      Kind::Register,     Kind::RegisterHoldsPlace, Kind::FloatRegister,     Kind::Stack,        Kind::StackHoldsPlace,
      Kind::TwoRegisters, Kind::RegisterThenStack,  Kind::StackThenRegister, Kind::TwoStackSlots};
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ((*places)[i].kind, kinds[i]) << i;
  EXPECT_EQ((*places)[0].first, x64::kRbx);
  EXPECT_EQ((*places)[1].first, x64::kR12);
  EXPECT_EQ((*places)[3].base, x64::kRbp);
  EXPECT_EQ((*places)[3].offset, -24);
  EXPECT_EQ((*places)[4].base, x64::kRsp);
  EXPECT_EQ((*places)[5].second, x64::kRdx);
  EXPECT_EQ((*places)[6].first, x64::kRcx);
  EXPECT_EQ((*places)[6].offset, -8);
  EXPECT_EQ((*places)[7].first, x64::kRsi);
  EXPECT_EQ((*places)[7].base, x64::kRbp);
  EXPECT_EQ((*places)[8].variable, VariablePlace::kGenericContext);
}

TEST(VariablePlaces, MayHaveTheirNumberInFront) {
  NibbleWriter writer;
  writer.add(2);
  writer.add(3 + 6).add(16).add(100).add(0).add(3);
  writer.add(VariablePlace::kCallResult + 6).add(40).add(7).add(0).add(0);  // seven is a place in the IL
  const auto places = engine::parseVariablePlaces(writer.bytes(), kVariableFirst);
  ASSERT_TRUE(places) << places.error().message();
  ASSERT_EQ(places->size(), 2u);
  EXPECT_EQ((*places)[0].variable, 3);
  EXPECT_EQ((*places)[0].start, 16u);
  EXPECT_EQ((*places)[0].end, 116u);
  EXPECT_EQ((*places)[0].first, x64::kRbx);
  EXPECT_EQ((*places)[1].variable, VariablePlace::kCallResult);
  EXPECT_EQ((*places)[1].start, (*places)[1].end);
}

TEST(VariablePlaces, InFloatingPointRegistersAreNoPlaceOfAReference) {
  NibbleWriter writer;
  writer.add(2);
  writer.add(0).add(32).add(variable(1)).add(0).add(32);
  writer.add(0).add(32).add(variable(2)).add(5).add(7).add(33);
  const auto places = engine::parseVariablePlaces(writer.bytes(), {});
  ASSERT_TRUE(places) << places.error().message();
  EXPECT_EQ((*places)[0].first, std::nullopt);
  EXPECT_EQ((*places)[1].first, x64::kRdi);
  EXPECT_EQ((*places)[1].second, std::nullopt);
}

TEST(DebugInfo, OfHostileBytesIsDamagedRatherThanHuge) {
  for (const std::uint32_t count : {1u, 100u, 0x7fffffffu, 0xffffffffu}) {
    const auto bytes = NibbleWriter().add(count).bytes();
    EXPECT_FALSE(engine::parseIlMappings(bytes, {})) << count;
    EXPECT_FALSE(engine::parseIlMappings(bytes, kPacked)) << count;
    EXPECT_FALSE(engine::parseVariablePlaces(bytes, {})) << count;
  }
  // More bits than a number has; a form of place that there is not.
  EXPECT_FALSE(engine::parseIlMappings(NibbleWriter().add(1).add(40).add(3).add(0).add(0).bytes(), kPacked));
  EXPECT_FALSE(engine::parseVariablePlaces(NibbleWriter().add(1).add(0).add(9).add(4).add(11).add(0).bytes(), {}));
  EXPECT_TRUE(engine::parseIlMappings({}, kPacked)->empty());
  EXPECT_TRUE(engine::parseVariablePlaces({}, {})->empty());
}

TEST(SuspensionPoints, HaveTheVariablesThatLiveAcrossThem) {
  NibbleWriter writer;
  writer.add(2).add(3);
  writer.addSigned(120).add(1);
  writer.addSigned(-20).add(2);
  writer.add(6).add(32).add(3).add(40).add(11).add(48);
  const auto points = engine::parseSuspensionPoints(writer.bytes(), kVariableFirst);
  ASSERT_TRUE(points);
  const std::vector<engine::SuspensionPoint> expected{{120, {{0, 32}}},
                                                      {100, {{VariablePlace::kGenericContext, 40}, {5, 48}}}};
  EXPECT_EQ(*points, expected);
  const DebugInfo info{.mappings = {}, .variables = {}, .suspensions = *points};
  ASSERT_TRUE(engine::suspensionAt(info, 100));
  EXPECT_EQ(engine::suspensionAt(info, 100)->variables.size(), 2u);
  EXPECT_FALSE(engine::suspensionAt(info, 101));
}

TEST(SuspensionPoints, AreRefusedWhereTheirCountsContradictEachOther) {
  NibbleWriter fewVariables, manyPoints, cut;
  fewVariables.add(1).add(1).addSigned(8).add(2).add(6).add(32).add(7).add(40);
  EXPECT_FALSE(engine::parseSuspensionPoints(fewVariables.bytes(), kVariableFirst));
  manyPoints.add(0xffffffff).add(0);
  EXPECT_FALSE(engine::parseSuspensionPoints(manyPoints.bytes(), kVariableFirst));
  cut.add(1).add(2).addSigned(8).add(2).add(6).add(32);
  EXPECT_FALSE(engine::parseSuspensionPoints(cut.bytes(), kVariableFirst));
  EXPECT_TRUE(engine::parseSuspensionPoints({}, kVariableFirst)->empty());
}

}  // namespace
}  // namespace heapscape::test

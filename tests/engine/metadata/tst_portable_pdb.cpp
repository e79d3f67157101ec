// SPDX-License-Identifier: MIT
#include "metadata/image/portable_pdb.h"

#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::PortablePdb;
using engine::SourceLine;
using engine::TableId;
using Pdb = std::shared_ptr<const PortablePdb>;

constexpr std::uint32_t kAssemblyMethods = 3;

Pdb parsedPdb(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  auto pdb = PortablePdb::parse(*owner, owner);
  if (!pdb) {
    ADD_FAILURE() << pdb.error().message();
    return nullptr;
  }
  return *pdb;
}

Pdb parsedPdb(const MetadataBuilder& builder) {
  return parsedPdb(builder.build());
}

/// A PDB of an assembly of three methods, without a row yet.
MetadataBuilder emptyPdb() {
  MetadataBuilder builder;
  builder.usePdbStream(7, {{TableId::MethodDef, kAssemblyMethods}});
  return builder;
}

/// Its name in parts, as compilers write it.
std::uint32_t addDocument(MetadataBuilder& builder, char first, char second) {
  const auto firstPart = builder.blob({static_cast<unsigned>(first)});
  const auto secondPart = builder.blob({static_cast<unsigned>(second), '.', 'c', 's'});
  const auto name = builder.blob({'/', 0, firstPart.value, secondPart.value});
  const MetadataBuilder::Cell noGuid{0, MetadataBuilder::Width::GuidIndex};
  return builder.addRow(TableId::Document, {name, noGuid, MetadataBuilder::blobAt(0), noGuid});
}

void addMethod(MetadataBuilder& builder, std::uint32_t document, std::initializer_list<unsigned> sequencePoints) {
  builder.addRow(TableId::MethodDebugInformation, {MetadataBuilder::u16(document), builder.blob(sequencePoints)});
}

/// A signed number of one byte, as sequence points have it.
unsigned negative(unsigned magnitude) {
  return ((0x40 - magnitude) << 1 | 1) & 0x7f;
}
unsigned positive(unsigned magnitude) {
  return magnitude << 1;
}

std::string textOf(const std::optional<SourceLine>& line) {
  return line ? line->file + ":" + std::to_string(line->line) : "none";
}

TEST(PortablePdb, TellsTheLineOfTheStatementThatAnInstructionBelongsTo) {
  MetadataBuilder builder = emptyPdb();
  const std::uint32_t document = addDocument(builder, 'a', 'b');
  addMethod(builder, document, {});
  // No signature; at 2 line 10; at 5 line 13; at 9 line 8.
  addMethod(builder, document,
            {0, 2, 0, 4, 10, 1, 3, 0, 4, positive(3), positive(0), 4, 1, positive(2), negative(5), positive(0)});
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(textOf(pdb->lineOf(2, 0)), "none");
  EXPECT_EQ(textOf(pdb->lineOf(2, 2)), "/a/b.cs:10");
  EXPECT_EQ(textOf(pdb->lineOf(2, 4)), "/a/b.cs:10");
  EXPECT_EQ(textOf(pdb->lineOf(2, 5)), "/a/b.cs:13");
  EXPECT_EQ(textOf(pdb->lineOf(2, 9)), "/a/b.cs:8");
  EXPECT_EQ(textOf(pdb->lineOf(2, 4000)), "/a/b.cs:8");
  for (const std::uint32_t row : {0u, 1u, 3u, 0xffffffffu}) EXPECT_EQ(textOf(pdb->lineOf(row, 2)), "none") << row;
}

TEST(PortablePdb, TakesHiddenCodeForTheStatementInFrontOfIt) {
  MetadataBuilder builder = emptyPdb();
  // At 0 hidden; at 3 line 20; at 7 hidden; at 9 line 21.
  addMethod(builder, addDocument(builder, 'a', 'b'),
            {0, 0, 0, 0, 3, 0, 4, 20, 1, 4, 0, 0, 2, 0, 4, positive(1), positive(0)});
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(textOf(pdb->lineOf(1, 1)), "none");
  EXPECT_EQ(textOf(pdb->lineOf(1, 3)), "/a/b.cs:20");
  EXPECT_EQ(textOf(pdb->lineOf(1, 8)), "/a/b.cs:20");
  EXPECT_EQ(textOf(pdb->lineOf(1, 9)), "/a/b.cs:21");
}

TEST(PortablePdb, FollowsAMethodFromFileToFile) {
  MetadataBuilder builder = emptyPdb();
  const std::uint32_t first = addDocument(builder, 'a', 'b');
  const std::uint32_t second = addDocument(builder, 'c', 'd');
  // Begins in the first; at 0 line 5; then in the second at 6 line 7; back in the first at 8 line 9.
  addMethod(builder, 0, {0, first,       0,           0, 4,     5, 1, 0, second,      6,          0,
                         4, positive(2), positive(0), 0, first, 2, 0, 4, positive(2), positive(0)});
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(textOf(pdb->lineOf(1, 0)), "/a/b.cs:5");
  EXPECT_EQ(textOf(pdb->lineOf(1, 7)), "/c/d.cs:7");
  EXPECT_EQ(textOf(pdb->lineOf(1, 8)), "/a/b.cs:9");
}

void addScope(MetadataBuilder& builder, std::uint32_t method, std::uint32_t firstVariable, std::uint32_t start,
              std::uint32_t length) {
  builder.addRow(TableId::LocalScope,
                 {MetadataBuilder::u16(method), MetadataBuilder::u16(0), MetadataBuilder::u16(firstVariable),
                  MetadataBuilder::u16(1), MetadataBuilder::u32(start), MetadataBuilder::u32(length)});
}

void addVariable(MetadataBuilder& builder, std::uint32_t slot, std::string_view name, std::uint32_t attributes = 0) {
  builder.addRow(TableId::LocalVariable,
                 {MetadataBuilder::u16(attributes), MetadataBuilder::u16(slot), builder.text(name)});
}

TEST(PortablePdb, NamesTheVariableThatASlotServesAtAnInstruction) {
  MetadataBuilder builder = emptyPdb();
  addScope(builder, 1, 1, 0, 100);
  addScope(builder, 1, 4, 10, 20);
  addScope(builder, 1, 5, 50, 20);
  addScope(builder, 2, 6, 0, 100);
  addVariable(builder, 0, "whole");
  addVariable(builder, 2, "hidden", 1);
  addVariable(builder, 3, "CS$<>8__locals0");
  addVariable(builder, 1, "first");
  addVariable(builder, 1, "second");
  addVariable(builder, 0, "other");
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->localName(1, 0, 15), "whole");
  EXPECT_EQ(pdb->localName(1, 1, 9), "");
  EXPECT_EQ(pdb->localName(1, 1, 10), "first");
  EXPECT_EQ(pdb->localName(1, 1, 29), "first");
  EXPECT_EQ(pdb->localName(1, 1, 30), "");
  EXPECT_EQ(pdb->localName(1, 1, 60), "second");
  EXPECT_EQ(pdb->localName(1, 2, 15), "");
  EXPECT_EQ(pdb->localName(1, 3, 15), "");
  EXPECT_EQ(pdb->localName(2, 0, 15), "other");
  EXPECT_EQ(pdb->localName(2, 0, 100), "");
  EXPECT_EQ(pdb->localName(3, 0, 15), "");
}

TEST(PortablePdb, NamesASlotWithoutAnInstructionOnlyIfItServesOneVariable) {
  MetadataBuilder builder = emptyPdb();
  addScope(builder, 1, 1, 0, 10);
  addScope(builder, 1, 3, 10, 10);
  addVariable(builder, 0, "one");
  addVariable(builder, 1, "this way");
  addVariable(builder, 1, "that way");
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->localName(1, 0, std::nullopt), "one");
  EXPECT_EQ(pdb->localName(1, 1, std::nullopt), "");
}

TEST(PortablePdb, IsReadAsWideAsItsAssemblyNeeds) {
  MetadataBuilder builder;
  builder.usePdbStream(7, {{TableId::MethodDef, 70'000}});
  builder.addRow(TableId::LocalScope, {MetadataBuilder::u32(69'999), MetadataBuilder::u16(0), MetadataBuilder::u16(1),
                                       MetadataBuilder::u16(1), MetadataBuilder::u32(0), MetadataBuilder::u32(9)});
  addVariable(builder, 4, "far");
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->localName(69'999, 4, 3), "far");
}

TEST(PortablePdb, IsNoneWithoutItsOwnStream) {
  EXPECT_FALSE(PortablePdb::parse(MetadataBuilder().build()));
  EXPECT_FALSE(PortablePdb::parse({}));
  MetadataBuilder builder;
  builder.usePdbStream(7, {{TableId::MethodDef, 0xffffffff}});
  EXPECT_FALSE(PortablePdb::parse(builder.build()));
}

TEST(PortablePdb, TellsNothingOfWhatLiesOutside) {
  MetadataBuilder builder = emptyPdb();
  addMethod(builder, 99, {0, 0, 0, 4, 10, 1});
  addMethod(builder, 1, {0, 0, 0, 4, 10, 1});
  builder.addRow(TableId::MethodDebugInformation, {MetadataBuilder::u16(1), MetadataBuilder::blobAt(0xfff0)});
  const MetadataBuilder::Cell noGuid{0, MetadataBuilder::Width::GuidIndex};
  builder.addRow(TableId::Document, {builder.blob({'/', 0xbf, 0xff}), noGuid, MetadataBuilder::blobAt(0), noGuid});
  addScope(builder, 1, 0xffff, 0, 0xffffffff);
  addScope(builder, 1, 0, 0xffffffff, 0xffffffff);
  const Pdb pdb = parsedPdb(builder);
  ASSERT_TRUE(pdb);
  for (std::uint32_t row = 0; row < 5; ++row) {
    const auto line = pdb->lineOf(row, 0);
    EXPECT_TRUE(!line || line->file == "/") << textOf(line);
    EXPECT_EQ(pdb->localName(row, 0, 1), "");
  }
}

TEST(PortablePdb, SurvivesBeingCutAndChangedAnywhere) {
  MetadataBuilder builder = emptyPdb();
  addMethod(builder, addDocument(builder, 'a', 'b'), {0, 0, 0, 4, 20, 1, 4, 0, 0, 2, 0, 4, positive(1), positive(0)});
  addScope(builder, 1, 1, 0, 10);
  addVariable(builder, 0, "one");
  const auto whole = builder.build();
  const auto readAll = [](engine::Bytes bytes) {
    const auto pdb = PortablePdb::parse(bytes);
    if (!pdb) return;
    for (std::uint32_t row = 0; row < 4; ++row) {
      (void)(*pdb)->lineOf(row, 7);
      (void)(*pdb)->localName(row, 0, 7);
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) readAll(engine::Bytes(whole).first(size));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned value : {0u, 0x7fu, 0x80u, 0xffu}) {
      auto changed = whole;
      changed[at] = static_cast<std::byte>(value);
      readAll(changed);
    }
  }
}

}  // namespace
}  // namespace heapscape::test

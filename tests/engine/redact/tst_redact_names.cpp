// SPDX-License-Identifier: MIT
// Names of a namespace that a copy must not show.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "engine/redact/redacted_dump.h"
#include "engine/redact/text_search.h"
#include "redact/renamed_names.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr std::uint16_t kVirtual = 0x0040;

TEST(RenamedNames, AreEqualWhereTheOldOnesAre) {
  RenamedNames names({"Contoso.Pay"}, nullptr);
  EXPECT_EQ(names.nameSpace("Contoso.Pay"), "N1");
  EXPECT_EQ(names.nameSpace("Contoso.Pay.Cards"), "N2");
  EXPECT_EQ(names.type("Cache`1"), "T1`1");
  EXPECT_EQ(names.member(RenamedNames::Kind::Method, "SendAsync", false), "M1");
  EXPECT_EQ(names.type("<SendAsync>d__3"), "<M1>d__3");
  EXPECT_EQ(names.member(RenamedNames::Kind::Field, "<Price>k__BackingField", false), "<F1>k__BackingField");
  EXPECT_EQ(names.member(RenamedNames::Kind::Method, "get_Price", false), "get_F1");
  EXPECT_EQ(names.member(RenamedNames::Kind::Method, "<SendAsync>g__Wait|6_1", false), "<M1>g__M2|6_1");
  EXPECT_EQ(names.member(RenamedNames::Kind::Field, "$VB$Local_Price", false), "$VB$Local_F1");
  EXPECT_EQ(names.member(RenamedNames::Kind::Field, "Price@12-1", false), "F1@12-1");
}

TEST(RenamedNames, StayWhereTheyTellNothing) {
  RenamedNames names({"Contoso"}, nullptr);
  for (const char* name : {".ctor", ".cctor", "op_Equality", "value__"})
    EXPECT_EQ(names.member(RenamedNames::Kind::Method, name, false), name);
  EXPECT_EQ(names.type("<>c__DisplayClass0_0"), "<>c__DisplayClass0_0");
  EXPECT_EQ(names.member(RenamedNames::Kind::Method, "<Main>$", false), "<Main>$");
}

TEST(RenamedNames, CoverWhatLiesBelowAndNothingBeside) {
  const RenamedNames names({"Contoso.Pay"}, nullptr);
  EXPECT_TRUE(names.covers("Contoso.Pay"));
  EXPECT_TRUE(names.covers("Contoso.Pay.Cards"));
  EXPECT_FALSE(names.covers("Contoso.Payments"));
  EXPECT_FALSE(names.covers("Contoso"));
  EXPECT_TRUE(names.covers("contoso.pay"));
  EXPECT_TRUE(names.areMentionedIn("as contoso.Pay.Cards is"));
}

TEST(RenamedNames, OfFilesKeepTheirLengths) {
  RenamedNames names({"Contoso.Pay"}, nullptr);
  EXPECT_EQ(names.path("/app/Contoso.Pay.Cards.dll"), "/app/A1_______________.dll");
  EXPECT_EQ(names.path("/srv/contoso.pay/Contoso.Pay.Cards.pdb"), "/srv/A2_________/A1_______________.pdb");
  EXPECT_EQ(names.path("/app/System.Private.CoreLib.dll"), "/app/System.Private.CoreLib.dll");
}

class RenamedCopy : public testing::TestWithParam<std::string> {
 protected:
  const RedactedDump m_both{GetParam(), {.renamedNamespaces = {"Shop", "Flaws"}}};

  static bool isCovered(const std::string& name) { return name.find("Shop.") == 0 || name.find("Flaws.") == 0; }
};

INSTANTIATE_TEST_SUITE_P(Of, RenamedCopy, testing::Values("shop-10", "shop-8", "flaws-11", "shop-arm64-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(RenamedCopy, HasNoNameOfTheNamespace) {
  // Names that the class library and other assemblies have, too, say nothing of the program.
  std::set<std::string> common;
  for (const Module* module : m_both.dump().contents().readers->modules.all()) {
    if (!module->metadata) continue;
    const Metadata& metadata = *module->metadata;
    // What overrides the class library's keeps its name, and what belongs to another namespace.
    for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::MethodDef); ++row)
      if (metadata.methodDef(row)->flags & kVirtual) common.emplace(metadata.methodDef(row)->name);
    for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row)
      if (!isCovered(metadata.typeDefName(row))) {
        common.emplace(metadata.typeDef(row)->name);
        common.emplace(metadata.typeDef(row)->nameSpace);
      }
    if (const auto assembly = metadata.assembly()) common.emplace(assembly->name);
    common.emplace(metadata.moduleName());
    if (!module->name.starts_with("System.")) continue;
    for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::MethodDef); ++row) {
      common.emplace(metadata.methodDef(row)->name);
      for (std::uint32_t number = 1; number < 9; ++number) common.emplace(metadata.parameterName(row, number));
    }
    for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::Field); ++row)
      common.emplace(metadata.field(row)->name);
  }
  // Others have them as parts of names.
  TextSearch search;
  const auto add = [&](std::string_view name) {
    const std::string plain(name.substr(0, name.find('`')));
    if (plain.size() < 6 || plain.find_first_of("<.") != std::string::npos || common.contains(plain)) return;
    search.addBytes(plain, std::string(1, '\0') + plain + std::string(1, '\0'));
  };
  for (const Module* module : m_both.dump().contents().readers->modules.all()) {
    if (!module->metadata) continue;
    const Metadata& metadata = *module->metadata;
    for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row) {
      if (!isCovered(metadata.typeDefName(row))) continue;
      add(metadata.typeDef(row)->name);
      const auto [first, last] = metadata.fieldRowsOf(row);
      for (std::uint32_t field = first; field < last; ++field) add(metadata.field(field)->name);
      const auto next = metadata.typeDef(row + 1);
      const std::uint32_t end = next ? next->firstMethod : metadata.rowCount(TableId::MethodDef) + 1;
      for (std::uint32_t method = metadata.typeDef(row)->firstMethod; method < end; ++method)
        if (!(metadata.methodDef(method)->flags & kVirtual)) add(metadata.methodDef(method)->name);
    }
  }
  for (const char* file : {"/opt/shop/runtimes", "Shop.dll", "Flaws.dll", "Shop.Orders", "Flaws.Program"})
    search.add(file);
  EXPECT_GT(search.texts(), 20u);
  std::string found;
  for (const std::string& one : search.findIn(bytesOf(m_both.path()))) found += one + "\n";
  EXPECT_EQ(found, "");
}

TEST_P(RenamedCopy, HasTheSameObjectsUnderOtherNames) {
  const std::vector<ObjectRow> before = objectsIn(m_both.dump());
  const std::vector<ObjectRow> after = objectsIn(m_both.copy());
  ASSERT_EQ(before.size(), after.size());
  std::map<std::string, std::string> names, back;
  std::size_t renamed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].address, after[i].address);
    const std::string old = m_both.dump().typeName(before[i].type);
    const std::string now = m_both.copy().typeName(after[i].type);
    EXPECT_EQ(names.emplace(old, now).first->second, now);
    EXPECT_EQ(back.emplace(now, old).first->second, old);
    if (old.find("Shop.") == std::string::npos && old.find("Flaws.") == std::string::npos) {
      EXPECT_EQ(old, now);
    } else {
      ++renamed;
    }
  }
  EXPECT_GT(renamed, 100u);
}

TEST_P(RenamedCopy, HasTheSameFrames) {
  const auto before = readStacks(m_both.dump(), {}, {});
  const auto after = readStacks(m_both.copy(), {}, {});
  ASSERT_TRUE(before && after);
  ASSERT_EQ(before->threads.size(), after->threads.size());
  std::map<std::string, std::string> names;
  for (std::size_t i = 0; i < before->threads.size(); ++i) {
    const auto& old = before->threads[i].frames;
    const auto& now = after->threads[i].frames;
    ASSERT_EQ(old.size(), now.size());
    for (std::size_t j = 0; j < old.size(); ++j) {
      EXPECT_EQ(old[j].kind, now[j].kind);
      EXPECT_EQ(old[j].instruction, now[j].instruction);
      EXPECT_EQ(old[j].type.empty(), now[j].type.empty());
      EXPECT_EQ(names.emplace(nameOf(old[j]), nameOf(now[j])).first->second, nameOf(now[j]));
      if (old[j].type.starts_with("System.") && nameOf(old[j]).find("Shop.") == std::string::npos &&
          nameOf(old[j]).find("Flaws.") == std::string::npos) {
        EXPECT_EQ(nameOf(old[j]), nameOf(now[j]));
      }
    }
  }
}

TEST_P(RenamedCopy, IsCleanAndSaysSo) {
  const auto check = checkRedacted(m_both.copy(), nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->isClean());
  EXPECT_NE(check->redaction.find("but those of some namespaces"), std::string::npos);
  EXPECT_EQ(check->redaction.find("Shop"), std::string::npos);
}

TEST(RenamedCopies, AreNotMadeWithContents) {
  const RedactedDump& both = redactedDump("shop-10");
  TemporaryFolder folder;
  EXPECT_THROW(writeCopy(both.dump(), folder / "copy.core", {.isSlim = true, .renamedNamespaces = {"Shop"}}),
               std::exception);
}

}  // namespace
}  // namespace heapscape::test

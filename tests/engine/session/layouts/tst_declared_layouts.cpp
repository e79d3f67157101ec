// SPDX-License-Identifier: MIT
// On dumps: shop's Layouts.cs has the declarations. On assemblies: tests/data/layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "session/layouts/declared_layouts.h"
#include "session/open/open_assembly.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/test_assembly.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::DeclaredLayouts;
using engine::LayoutQuestion;
using engine::LayoutVariant;
using engine::RuleSet;
using engine::TypeStudy;

DeclaredLayouts layoutsOf(const std::string& dump) {
  auto layouts = DeclaredLayouts::ofDump(openedDump(dump));
  if (!layouts) throw std::runtime_error(layouts.error().message());
  return *layouts;
}

LayoutVariant layoutOf(const DeclaredLayouts& layouts, std::string_view name, const LayoutQuestion& question) {
  const auto id = layouts.find(name);
  if (!id) throw std::runtime_error(id.error().message());
  auto variant = layouts.layout(*id, question);
  if (!variant) throw std::runtime_error(variant.error().message());
  return std::move(*variant);
}

std::uint32_t sizeOf(const DeclaredLayouts& layouts, std::string_view name, const LayoutQuestion& question) {
  const LayoutVariant variant = layoutOf(layouts, name, question);
  return variant.layout.valueSize.value_or(variant.layout.baseSize);
}

std::uint32_t offsetOf(const LayoutVariant& variant, std::string_view field) {
  const auto found = std::ranges::find(variant.layout.fields, field, &engine::LayoutField::name);
  if (found == variant.layout.fields.end()) throw std::runtime_error("no field " + std::string(field));
  return found->offset;
}

DeclaredLayouts layoutsOfAssembly(const TestAssembly& assembly, std::vector<std::filesystem::path> search) {
  auto layouts = engine::openAssemblyFile(assembly.path(), {.search = std::move(search)}, {});
  if (!layouts) throw std::runtime_error(layouts.error().error().message());
  return *layouts;
}

TEST(DeclaredLayouts, RuleSetsGiveTheirOwnSizes) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  // byte, double, byte, short
  const std::string name = "Shop.SequentialStruct";
  EXPECT_EQ(sizeOf(shop, name, {.rules = RuleSet::Actual}), 24U);
  EXPECT_EQ(sizeOf(shop, name, {.rules = RuleSet::Declared}), 24U);
  EXPECT_EQ(sizeOf(shop, name, {.rules = RuleSet::Sequential}), 24U);
  EXPECT_EQ(sizeOf(shop, name, {.rules = RuleSet::Auto}), 16U);
  EXPECT_EQ(sizeOf(shop, name, {.rules = RuleSet::Best}), 16U);
  EXPECT_EQ(sizeOf(shop, name, {.pack = 1}), 12U);
  EXPECT_EQ(offsetOf(layoutOf(shop, name, {.rules = RuleSet::Auto}), "D"), 0U);
  EXPECT_EQ(offsetOf(layoutOf(shop, name, {.rules = RuleSet::Declared}), "D"), 8U);
}

TEST(DeclaredLayouts, AReferenceKeepsAutoLayoutAndTheRemarkNamesIt) {
  const LayoutVariant variant = layoutOf(layoutsOf("shop-10"), "Shop.AsksSequential", {.rules = RuleSet::Sequential});
  EXPECT_EQ(variant.layout.effectiveKind, engine::LayoutKind::Auto);
  EXPECT_EQ(variant.remark, "the runtime keeps auto layout: s is a reference");
  EXPECT_EQ(layoutOf(layoutsOf("shop-10"), "Shop.AsksSequential", {.pack = 1}).remark,
            "the runtime keeps auto layout: s is a reference; so Pack changes nothing");
}

TEST(DeclaredLayouts, AnArrayFollowsItsElement) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  const LayoutVariant declared = layoutOf(shop, "Shop.SequentialStruct[]", {});
  const LayoutVariant best = layoutOf(shop, "Shop.SequentialStruct[]", {.rules = RuleSet::Best});
  EXPECT_EQ(declared.layout.componentSize, 24U);
  EXPECT_EQ(best.layout.componentSize, 16U);
}

TEST(DeclaredLayouts, TypesThatWereNeverLoadedAreLaidOutToo) {
  const DeclaredLayouts shop = layoutsOf("shop-9");
  const std::string name = "System.Collections.Generic.KeyValuePair<System.Byte, Shop.SequentialStruct>";
  EXPECT_EQ(sizeOf(shop, name, {}), 32U);
  const auto id = shop.find(name);
  ASSERT_TRUE(id);
  const auto actual = shop.layout(*id, {.rules = RuleSet::Actual});
  ASSERT_FALSE(actual);
  EXPECT_EQ(actual.error().code, engine::ErrorCode::NotFound);
}

TEST(DeclaredLayouts, AStudyHasWhatApplies) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  const auto id = shop.find("Shop.SequentialStruct");
  ASSERT_TRUE(id);
  const auto study = shop.study(*id, {});
  ASSERT_TRUE(study);
  std::vector<RuleSet> rules;
  for (const LayoutVariant& variant : study->layouts) rules.push_back(variant.question.rules);
  EXPECT_EQ(rules,
            (std::vector{RuleSet::Actual, RuleSet::Declared, RuleSet::Auto, RuleSet::Sequential, RuleSet::Best}));
  EXPECT_EQ(study->best.instanceBytes, 24U);
  EXPECT_EQ(study->best.bestBytes, 16U);
  EXPECT_EQ(study->type.name, "Shop.SequentialStruct");
  EXPECT_TRUE(study->type.methodTable);
  for (const LayoutVariant& variant : study->layouts) {
    if (variant.question.rules == RuleSet::Actual) continue;
    EXPECT_EQ(variant.reasons.size(), variant.layout.fields.size());
  }
}

TEST(DeclaredLayouts, NoAttributeChangesAnEnum) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  const auto id = shop.find("Shop.LongEnum");
  ASSERT_TRUE(id);
  const auto asAuto = shop.layout(*id, {.rules = RuleSet::Auto});
  ASSERT_TRUE(asAuto);
  EXPECT_EQ(asAuto->layout.valueSize, 8U);
  EXPECT_FALSE(asAuto->remark.empty());
  const auto study = shop.study(*id, {});
  ASSERT_TRUE(study);
  EXPECT_EQ(study->layouts.size(), 2U) << "actual and declared";
  EXPECT_EQ(study->best.bestBytes, 8U);
}

TEST(DeclaredLayouts, ClassicRulesPutStructsOnPointerBoundaries) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  EXPECT_EQ(sizeOf(shop, "Shop.Wrappers", {}), 24U);
  EXPECT_GT(sizeOf(shop, "Shop.Wrappers", {.rules = RuleSet::Classic}), 40U);
}

TEST(DeclaredLayouts, ListsAllLoadedTypesWithTheirSizes) {
  const DeclaredLayouts shop = layoutsOf("shop-8");
  const auto types = shop.types({});
  ASSERT_TRUE(types);
  EXPECT_TRUE(std::ranges::is_sorted(*types, {}, &engine::LayoutRow::name));
  const auto found = std::ranges::find(*types, "Shop.SequentialStruct", &engine::LayoutRow::name);
  ASSERT_NE(found, types->end());
  EXPECT_EQ(found->instanceBytes, 24U);
  EXPECT_EQ(found->paddingBytes, 12U);
  EXPECT_EQ(found->assembly, "shop");
  EXPECT_EQ(shop.find(found->methodTable).value().value, found->id.value);
  const auto failures = std::ranges::count_if(*types, [](const auto& type) { return !type.failure.empty(); });
  EXPECT_EQ(failures, 0);
}

TEST(DeclaredLayouts, IsMadeOnceForADump) {
  const engine::Snapshot& shop = openedDump("shop-10");
  EXPECT_EQ(&DeclaredLayouts::ofDump(shop)->parts(), &DeclaredLayouts::ofDump(shop)->parts());
}

TEST(DeclaredLayouts, AnswersManyThreadsAlike) {
  const DeclaredLayouts shop = layoutsOf("shop-10");
  std::vector<std::uint32_t> sizes(8);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t& size : sizes)
      threads.emplace_back([&] { size = sizeOf(shop, "Shop.SequentialStruct", {.rules = RuleSet::Best}); });
  }
  EXPECT_EQ(sizes, std::vector<std::uint32_t>(8, 16U));
}

TEST(DeclaredLayouts, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto types = layoutsOf("shop-10").types(stop.get_token());
  ASSERT_FALSE(types);
  EXPECT_TRUE(types.error().isCancelled());
}

TEST(DeclaredLayouts, ADumpServesTheAssembliesThatAFileReferences) {
  const TestAssembly zoo("LayoutZoo1");
  const DeclaredLayouts layouts = layoutsOfAssembly(zoo, {dumpPath("library-10")});
  EXPECT_FALSE(layouts.isOfDump());
  EXPECT_EQ(layouts.runtime().majorVersion, 10U);
  const auto types = layouts.types({});
  ASSERT_TRUE(types);
  EXPECT_GT(types->size(), 1000U);
  EXPECT_TRUE(layouts.missing().empty()) << layouts.missing().front().assembly;
  EXPECT_EQ(layouts.assemblies().front().name, "LayoutZoo1");
  EXPECT_EQ(layouts.layout(types->front().id, {.rules = RuleSet::Actual}).error().code, engine::ErrorCode::BadQuery);
}

TEST(DeclaredLayouts, TheRuntimeIsThatOfTheCoreLibrary) {
  const TestAssembly zoo("LayoutZoo1");
  EXPECT_EQ(layoutsOfAssembly(zoo, {dumpPath("library-8")}).runtime().majorVersion, 8U);
  const auto asked = engine::openAssemblyFile(zoo.path(), {.search = {dumpPath("library-8")}, .runtimeMajor = 9}, {});
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->runtime().majorVersion, 9U);
}

TEST(DeclaredLayouts, APlaceThatIsNoneIsAnError) {
  const TestAssembly zoo("LayoutZoo1");
  const auto layouts = engine::openAssemblyFile(zoo.path(), {.search = {"/no/such/place"}}, {});
  ASSERT_FALSE(layouts);
  EXPECT_EQ(layouts.error().error().code, engine::ErrorCode::FileUnreadable);
}

TEST(DeclaredLayouts, TellsAssembliesFromDumps) {
  const TestAssembly zoo("LayoutZoo1");
  EXPECT_TRUE(engine::looksLikeAssembly(zoo.path()));
  EXPECT_FALSE(engine::looksLikeAssembly(dumpPath("shop-10")));
  EXPECT_FALSE(engine::looksLikeAssembly("/no/such/file"));
}

TEST(DeclaredLayouts, ACutAssemblyIsAnErrorWithAReason) {
  const TestAssembly zoo("LayoutZoo1");
  const TemporaryFolder folder;
  std::ifstream whole(zoo.path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  for (const std::size_t size : {std::size_t{2}, std::size_t{64}, std::size_t{600}, bytes.size() / 2}) {
    const auto path = folder / "Cut.dll";
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    const auto layouts = engine::openAssemblyFile(path, {}, {});
    ASSERT_FALSE(layouts) << size;
    EXPECT_FALSE(layouts.error().error().what.empty());
  }
}

}  // namespace
}  // namespace heapscape::test

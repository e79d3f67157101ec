// SPDX-License-Identifier: MIT
// Declarations that are tried, on dumps: shop's Layouts.cs has what is declared.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "session/layouts/layout_playground.h"
#include "session/layouts/waste_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::DeclaredLayouts;
using engine::LayoutKind;
using engine::LayoutTypeId;
using engine::OwnDeclaration;
using engine::RuleSet;
using engine::TriedDeclaration;
using engine::TriedLayout;
using engine::TriedType;

DeclaredLayouts layoutsIn(const std::string& dump) {
  auto layouts = DeclaredLayouts::ofDump(openedDump(dump));
  if (!layouts) throw std::runtime_error(layouts.error().message());
  return *layouts;
}

/// All that a declaration says, said again.
TriedDeclaration unchanged(const OwnDeclaration& own) {
  TriedDeclaration tried{.kind = own.kind, .pack = own.pack, .size = own.size, .order = {}, .types = {}};
  tried.order.resize(own.fields.size());
  std::iota(tried.order.begin(), tried.order.end(), 0u);
  return tried;
}

/// Offset, size and name of each field: the runtime knows types of shared code by other names than metadata does.
std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>> placesOf(const engine::TypeLayout& layout) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>> places;
  for (const engine::LayoutField& field : layout.fields)
    places.emplace_back(field.offset, field.sizeBytes * field.repeat, field.name);
  std::ranges::sort(places);
  return places;
}

struct Trial {
  DeclaredLayouts layouts = layoutsIn("shop-10");
  LayoutTypeId type;
  OwnDeclaration own;

  explicit Trial(const char* name) : type(layouts.find(name).value()), own(ownDeclaration(layouts, type).value()) {}

  std::uint32_t field(std::string_view name) const {
    const auto found = std::ranges::find(own.fields, name, &engine::OwnField::name);
    return static_cast<std::uint32_t>(found - own.fields.begin());
  }
  TriedLayout with(const TriedDeclaration& tried) const {
    const auto heap = engine::heapOfType(openedDump("shop-10"), layouts, type, {});
    return tryDeclaration(layouts, type, tried, heap.value().get()).value();
  }
};

class PlaygroundOfDumps : public testing::TestWithParam<const char*> {};

TEST_P(PlaygroundOfDumps, WithNothingChangedEveryTypeLiesAsTheRuntimeHasLaidItOut) {
  const DeclaredLayouts layouts = layoutsIn(GetParam());
  std::size_t compared = 0;
  std::size_t changeable = 0;
  const auto names = layouts.typeNames({}).value();  // outlives the loop
  for (const auto& [id, name] : names) {
    const auto actual = layouts.layout(id, {.rules = RuleSet::Actual});
    const auto own = ownDeclaration(layouts, id);
    if (!actual || !own) continue;
    const auto tried = tryDeclaration(layouts, id, own->canChange ? unchanged(*own) : TriedDeclaration(), nullptr);
    ASSERT_TRUE(tried) << name << ": " << tried.error().message();
    const engine::TypeLayout& layout = tried->layout.layout;
    EXPECT_EQ(placesOf(actual->layout), placesOf(layout)) << name;
    EXPECT_EQ(actual->layout.baseSize, layout.baseSize) << name;
    EXPECT_EQ(actual->layout.valueSize, layout.valueSize) << name;
    EXPECT_EQ(actual->layout.componentSize, layout.componentSize) << name;
    EXPECT_EQ(actual->layout.paddingBytes(), layout.paddingBytes()) << name;
    ++compared;
    changeable += own->canChange && !own->fields.empty() ? 1 : 0;
  }
  EXPECT_GT(compared, 400U);
  EXPECT_GT(changeable, 150U);
}

INSTANTIATE_TEST_SUITE_P(Dumps, PlaygroundOfDumps, testing::Values("shop-8", "shop-10", "shop-arm64-10", "exhibits-10"),
                         [](const auto& info) { return testName(info.param); });

TEST(Playground, OrderAndAttributeSaveWhatWasteCounts) {
  const Trial trial("Shop.SequentialStruct");
  const auto waste = engine::wasteOf(openedDump("shop-10"), trial.layouts, nullptr, {});
  const auto row = std::ranges::find(waste->rows, "Shop.SequentialStruct", &engine::WasteRow::type);
  ASSERT_NE(row, waste->rows.end());
  EXPECT_EQ(trial.with({}).savedOnHeap, 0);
  EXPECT_EQ(trial.with({.kind = LayoutKind::Auto, .pack = {}, .size = {}, .order = {}, .types = {}}).savedOnHeap,
            row->savedByAuto);
  TriedDeclaration best;
  for (const std::string& name : row->order) best.order.push_back(trial.field(name));
  EXPECT_GT(row->savedByBest, 0);
  EXPECT_EQ(trial.with(best).savedOnHeap, row->savedByBest);
  EXPECT_EQ(trial.with(best).layout.layout.valueSize, row->bestBytes);
}

TEST(Playground, FieldsBecomeOtherTypesAndGo) {
  const Trial trial("Shop.SequentialStruct");
  const TriedLayout now = trial.with({});
  TriedDeclaration tried;
  std::uint32_t removed = 0;
  for (std::uint32_t field = 0; field < trial.own.fields.size(); ++field) tried.types.emplace(field, TriedType::Byte);
  const TriedLayout bytes = trial.with(tried);
  EXPECT_EQ(bytes.layout.layout.valueSize, trial.own.fields.size());
  EXPECT_EQ(bytes.layout.layout.paddingBytes(), 0U);
  EXPECT_NE(bytes.layout.declaration.find(" byte " + trial.own.fields[0].name + ";"), std::string::npos)
      << bytes.layout.declaration;
  EXPECT_GT(bytes.savedOnHeap, 0);
  for (std::uint32_t field = 0; field < trial.own.fields.size(); ++field) {
    if (field != removed) tried.order.push_back(field);
  }
  const TriedLayout fewer = trial.with(tried);
  EXPECT_EQ(fewer.layout.layout.valueSize, trial.own.fields.size() - 1);
  EXPECT_NE(fewer.layout.declaration.find("// left out: " + trial.own.fields[removed].name), std::string::npos);
  // Nothing of this has changed the type itself.
  EXPECT_EQ(trial.with({}).layout.layout.valueSize, now.layout.layout.valueSize);
}

TEST(Playground, PackAndSizeAreTheRuntimes) {
  const Trial trial("Shop.SequentialStruct");
  const auto packed = trial.with({.kind = {}, .pack = 1, .size = {}, .order = {}, .types = {}});
  EXPECT_EQ(packed.layout.layout.paddingBytes(), 0U);
  EXPECT_NE(packed.layout.declaration.find("Pack = 1"), std::string::npos);
  const auto large = trial.with({.kind = {}, .pack = {}, .size = 128, .order = {}, .types = {}});
  EXPECT_EQ(large.layout.layout.valueSize, 128U);
  EXPECT_LT(large.savedOnHeap, 0);
}

TEST(Playground, WhatTheRuntimeRefusesIsAnError) {
  const Trial trial("Shop.SequentialStruct");
  const TriedDeclaration odd{.kind = {}, .pack = 3, .size = {}, .order = {}, .types = {}};
  const auto refused = tryDeclaration(trial.layouts, trial.type, odd, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, engine::ErrorCode::BadQuery);
  const TriedDeclaration none{.kind = {}, .pack = {}, .size = {}, .order = {99}, .types = {}};
  EXPECT_FALSE(tryDeclaration(trial.layouts, trial.type, none, nullptr));
}

TEST(Playground, WhatIsLaidOutInOneWayCannotBeChanged) {
  EXPECT_FALSE(Trial("System.String").own.canChange);
  EXPECT_TRUE(Trial("Shop.SequentialStruct[]").own.canChange);
}

TEST(PaddingReasons, AreToldOfEveryPaddingOfEveryTypeOfADump) {
  const DeclaredLayouts layouts = layoutsIn("exhibits-10");
  std::size_t told = 0;
  std::size_t untold = 0;
  const auto names = layouts.typeNames({}).value();  // outlives the loop
  for (const auto& [id, name] : names) {
    const auto declared = layouts.layout(id, {});
    if (!declared) continue;
    for (const engine::Padding& padding : declared->layout.paddings) (padding.why.empty() ? untold : told) += 1;
  }
  EXPECT_GT(told, 100U);
  EXPECT_LE(untold * 50, told);  // of elements of inline arrays far behind, and in unions
}

}  // namespace
}  // namespace heapscape::test

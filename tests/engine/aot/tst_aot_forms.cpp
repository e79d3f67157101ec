// SPDX-License-Identifier: MIT
// A Native AOT program with fields in bad order, [Flags] enums, inline arrays and thread statics, with and without its
// file of debugging information, held against what it printed and against the same program on CoreCLR.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "layout/advice/layout_advice.h"
#include "session/details/object_details.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/layout_check.h"
#include "session/layouts/waste_query.h"
#include "session/objects/object_query.h"
#include "session/open/missing_files.h"
#include "session/roots/root_owners.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Snapshot;

constexpr const char* kFormsDebugFile = "forms.dbg";

std::string formsFile(const std::string& release, const std::string& ending) {
  return std::string(HEAPSCAPE_TEST_DATA) + "/aot/forms-" + release + ending;
}

std::string formsDebugBytes(const std::string& release) {
  const std::string base = unpackedFile(formsFile("10", ".dbg.zst"));
  return release == "10" ? base : unpackedPatch(formsFile(release, ".dbg.patch"), std::as_bytes(std::span(base)));
}

Snapshot openForms(const std::string& release, const std::filesystem::path& searched) {
  engine::OpenOptions options;
  options.stopAfter = engine::Stage::Retained;
  options.searchFolders = {searched};
  auto snapshot = engine::openDump(dumpPath("aot/forms-" + release), options, nullptr, {});
  EXPECT_TRUE(snapshot) << messageOf(snapshot);
  return *snapshot;
}

/// The dump with the debugging information of a release beside it, opened once.
const Snapshot& formsOf(const std::string& release) {
  static TemporaryFolder folder;
  static std::map<std::string, Snapshot> opened;
  if (const auto known = opened.find(release); known != opened.end()) return known->second;
  const std::filesystem::path own = folder / release;
  std::filesystem::create_directory(own);
  writeFile(own / kFormsDebugFile, bytesOfText(formsDebugBytes(release)));
  return opened.emplace(release, openForms(release, own)).first->second;
}

/// Places that the program printed of its static fields: "main.Local.Text" and the like, the last time it told them.
std::map<std::string, Address> printedStatics(const std::string& release) {
  std::map<std::string, Address> places;
  std::ifstream file(formsFile(release, ".truth.txt"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, name, place;
    words >> kind;
    if (kind != "S" && kind != "L") continue;
    while (words >> name >> place) places[name] = {std::stoull(place, nullptr, 16)};
  }
  std::erase_if(places, [](const auto& one) { return !one.second; });
  return places;
}

class AotForms : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& snapshot() const { return formsOf(GetParam()); }

  /// By name, of the only object of a type.
  std::map<std::string, engine::FieldValue> fieldsOf(const std::string& type) const {
    std::map<std::string, engine::FieldValue> fields;
    const auto& types = snapshot().types();
    for (std::uint32_t i = 0; i < types.size(); ++i) {
      if (types[i].name != type) continue;
      engine::ObjectFilter filter;
      filter.type = engine::TypeId{i};
      const auto objects = engine::listObjects(snapshot(), filter, 0, 1);
      if (objects.empty()) continue;
      const auto details = engine::objectDetails(snapshot(), objects.front().address);
      if (!details) continue;
      for (const engine::FieldValue& field : details->fields) fields[field.name] = field;
    }
    EXPECT_FALSE(fields.empty()) << type;
    return fields;
  }
};

TEST_P(AotForms, AreLaidOutByTheRulesOfCoreClr) {
  const auto layouts = engine::DeclaredLayouts::ofDump(snapshot());
  ASSERT_TRUE(layouts);
  const auto check = engine::checkLayouts(snapshot(), *layouts, false, {});
  ASSERT_TRUE(check);
  EXPECT_GT(check->compared, 200u);
  EXPECT_EQ(check->equal, check->compared);
  for (const auto& row : check->different) ADD_FAILURE() << row.type << ": " << row.what;
}

struct BestForm {
  std::uint32_t size = 0;
  std::uint32_t best = 0;
  engine::AdviceKind means = engine::AdviceKind::NothingToGain;
};

// What Heapscape says of the same program on CoreCLR 8.0.31, 9.0.20, 10.0.12 and 11.0.0.
const std::map<std::string, BestForm> kBestForms{
    {"Forms.Reading", {40, 24, engine::AdviceKind::Reorder}},
    {"Forms.Spot", {24, 16, engine::AdviceKind::Reorder}},
    {"Forms.Sequenced", {56, 40, engine::AdviceKind::Reorder}},
    {"Forms.Cell<System.Byte, System.Int64>", {24, 16, engine::AdviceKind::Reorder}},
    {"Forms.Union", {24, 16, engine::AdviceKind::ExplicitOffsets}},
    {"Forms.Outer", {88, 80, engine::AdviceKind::Reorder}},
    {"Forms.Placed", {48, 40, engine::AdviceKind::ExplicitOffsets}},
    {"Forms.WithMany", {128, 120, engine::AdviceKind::Reorder}},
    {"Forms.WithValues", {88, 80, engine::AdviceKind::Reorder}},
    {"Forms.Derived3", {80, 80, engine::AdviceKind::NothingToGain}},
    {"Forms.AutoReading", {24, 24, engine::AdviceKind::NothingToGain}},
    {"Forms.Small", {4, 4, engine::AdviceKind::NothingToGain}}};

TEST_P(AotForms, HaveTheBestOrderOfFieldsOfCoreClr) {
  const auto layouts = engine::DeclaredLayouts::ofDump(snapshot());
  ASSERT_TRUE(layouts);
  const auto waste = engine::wasteOf(snapshot(), *layouts, nullptr, {});
  ASSERT_TRUE(waste);
  std::size_t found = 0;
  for (const engine::WasteRow& row : waste->rows) {
    if (row.type == "Forms.Sized") {
      EXPECT_FALSE(row.separation.empty());
    }
    const auto best = kBestForms.find(row.type);
    if (best == kBestForms.end()) continue;
    ++found;
    EXPECT_EQ(row.instanceBytes, best->second.size) << row.type;
    EXPECT_EQ(row.bestBytes, best->second.best) << row.type;
    EXPECT_EQ(row.means, best->second.means) << row.type;
  }
  EXPECT_EQ(found, kBestForms.size());
}

TEST_P(AotForms, AreWrittenInCSharpInTheirBestOrder) {
  const auto layouts = engine::DeclaredLayouts::ofDump(snapshot());
  ASSERT_TRUE(layouts);
  const auto type = layouts->find("Forms.Reading");
  ASSERT_TRUE(type);
  const auto study = layouts->study(*type, {});
  ASSERT_TRUE(study);
  EXPECT_EQ(study->best.declaration,
            "public struct Reading\n{\n    public bool Valid;\n    public byte Kind;\n    public short Flags;\n"
            "    public long At;\n    public double Value;\n}\n");
  EXPECT_TRUE(study->best.caution.find("framework") == std::string::npos);
}

TEST_P(AotForms, HaveStaticFieldsByNameOnEachThread) {
  const auto list = engine::listStatics(snapshot(), {}, {});
  ASSERT_TRUE(list);
  std::map<Address, std::vector<const engine::StaticRow*>> rows;
  for (const engine::StaticRow& row : list->statics) {
    EXPECT_FALSE(row.typeName.starts_with("<statics")) << row.typeName << row.field;
    rows[row.address].push_back(&row);
  }
  std::size_t named = 0;
  const auto printed = printedStatics(GetParam());
  EXPECT_EQ(printed.size(), 89u);
  for (const auto& [name, place] : printed) {
    const std::string field = name.substr(name.rfind('.') + 1);
    const auto found = rows.find(place);
    if (found == rows.end()) continue;
    const auto isOfName = [&](const engine::StaticRow* row) { return row->field == field; };
    const auto isNameless = [](const engine::StaticRow* row) { return row->field.starts_with('+'); };
    EXPECT_TRUE(std::ranges::any_of(found->second, isOfName) || std::ranges::all_of(found->second, isNameless)) << name;
    if (std::ranges::any_of(found->second, isOfName)) ++named;
  }
  // The compilers before that of .NET 11 do not tell of the thread statics of most classes.
  const std::map<std::string, std::size_t> expected{{"8", 30}, {"10", 35}, {"11", 89}};
  EXPECT_EQ(named, expected.at(GetParam()));
  const auto ofThread = std::ranges::count_if(list->statics, [](const engine::StaticRow& row) {
    return row.typeName == "Forms.LocalMixed" && row.kind == engine::StaticKind::Thread && row.field == "tn1";
  });
  EXPECT_GE(ofThread, 3);
}

TEST_P(AotForms, HaveFlagsAsText) {
  const auto fields = fieldsOf("Forms.Enums");
  EXPECT_EQ(fields.at("R1").value.text, "Read | Run");
  EXPECT_EQ(fields.at("R0").value.text, "None");
  EXPECT_EQ(fields.at("R7").value.text, "All");
  EXPECT_EQ(fields.at("R8").value.text, "8");
  EXPECT_EQ(fields.at("W").value.text, "A | C");
  EXPECT_EQ(fields.at("S").value.text, "Y | Top");
  EXPECT_EQ(fields.at("P3").value.text, "3");
  EXPECT_EQ(fields.at("PM").value.text, "Minus");
  EXPECT_EQ(fields.at("M").value.text, "Alt | Control");
}

TEST_P(AotForms, HaveAllElementsOfInlineArrays) {
  const auto fields = fieldsOf("Forms.Inlines");
  const std::map<std::string, std::size_t> lengths{{"B", 8}, {"I", 5}, {"O", 3}, {"R", 4}, {"S", 6}, {"Strings", 3}};
  for (const auto& [name, length] : lengths) EXPECT_EQ(fields.at(name).nested.size(), length) << name;
  EXPECT_EQ(fields.at("B").nested.back().value.text, "8");
  EXPECT_EQ(fields.at("S").nested.back().value.text, "-5");
  const std::map<std::string, std::size_t> buffers{{"Bytes", 16}, {"Chars", 7}, {"Bools", 3}};
  for (const engine::FieldValue& buffer : fields.at("F").nested) {
    const auto length = buffers.find(buffer.name);
    EXPECT_TRUE(length == buffers.end() || buffer.nested.size() == length->second) << buffer.name;
  }
}

TEST_P(AotForms, NameOwnersByTheirClasses) {
  const auto owners = engine::largestOwners(snapshot(), 20, {});
  ASSERT_TRUE(owners);
  ASSERT_FALSE(owners->owners.empty());
  for (const engine::RootOwner& owner : owners->owners) {
    EXPECT_TRUE(owner.place.empty()) << owner.place;
    EXPECT_TRUE(owner.name.find("<statics") == std::string::npos) << owner.name;
  }
  EXPECT_TRUE(std::ranges::any_of(owners->owners, [](const engine::RootOwner& owner) {
    return owner.kind == engine::OwnerKind::Field && owner.name == "static Forms.Program.Keep";
  }));
}

INSTANTIATE_TEST_SUITE_P(Releases, AotForms, testing::Values("8", "10", "11"));

TEST(AotFormsWithoutFile, NameOwnersByWhatTheyHold) {
  const TemporaryFolder folder;
  const Snapshot snapshot = openForms("10", folder.path());
  const auto held = engine::listHeldRoots(snapshot, {});
  ASSERT_TRUE(held);
  std::size_t nameless = 0;
  for (const engine::RootTreeNode& node : held->tree) {
    EXPECT_FALSE(node.name.starts_with('<')) << node.name;
    if (node.place.empty()) continue;
    ++nameless;
    EXPECT_TRUE(node.place.starts_with("<statics ")) << node.place;
    EXPECT_TRUE(node.name.starts_with("statics")) << node.name;
  }
  EXPECT_GT(nameless, 50u);
  const auto owners = engine::largestOwners(snapshot, 20, {});
  ASSERT_TRUE(owners);
  EXPECT_TRUE(std::ranges::any_of(owners->owners, [](const engine::RootOwner& owner) {
    return owner.kind == engine::OwnerKind::Field && !owner.place.empty() && owner.name.starts_with("static ");
  }));
}

TEST(AotFormsWithoutFile, SayWhichIsMissing) {
  const TemporaryFolder folder;
  const Snapshot without = openForms("10", folder.path());
  const auto missing = engine::missingDebugFile(without);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->name, kFormsDebugFile);
  EXPECT_EQ(missing->buildId.size(), 40u);
  EXPECT_TRUE(missing->otherBuilds.empty());
  EXPECT_TRUE(std::ranges::any_of(without.summary().missing, [&](const engine::Missing& one) {
    return one.what.find("forms.dbg (build-id " + missing->buildId) != std::string::npos;
  }));
  writeFile(folder / kFormsDebugFile, bytesOfText(formsDebugBytes("8")));
  const auto refused = engine::missingDebugFile(openForms("10", folder.path()));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->otherBuilds, std::vector{folder / kFormsDebugFile});
  EXPECT_FALSE(engine::missingDebugFile(formsOf("10")));
}

}  // namespace
}  // namespace heapscape::test

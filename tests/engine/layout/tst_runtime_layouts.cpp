// SPDX-License-Identifier: MIT
// What the rules compute against what .NET 8, 9 and 10 reported of the same types; see tests/targets/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "layout/declared/finders/assembly_finders.h"
#include "layout/declared/metadata_types.h"
#include "layout/rules/layout_rules.h"
#include "session/snapshot/contents.h"
#include "support/builders/types_in_memory.h"
#include "support/dump_path.h"
#include "support/expected_layouts.h"
#include "support/opened_snapshot.h"
#include "support/test_assembly.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;
using Json = nlohmann::json;

/// Name, offset and bytes of a field.
using Place = std::tuple<std::string, std::uint32_t, std::uint32_t>;

struct RuntimeLayoutsTypeSet {
  std::string assembly;  // none: the framework's own types
  std::string expected;
  std::uint32_t runtime;
  std::size_t atLeast;  // types that the runtime could load
  Architecture architecture = Architecture::X64;
};

std::string nameOf(const testing::TestParamInfo<RuntimeLayoutsTypeSet>& set) {
  std::string name = set.param.expected + "On" + std::to_string(set.param.runtime);
  std::erase(name, '-');
  return name;
}

LayoutRuntime runtimeOf(const RuntimeLayoutsTypeSet& set) {
  LayoutRuntime runtime = LayoutRuntime::of(set.architecture);
  runtime.majorVersion = set.runtime;
  return runtime;
}

class LayoutsByTheRules : public testing::TestWithParam<RuntimeLayoutsTypeSet> {
 protected:
  LayoutsByTheRules() {
    if (GetParam().assembly.empty()) return;
    m_assembly = std::make_unique<TestAssembly>(GetParam().assembly);
    auto source = openAssembly(m_assembly->path());
    if (source) m_home = m_types.add(std::move(*source));
  }

  Result<TypeLayout> layoutOf(const Json& entry) {
    const std::string name = entry["type"];
    if (!m_home.isNone()) {
      const auto type = m_types.parse(m_home, name);
      return type ? m_rules.layoutOf(*type) : tl::unexpected<Error>(type.error());
    }
    HEAPSCAPE_TRY(const AssemblyId assembly, m_types.findAssembly(entry["assembly"].get<std::string>()));
    HEAPSCAPE_TRY(const ClosedTypeId type, m_types.parse(assembly, name));
    return m_rules.layoutOf(type);
  }

  static std::vector<Place> placesOf(const TypeLayout& layout) {
    std::vector<Place> places;
    for (const LayoutField& field : layout.fields) places.emplace_back(field.name, field.offset, field.sizeBytes);
    std::ranges::sort(places);
    return places;
  }
  static std::vector<Place> placesOf(const Json& entry) {
    std::vector<Place> places;
    for (const Json& field : entry["fields"]) places.emplace_back(field["name"], field["offset"], field["size"]);
    std::ranges::sort(places);
    return places;
  }
  static std::vector<std::pair<std::uint32_t, std::uint32_t>> referencesOf(const Json& entry) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
    for (const Json& run : entry.value("gcSeries", Json::array())) runs.emplace_back(run[0], run[1]);
    std::ranges::sort(runs);
    return runs;
  }

  std::unique_ptr<TestAssembly> m_assembly;
  const Snapshot m_library = openSnapshot(dumpPath("library-" + std::to_string(GetParam().runtime)), Stage::Summary);
  MetadataTypes m_types{std::make_shared<DumpFinder>(m_library.contents().readers, "library")};
  LayoutRules m_rules{m_types, runtimeOf(GetParam())};
  AssemblyId m_home;
};

TEST_P(LayoutsByTheRules, EqualTheRuntimesToTheByte) {
  std::size_t equal = 0;
  for (const Json& entry : expectedLayouts(GetParam().expected, GetParam().runtime)) {
    SCOPED_TRACE(entry["type"].get<std::string>());
    const auto layout = layoutOf(entry);
    if (entry.contains("loadError")) {
      EXPECT_FALSE(layout) << "the runtime says: " << entry["loadError"];
      continue;
    }
    ASSERT_TRUE(layout) << layout.error().message();
    EXPECT_EQ(layout->baseSize, entry["baseSize"].get<std::uint32_t>());
    EXPECT_EQ(layout->valueSize.value_or(0), entry.value("valueSize", 0u));
    if (layout->valueSize && entry.contains("alignment")) {
      EXPECT_EQ(layout->references.empty() ? layout->alignment.value_or(0) : 8,
                entry["alignment"].get<std::uint32_t>());
    }
    EXPECT_EQ(placesOf(*layout), placesOf(entry));
    EXPECT_EQ(layout->references, referencesOf(entry));
    ++equal;
  }
  EXPECT_GE(equal, GetParam().atLeast);
}

/// Classes below each other, the first one explicit.
struct ExplicitChain {
  ExplicitChain() {
    const auto below = [this](std::string_view name, LayoutKind kind, ClosedTypeId base,
                              std::vector<TypesInMemory::Field> fields) {
      const ClosedTypeId type = types.addClass(name, std::move(fields));
      types.declaration(type).layoutKind = kind;
      if (!base.isNone()) types.declaration(type).base = base;
      return type;
    };
    using enum ElementType;
    const auto first = below("Explicit", LayoutKind::Explicit, {}, {{"a", I, {}, 2}, {"b", U, {}, 8}});
    const auto second = below("Second", LayoutKind::Sequential, first, {{"a", U}, {"b", U2}, {"c", I8}});
    third = below("Third", LayoutKind::Sequential, second, {{"a", U1}, {"b", I4}, {"c", U1}, {"d", U1}});
    last = below("Last", LayoutKind::Auto, third, {{"a", U1}, {"b", I8}, TypesInMemory::reference("c")});
    mixed = below("Mixed", LayoutKind::Sequential, third, {{"a", U1}, {"b", I8}, {"c", Boolean}});
  }

  TypesInMemory types;
  ClosedTypeId third, last, mixed;
};

TEST(SequentialBelowExplicit, EndsAtTheAlignmentOfItsOwnFieldsOnDotNet8And9) {
  for (const std::uint32_t runtime : {8u, 9u}) {
    ExplicitChain chain;
    LayoutRules rules(chain.types, {.majorVersion = runtime});
    EXPECT_EQ((*rules.placementOf(chain.third))->fieldBytes, 52u);
    EXPECT_EQ((*rules.placementOf(chain.last))->offsets, (std::vector<std::uint32_t>{52, 64, 56}));
    EXPECT_EQ(*rules.baseSizeOf(chain.last), 88u);
  }
}

TEST(SequentialBelowExplicit, KeepsItsOrderOnlyAsLongAsAllIsBlittable) {
  ExplicitChain chain;
  LayoutRules rules(chain.types, {.majorVersion = 9});
  EXPECT_EQ((*rules.placementOf(chain.third))->effective, LayoutKind::Sequential);
  EXPECT_EQ((*rules.placementOf(chain.mixed))->effective, LayoutKind::Auto);
}

INSTANTIATE_TEST_SUITE_P(
    TypeSets, LayoutsByTheRules,
    testing::Values(
        RuntimeLayoutsTypeSet{"LayoutZoo1", "zoo", 8, 1597}, RuntimeLayoutsTypeSet{"LayoutZoo1", "zoo", 9, 1597},
        RuntimeLayoutsTypeSet{"LayoutZoo1", "zoo", 10, 1596}, RuntimeLayoutsTypeSet{"LayoutZooEdge", "edge", 8, 637},
        RuntimeLayoutsTypeSet{"LayoutZooEdge", "edge", 9, 637}, RuntimeLayoutsTypeSet{"LayoutZooEdge", "edge", 10, 637},
        RuntimeLayoutsTypeSet{"LayoutChains", "chains", 8, 581},
        RuntimeLayoutsTypeSet{"LayoutChains", "chains", 9, 581},
        RuntimeLayoutsTypeSet{"LayoutChains", "chains", 10, 581},
        RuntimeLayoutsTypeSet{"LayoutZoo1R2R", "r2r", 8, 1597}, RuntimeLayoutsTypeSet{"LayoutZoo1R2R", "r2r", 9, 1597},
        RuntimeLayoutsTypeSet{"LayoutZoo1R2R", "r2r", 10, 1596}, RuntimeLayoutsTypeSet{"", "framework", 8, 315},
        RuntimeLayoutsTypeSet{"", "framework", 9, 317}, RuntimeLayoutsTypeSet{"", "framework", 10, 319},
        RuntimeLayoutsTypeSet{"LayoutZoo1", "zoo-arm64", 9, 1597, Architecture::Arm64},
        RuntimeLayoutsTypeSet{"LayoutZoo1", "zoo-arm64", 10, 1596, Architecture::Arm64},
        RuntimeLayoutsTypeSet{"LayoutZooEdge", "edge-arm64", 9, 637, Architecture::Arm64},
        RuntimeLayoutsTypeSet{"LayoutZooEdge", "edge-arm64", 10, 637, Architecture::Arm64}),
    nameOf);

}  // namespace
}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "metadata/signature.h"
#include "session/layouts/layout_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class LayoutsOfEveryDump : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& m_snapshot = openedDump(GetParam());
  const Truth m_truth = Truth::of(GetParam());
};

TEST_P(LayoutsOfEveryDump, HaveTheFieldsOfTheTruth) {
  const bool hasNames = !GetParam().ends_with("-gcore");
  std::size_t compared = 0;
  for (const TruthType& expected : m_truth.types) {
    if (expected.name == "Free") continue;
    SCOPED_TRACE(expected.name);
    const auto layout = layoutOf(m_snapshot, expected.methodTable);
    ASSERT_TRUE(layout) << layout.error().message();
    EXPECT_EQ(layout->componentSize, expected.componentSize);
    using Place = std::pair<std::uint32_t, std::string>;
    std::vector<Place> theirs;
    std::vector<Place> ours;
    for (const TruthField& field : expected.fields) theirs.emplace_back(field.offset, hasNames ? field.name : "");
    for (const LayoutField& field : layout->fields) ours.emplace_back(field.offset + 8, hasNames ? field.name : "");
    std::ranges::sort(theirs);
    std::ranges::sort(ours);
    EXPECT_EQ(ours, theirs);
    compared += ours.size();
    for (const TruthField& field : expected.fields) {
      const auto same = std::ranges::find_if(layout->fields, [&](const LayoutField& own) {
        return own.offset + 8 == field.offset && (!hasNames || own.name == field.name);
      });
      if (same == layout->fields.end()) continue;
      // ClrMD's sizes of value types are not those of the fields, and it takes some classes that are not loaded for
      // value types; where the references are, the collector knows better (below).
      const bool isValueType = field.elementType == static_cast<std::uint32_t>(ElementType::ValueType);
      if (!isValueType && hasNames) {
        EXPECT_EQ(same->sizeBytes, field.sizeBytes) << field.name;
      }
      if (same->kind == FieldKind::ValueType && hasNames) {
        EXPECT_TRUE(isValueType) << field.name;
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

void expectInside(const std::vector<LayoutField>& fields, std::uint64_t start, std::uint64_t end) {
  for (const LayoutField& field : fields) {
    const std::uint64_t fieldEnd = field.offset + std::uint64_t{field.sizeBytes} * field.repeat;
    EXPECT_GE(field.offset, start) << field.declaringType << "." << field.name;
    EXPECT_LE(fieldEnd, end) << field.declaringType << "." << field.name;
    EXPECT_GT(field.sizeBytes, 0u) << field.declaringType << "." << field.name;
    expectInside(field.nested, field.offset, field.offset + std::uint64_t{field.sizeBytes});
  }
}

/// Bytes that fields cover, overlapping ones once, repeated and nested ones in full.
void cover(const std::vector<LayoutField>& fields, std::uint64_t shift, std::vector<bool>& used) {
  for (const LayoutField& field : fields) {
    for (std::uint64_t i = 0; i < field.repeat; ++i) {
      const std::uint64_t start = shift + field.offset + i * field.sizeBytes;
      if (field.nested.empty()) std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(start), field.sizeBytes, true);
      cover(field.nested, shift + i * field.sizeBytes, used);
    }
  }
}

TEST_P(LayoutsOfEveryDump, AreFieldsAndPaddingsAndNothingElse) {
  const auto loaded = loadedTypes(m_snapshot, {});
  ASSERT_TRUE(loaded);
  std::size_t compared = 0;
  for (const LoadedType& type : *loaded) {
    const auto layout = layoutOf(m_snapshot, type.methodTable);
    if (!layout || layout->kind == TypeKind::Array || layout->kind == TypeKind::Interface) continue;
    SCOPED_TRACE(type.name);
    expectInside(layout->fields, 0, layout->fieldsBytes);
    if (HasFailure()) return;
    std::vector<bool> used(layout->fieldsBytes);
    cover(layout->fields, 0, used);
    std::uint32_t own = 0;
    std::uint32_t nested = 0;
    std::uint32_t behind = 0;
    for (const Padding& padding : layout->paddings) {
      EXPECT_GE(padding.offset, behind);
      behind = padding.offset + padding.sizeBytes;
      ASSERT_LE(behind, layout->fieldsBytes);
      EXPECT_GT(padding.sizeBytes, 0u);
      for (std::uint32_t i = padding.offset; i < behind; ++i) {
        EXPECT_FALSE(used[i]) << i;
        used[i] = true;
      }
      (padding.isNested ? nested : own) += padding.sizeBytes;
    }
    EXPECT_TRUE(std::ranges::all_of(used, [](bool byte) { return byte; }));
    EXPECT_EQ(own, layout->ownPaddingBytes);
    EXPECT_EQ(nested, layout->nestedPaddingBytes);
    ++compared;
  }
  EXPECT_GT(compared, 300u);
}

TEST_P(LayoutsOfEveryDump, HaveReferencesWhereTheCollectorLooks) {
  for (const TypeRow& type : m_snapshot.types()) {
    const auto layout = type.isFree ? failure(ErrorCode::NotFound, {}) : layoutOf(m_snapshot, type.methodTable);
    if (!layout || layout->kind == TypeKind::Array || layout->fields.empty()) continue;
    SCOPED_TRACE(type.name);
    std::vector<std::uint32_t> runs;
    for (const auto& [offset, bytes] : layout->references) {
      for (std::uint32_t at = 0; at < bytes; at += 8) runs.push_back(offset + at);
    }
    std::vector<std::uint32_t> fields;
    const auto collect = [&](const auto& self, const std::vector<LayoutField>& list, std::uint32_t shift) -> void {
      for (const LayoutField& field : list) {
        for (std::uint32_t i = 0; i < field.repeat; ++i) {
          if (field.kind == FieldKind::Reference) fields.push_back(shift + field.offset + i * field.sizeBytes);
          self(self, field.nested, shift + i * field.sizeBytes);
        }
      }
    };
    collect(collect, layout->fields, 0);
    std::ranges::sort(fields);
    fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
    // The fields of a value type are unknown without metadata.
    if (GetParam().ends_with("-gcore")) {
      EXPECT_TRUE(std::ranges::includes(runs, fields));
    } else {
      EXPECT_EQ(fields, runs);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, LayoutsOfEveryDump, testing::ValuesIn(healthyDumps()),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine

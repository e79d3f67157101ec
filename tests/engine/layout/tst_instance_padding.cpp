// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "layout/instance_padding.h"
#include "layout/object_size.h"
#include "runtime/types/loaded_types.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class InstancePadding : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Dumps, InstancePadding,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "library-10", "exhibits-8",
                                         "exhibits-11", "suspended-11"),
                         [](const auto& dump) { return testName(dump.param); });

/// As the whole layout has it, which says where each byte of it is.
Result<PaddingPerInstance> paddingByLayout(const LayoutSources& sources, Address methodTable) {
  const auto layout = readActualLayout(sources, methodTable);
  if (!layout) return tl::unexpected<Error>(layout.error());
  PaddingPerInstance padding;
  if (!layout->elementLayout.empty()) padding.ofElement = layout->elementLayout.front().paddingBytes();
  if (layout->kind == TypeKind::Array || layout->kind == TypeKind::String) return padding;
  padding.ofObject = layout->paddingBytes();
  if (layout->valueSize) padding.ofObject += layout->baseSize - kObjectOverheadBytes - *layout->valueSize;
  return padding;
}

TEST_P(InstancePadding, IsThatOfTheWholeLayoutForEveryLoadedType) {
  const Contents& contents = openedDump(GetParam()).contents();
  const LayoutSources sources = contents.layoutSources();
  InstancePaddings paddings(sources);
  std::size_t padded = 0;
  for (const Address type : contents.readers->loadedTypes.all()) {
    const auto expected = paddingByLayout(sources, type);
    const auto found = paddings.of(type);
    ASSERT_EQ(found.has_value(), expected.has_value()) << contents.readers->names.nameOf(type);
    if (!found) {
      EXPECT_EQ(found.error().what, expected.error().what);
      continue;
    }
    EXPECT_EQ(found->ofObject, expected->ofObject) << contents.readers->names.nameOf(type);
    EXPECT_EQ(found->ofElement, expected->ofElement) << contents.readers->names.nameOf(type);
    padded += found->ofObject > 0;
  }
  EXPECT_GT(padded, 100u);
}

}  // namespace
}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/cache/dump_digest.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Hash128 rootsOf(const Snapshot& snapshot) {
  return digestOf(snapshot.rootOptions(), snapshot.roots());
}

Hash128 contentOf(const std::filesystem::path& path) {
  const Snapshot snapshot = openSnapshot(path, Stage::Retained);
  return contentDigestOf(snapshot.contents(), rootsOf(snapshot));
}

Hash128 wholeOf(const std::filesystem::path& path) {
  const Snapshot snapshot = openSnapshot(path, Stage::Retained);
  return digestOf(snapshot.contents(), rootsOf(snapshot));
}

TEST(DumpDigest, IsTheSameEveryTime) {
  const PatchedCore core("shop-10");
  EXPECT_EQ(wholeOf(core.path()), wholeOf(core.path()));
}

TEST(DumpDigest, TellsACopyApartThoughItHoldsTheSame) {
  const PatchedCore core("shop-10");
  const TemporaryFolder folder;
  std::filesystem::copy_file(core.path(), folder / "copy");
  EXPECT_EQ(contentOf(core.path()), contentOf(folder / "copy"));
  EXPECT_NE(wholeOf(core.path()), wholeOf(folder / "copy"));
}

TEST(DumpDigest, TellsAFileApartThatWasWrittenTo) {
  PatchedCore core("shop-10");
  const Hash128 before = wholeOf(core.path());
  const auto bytes = core.readAt(0, 1);
  core.writeAt(0, bytes);
  EXPECT_NE(wholeOf(core.path()), before);
}

TEST(DumpDigest, SeesEveryByteOfTheHeap) {
  PatchedCore core("shop-10");
  const Snapshot snapshot = openSnapshot(core.path(), Stage::Retained);
  const Hash128 before = contentDigestOf(snapshot.contents(), rootsOf(snapshot));
  std::size_t tried = 0;
  for (const Segment& segment : snapshot.segments()) {
    const std::uint64_t step = segment.objects.sizeBytes() / 9 + 1;
    for (Address at = segment.objects.start; at < segment.objects.end; at = at + step) {
      std::uint8_t byte = 0;
      if (!snapshot.contents().memory->tryRead(at, byte)) continue;
      core.write(at, static_cast<std::uint8_t>(byte ^ 1));
      EXPECT_NE(contentDigestOf(snapshot.contents(), rootsOf(snapshot)), before) << toString(at);
      core.restore();
      ++tried;
    }
  }
  EXPECT_GT(tried, 20U);
  EXPECT_EQ(contentDigestOf(snapshot.contents(), rootsOf(snapshot)), before);
}

TEST(DumpDigest, SeesWhatElseAnAnswerRestsOn) {
  const PatchedCore core("shop-10");
  const Snapshot snapshot = openSnapshot(core.path(), Stage::Retained);
  const Contents& contents = snapshot.contents();
  const Hash128 before = contentDigestOf(contents, rootsOf(snapshot));

  RootList roots = snapshot.roots();
  roots.roots.back().isExact ^= true;
  EXPECT_NE(contentDigestOf(contents, digestOf({}, roots)), before);
  roots = snapshot.roots();
  roots.roots.front().object = roots.roots.front().object + 8;
  EXPECT_NE(contentDigestOf(contents, digestOf({}, roots)), before);
  EXPECT_NE(contentDigestOf(contents, digestOf({.includeInexact = false}, snapshot.roots())), before);

  Contents changed = contents;
  auto types = *contents.types;
  types.back().name += "x";
  changed.types = std::make_shared<const std::vector<TypeRow>>(types);
  EXPECT_NE(contentDigestOf(changed, rootsOf(snapshot)), before) << "names of types";
  changed = contents;
  auto modules = *contents.modules;
  modules.back().metadata = MetadataSource::Missing;
  modules.front().mvid = "another";
  changed.modules = std::make_shared<const std::vector<ModuleRow>>(modules);
  EXPECT_NE(contentDigestOf(changed, rootsOf(snapshot)), before) << "metadata";
  changed = contents;
  changed.findings.add(FindingKind::HeapDamaged, {}, "Something else.");
  EXPECT_NE(contentDigestOf(changed, rootsOf(snapshot)), before) << "findings";
  changed = contents;
  auto segments = *contents.segments;
  segments.front().kind = SegmentKind::Frozen;
  changed.segments = std::make_shared<const std::vector<Segment>>(segments);
  EXPECT_NE(contentDigestOf(changed, rootsOf(snapshot)), before) << "segments";
}

}  // namespace
}  // namespace heapscape::engine

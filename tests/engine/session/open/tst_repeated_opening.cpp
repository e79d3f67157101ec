// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <optional>

#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/own_process.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

TEST(OpeningAgain, LeaksNeitherFilesNorMappingsNorMemory) {
  const auto path = packedDumpPath("storm-10-calm");
  // The first times fill caches of libraries and the allocator's arenas.
  for (int i = 0; i < 3; ++i) openSnapshot(path);
  const std::size_t files = openFiles();
  const std::size_t maps = mappings();
  const std::uint64_t bytes = residentBytes();
  for (int i = 0; i < 20; ++i) openSnapshot(path);
  EXPECT_EQ(openFiles(), files);
  EXPECT_LE(mappings(), maps + 8);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(HEAPSCAPE_EMULATED)
  EXPECT_LE(residentBytes(), bytes + (24u << 20));
#else
  (void)bytes;
#endif
}

TEST(OpeningAgain, LeaksNothingWhenItFailsOrIsCancelled) {
  std::stop_source stopped;
  stopped.request_stop();
  const auto once = [&] {
    EXPECT_TRUE(openDump(packedDumpPath("shop-10-triage"), {}, nullptr, {}));
    EXPECT_FALSE(openDump(packedDumpPath("shop-10"), {}, nullptr, stopped.get_token()));
    EXPECT_FALSE(openDump("/nowhere", {}, nullptr, {}));
  };
  once();
  const std::size_t files = openFiles();
  const std::size_t maps = mappings();
  for (int i = 0; i < 10; ++i) once();
  EXPECT_EQ(openFiles(), files);
  EXPECT_LE(mappings(), maps + 8);
}

TEST(OpeningAgain, ReplacesOneDumpByAnother) {
  std::optional<Snapshot> current = openSnapshot(packedDumpPath("storm-10-calm"));
  const std::size_t files = openFiles();
  for (const char* name : {"storm-8-calm", "storm-9-calm", "storm-10-calm"}) current = openSnapshot(dumpPath(name));
  EXPECT_EQ(openFiles(), files);
  EXPECT_GT(current->totals().objects, 0u);
}

}  // namespace
}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "session/open/missing_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/elf/elf_image.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/temporary_folder.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// A dump that has no PDB beside it.
class DumpAlone : public testing::Test {
 protected:
  DumpAlone() { std::filesystem::create_symlink(dumpPath("stacks-10"), m_dump); }

  MissingSymbols missing(std::vector<std::filesystem::path> folders = {}) const {
    OpenOptions options;
    options.stopAfter = Stage::Objects;
    options.searchFolders = std::move(folders);
    const auto opened = openDump(m_dump, options, nullptr, {});
    if (!opened) throw std::runtime_error(opened.error().error().message());
    return missingSymbols(*opened, {}).value();
  }

  TemporaryFolder m_folder;
  std::filesystem::path m_dump = m_folder / dumpPath("stacks-10").filename();
  TemporaryFolder m_search;
};

TEST_F(DumpAlone, LacksThePdbOfItsProgram) {
  const MissingSymbols symbols = missing();
  ASSERT_FALSE(symbols.sources.empty());
  const MissingSource& own = symbols.sources.front();
  EXPECT_EQ(own.pdb, "stacks.pdb");
  EXPECT_EQ(own.assembly, "stacks.dll");
  EXPECT_FALSE(own.isFramework) << "what is the program's own comes first";
  EXPECT_GT(own.frames, 10u);
  EXPECT_TRUE(own.otherBuilds.empty());
}

TEST_F(DumpAlone, FindsThePdbAnywhereBelowAFolder) {
  std::filesystem::create_directories(m_search.path() / "a" / "b c");
  std::filesystem::copy_file(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "stacks.pdb",
                             m_search.path() / "a" / "b c" / "stacks.pdb");
  EXPECT_EQ(std::ranges::count(missing({m_search.path()}).sources, "stacks.pdb", &MissingSource::pdb), 0);
}

TEST_F(DumpAlone, TellsOfAPdbOfAnotherBuild) {
  writeFile(m_search / "stacks.pdb", pattern(500));
  const MissingSymbols symbols = missing({m_search.path()});
  ASSERT_FALSE(symbols.sources.empty());
  EXPECT_EQ(symbols.sources.front().pdb, "stacks.pdb");
  EXPECT_EQ(symbols.sources.front().otherBuilds, std::vector{m_search / "stacks.pdb"});
}

TEST(MissingLibrary, IsNoneWhereAllStacksAreRead) {
  EXPECT_FALSE(missingSymbols(openedDump("stacks-8"), {}).value().runtimeLibrary);
}

/// Without it, helpers of the runtime cannot be left, which until .NET 9 nothing else tells the caller of.
TEST(MissingLibrary, EndsStacksInItsHelpers) {
  const Contents& whole = openedDump("stacks-8").contents();
  const RuntimeLibrary& library = whole.readers->runtime.library();
  const auto stacks = keptStacks(openedDump("stacks-8"), {}).value();
  const AddressRange table = ElfImage::at(*whole.memory, library.base).value().unwindTable();
  PatchedCore core("stacks-8");
  for (const AddressRange& part : whole.memory->present(table)) core.makeHole(part);
  const Snapshot snapshot = openSnapshot(core.path(), Stage::Objects);
  const auto cut = keptStacks(snapshot, {}).value();
  ASSERT_EQ(cut->threads.size(), stacks->threads.size());
  std::size_t ended = 0;
  for (std::size_t i = 0; i < cut->threads.size(); ++i) {
    const ThreadStackRow& thread = cut->threads[i];
    if (thread.isComplete) {
      EXPECT_EQ(thread.frames.size(), stacks->threads[i].frames.size()) << "nothing is lost quietly";
    } else {
      ++ended;
      EXPECT_NE(thread.problem.find("runtime's library"), std::string::npos) << thread.problem;
    }
  }
  EXPECT_GT(ended, 0u);
  const auto missing = missingSymbols(snapshot, {}).value().runtimeLibrary;
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->cutStacks, ended);
  EXPECT_EQ(missing->buildId, library.buildId);
  EXPECT_TRUE(missing->path.ends_with("/libcoreclr.so")) << missing->path;
}

}  // namespace
}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "memory/files/file_places.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/builders/core_builder.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

namespace fs = std::filesystem;

class Places : public testing::Test {
 protected:
  fs::path put(const std::string& path) const {
    const fs::path file = m_folder.path() / path;
    fs::create_directories(file.parent_path());
    writeFile(file, bytesOfText("x"));
    return file;
  }
  static bool finds(FilePlaces places, const std::string& recorded, const fs::path& file) {
    FileFinder finder(std::move(places));
    const auto candidates = finder.furtherCandidatesFor(recorded);
    return std::ranges::find(candidates, file) != candidates.end();
  }

  TemporaryFolder m_folder;
};

TEST_F(Places, OfPackagesAreNamedAsTheirAssembliesOrTheBeginningOfThat) {
  const FilePlaces places{.packages = m_folder.path()};
  const fs::path json = put("newtonsoft.json/13.0.3/lib/net6.0/Newtonsoft.Json.dll");
  const fs::path core = put("xunit/2.0.0/lib/netstandard1.1/xunit.core.dll");
  EXPECT_TRUE(finds(places, "/app/Newtonsoft.Json.dll", json));
  EXPECT_TRUE(finds(places, "/app/xunit.core.dll", core));
  EXPECT_FALSE(finds(places, "/app/json.dll", json));
}

TEST_F(Places, OfAnInstalledFrameworkServeProgramsThatBringTheirOwn) {
  const fs::path file = put("dotnet/shared/Microsoft.NETCore.App/10.0.12/System.Linq.dll");
  EXPECT_TRUE(finds({.dotnets = {m_folder.path() / "dotnet"}}, "/app/System.Linq.dll", file));
}

TEST_F(Places, AreLookedThroughToTheBottomOnlyIfAskedTo) {
  const fs::path file = put("a/b/c/shop.dll");
  EXPECT_TRUE(finds({.trees = {m_folder.path()}}, "/app/shop.dll", file));
  EXPECT_FALSE(finds({.folders = {m_folder.path()}}, "/app/shop.dll", file));
  EXPECT_FALSE(finds({}, "/app/shop.dll", file));
}

TEST_F(Places, AreNotListedAnyMoreOnceAskedToStop) {
  put("shop.dll");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(FolderIndex(m_folder.path(), stop.get_token()).isWhole());
}

TEST_F(Places, HaveLinksThatAreNotFollowed) {
  put("real/shop.dll");
  fs::create_directory_symlink(m_folder.path(), m_folder.path() / "real" / "loop");
  EXPECT_EQ(FolderIndex(m_folder.path()).filesNamed("shop.dll").size(), 1u);
  EXPECT_TRUE(FolderIndex(m_folder.path()).isWhole());
  EXPECT_TRUE(FolderIndex(m_folder.path() / "nowhere").filesNamed("shop.dll").empty());
}

TEST_F(Places, DoNotMindPathsThatNameNoFile) {
  for (const char* path : {"", "shop.dll", "/", "/app/", "/app/..", "[vdso]"}) {
    FileFinder finder({.hasRecordedPaths = true, .trees = {m_folder.path()}});
    EXPECT_TRUE(finder.candidatesFor(path).empty()) << path;
    EXPECT_TRUE(finder.furtherCandidatesFor(path).empty()) << path;
  }
}

}  // namespace
}  // namespace heapscape::engine

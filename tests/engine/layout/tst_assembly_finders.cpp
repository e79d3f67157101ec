// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "layout/declared/finders/assembly_finders.h"
#include "support/machine.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;
namespace fs = std::filesystem;

/// Folders with copies of one small assembly, "shapes".
class AssemblyFinders : public testing::Test {
 protected:
  fs::path put(const fs::path& place) const {
    const fs::path path = m_folder.path() / place;
    fs::create_directories(path.parent_path());
    fs::copy_file(HEAPSCAPE_TEST_DATA "/metadata/shapes.dll", path);
    return path;
  }
  void putText(const fs::path& place, std::string_view text) const {
    fs::create_directories((m_folder.path() / place).parent_path());
    std::ofstream(m_folder.path() / place) << text;
  }
  static fs::path foundBy(AssemblyFinder&& finder, std::string_view name = "shapes") {
    const auto found = finder.find(name);
    return found ? found->path : fs::path(found.error().what);
  }
  InstalledFrameworkFinder installed(std::optional<std::uint32_t> major = {}) const {
    return InstalledFrameworkFinder({m_folder.path()}, major);
  }

  TemporaryFolder m_folder;
};

TEST_F(AssemblyFinders, TakeTheFirstFolder) {
  const fs::path second = put("b/shapes.dll");
  put("c/shapes.dll");
  FolderFinder folders({m_folder / "a", m_folder / "b", m_folder / "c"});
  const auto found = folders.find("shapes");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->path, second);
  EXPECT_EQ(found->name, "shapes");
  EXPECT_EQ(folders.find("Shapes").error().code, ErrorCode::NotFound);
}

TEST_F(AssemblyFinders, DoNotLeaveTheirFolders) {
  put("shapes.dll");
  FolderFinder folders({m_folder / "a"});
  fs::create_directories(m_folder / "a");
  EXPECT_FALSE(folders.find("../shapes"));
  EXPECT_FALSE(folders.find((m_folder / "shapes").string()));
  EXPECT_FALSE(folders.find(""));
  EXPECT_FALSE(folders.find(std::string("shapes\0", 7)));
  EXPECT_FALSE(folders.find(std::string(100'000, 'x')));
}

TEST_F(AssemblyFinders, TakeTheNewestReleaseOfTheFrameworkThatIsWanted) {
  for (const char* version : {"8.0.9", "8.0.29", "10.0.1", "10.0.2-rc.1.25451.107", "11.0.0-preview.3", "latest"}) {
    put(fs::path("shared/Microsoft.NETCore.App") / version / "shapes.dll");
  }
  const auto in = [&](const char* version) {
    return m_folder.path() / "shared/Microsoft.NETCore.App" / version / "shapes.dll";
  };
  EXPECT_EQ(foundBy(installed(8)), in("8.0.29"));
  EXPECT_EQ(foundBy(installed()), in("10.0.1"));
  EXPECT_EQ(foundBy(installed(9)), in("10.0.1"));  // rolls forward
  EXPECT_EQ(foundBy(installed(11)), in("11.0.0-preview.3"));
  EXPECT_EQ(foundBy(installed(12)), in("10.0.1"));
  EXPECT_EQ(installed(9).majorVersion(), 10u);
}

TEST_F(AssemblyFinders, TakeARuntimePackWhereThatVersionIsNotInstalled) {
  put("shared/Microsoft.NETCore.App/10.0.1/shapes.dll");
  const fs::path packages = m_folder.path() / "packages";
  const auto pack = [&](const char* version, const char* library) {
    return put(fs::path("packages/microsoft.netcore.app.runtime.linux-x64") / version / "runtimes/linux-x64/lib" /
               library / "shapes.dll");
  };
  pack("8.0.5", "net8.0");
  const fs::path newest = pack("8.0.29", "net8.0");
  pack("10.0.9", "net10.0");
  put("packages/microsoft.netcore.app.ref/9.0.1/ref/net9.0/shapes.dll");
  put("packages/microsoft.netcore.app.runtime.win-x64/9.0.1/runtimes/win-x64/lib/net9.0/shapes.dll");
  const auto chosen = [&](std::optional<std::uint32_t> major) {
    return InstalledFrameworkFinder({m_folder.path()}, major, packages);
  };
  const fs::path installedOne = m_folder.path() / "shared/Microsoft.NETCore.App/10.0.1/shapes.dll";
  EXPECT_EQ(foundBy(chosen(8)), newest);
  EXPECT_EQ(foundBy(chosen(10)), installedOne) << "rather than a newer pack";
  EXPECT_EQ(foundBy(chosen({})), installedOne);
  EXPECT_EQ(chosen(9).majorVersion(), 10u) << "neither what is for compilers nor another system's";
  EXPECT_EQ(foundBy(InstalledFrameworkFinder({}, 8, packages)), newest);
}

TEST_F(AssemblyFinders, FindTheWebFrameworkToo) {
  put("shared/Microsoft.NETCore.App/10.0.1/other.dll");
  const fs::path web = put("shared/Microsoft.AspNetCore.App/10.0.3/shapes.dll");
  put("shared/Microsoft.AspNetCore.App/8.0.3/shapes.dll");
  EXPECT_EQ(foundBy(installed()), web);
}

TEST_F(AssemblyFinders, SayThatNothingIsInstalled) {
  EXPECT_NE(foundBy(installed()).string().find("there is none"), std::string::npos);
  EXPECT_FALSE(installed().majorVersion());
}

TEST_F(AssemblyFinders, TakeTheNewestPackageForAFrameworkThatCanUseIt) {
  put("shapes/1.9.0/lib/net8.0/shapes.dll");
  put("shapes/1.10.0/lib/netstandard2.0/shapes.dll");
  put("shapes/1.10.0/lib/net9.0/shapes.dll");
  put("shapes/1.10.0/lib/net11.0/shapes.dll");
  put("shapes/1.10.0/lib/net481/shapes.dll");
  put("shapes/2.0.0-beta1/lib/net8.0/shapes.dll");
  const auto in = [&](const char* place) { return m_folder.path() / "shapes" / place / "shapes.dll"; };
  const auto cache = [&](std::uint32_t major) { return NuGetCacheFinder(m_folder.path(), {}, major); };
  EXPECT_EQ(foundBy(cache(10)), in("1.10.0/lib/net9.0"));
  EXPECT_EQ(foundBy(cache(8)), in("1.10.0/lib/netstandard2.0"));
  EXPECT_EQ(foundBy(cache(11)), in("1.10.0/lib/net11.0"));
}

TEST_F(AssemblyFinders, TakeThePackageThatTheProgramRunsWith) {
  put("shapes/1.9.0/lib/net8.0/shapes.dll");
  put("shapes/1.10.0/lib/net8.0/shapes.dll");
  putText("app.deps.json", R"({"targets": {".NETCoreApp,Version=v8.0": {
      "Shapes/1.9.0": {"runtime": {"lib/net8.0/shapes.dll": {}, "../../evil.dll": {}}}}},
      "libraries": {"Shapes/1.9.0": {"type": "package", "path": "shapes/1.9.0"}}})");
  const NuGetCacheFinder cache(m_folder.path(), m_folder / "app.deps.json", 10);
  EXPECT_EQ(foundBy(NuGetCacheFinder(cache)), m_folder.path() / "shapes/1.9.0/lib/net8.0/shapes.dll");
  EXPECT_FALSE(NuGetCacheFinder(cache).find("evil"));
}

TEST_F(AssemblyFinders, LiveWithAnyFileOfDependencies) {
  const fs::path newest = put("shapes/1.10.0/lib/net8.0/shapes.dll");
  for (const char* text : {"", "{", "[]", "7", R"({"targets": 1, "libraries": []})", R"({"targets": {"a": {"b": []}}})",
                           R"({"targets": {"a": {"b": {"runtime": ["x"]}}}, "libraries": {"b": {"path": 3}}})"}) {
    putText("app.deps.json", text);
    EXPECT_EQ(foundBy(NuGetCacheFinder(m_folder.path(), m_folder / "app.deps.json", 10)), newest) << text;
  }
}

TEST_F(AssemblyFinders, AreAskedOneAfterTheOther) {
  putText("a/shapes.dll", "no assembly");
  putText("a/broken.dll", "MZ is not enough for one");
  const fs::path good = put("b/shapes.dll");
  const auto folder = [&](const char* name) {
    return std::make_shared<FolderFinder>(std::vector<fs::path>{m_folder / name});
  };
  ChainFinder chain({folder("a"), folder("b")});
  EXPECT_EQ(foundBy(ChainFinder(chain)), good);
  const auto missing = chain.find("missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_NE(missing.error().what.find((m_folder / "a").string()), std::string::npos);
  EXPECT_NE(missing.error().what.find((m_folder / "b").string()), std::string::npos);
  EXPECT_EQ(chain.find("broken").error().code, ErrorCode::Damaged);
}

/// As the program itself looks, outside of tests.
class InstalledPlaces : public AssemblyFinders {
 protected:
  InstalledPlaces() { ::unsetenv("HEAPSCAPE_INSTALLED"); }
  ~InstalledPlaces() override { heapscape::test::hideWhatIsInstalled(); }
};

TEST_F(InstalledPlaces, AreNamedByTheEnvironmentFirst) {
  put("mine/shared/Microsoft.NETCore.App/10.0.1/shapes.dll");
  const ScopedVariable root("DOTNET_ROOT", (m_folder / "mine").string());
  ASSERT_FALSE(installedDotnets().empty());
  EXPECT_EQ(installedDotnets().front(), fs::canonical(m_folder / "mine"));
  const ScopedVariable packages("NUGET_PACKAGES", (m_folder / "cache").string());
  EXPECT_EQ(installedPackages(), m_folder / "cache");
}

TEST_F(InstalledPlaces, AreThoseOfTheStandInAlone) {
  put("mine/shared/Microsoft.NETCore.App/10.0.1/shapes.dll");
  put("theirs/shared/Microsoft.NETCore.App/10.0.1/shapes.dll");
  const ScopedVariable root("DOTNET_ROOT", (m_folder / "theirs").string());
  const ScopedVariable packages("NUGET_PACKAGES", (m_folder / "cache").string());
  const ScopedVariable instead("HEAPSCAPE_INSTALLED", (m_folder / "mine").string());
  EXPECT_EQ(installedDotnets(), std::vector{fs::canonical(m_folder / "mine")});
  EXPECT_EQ(installedPackages(), m_folder / "mine" / "packages");
}

TEST_F(InstalledPlaces, AreNoneWhereTheStandInIsEmpty) {
  put("theirs/shared/Microsoft.NETCore.App/10.0.1/shapes.dll");
  const ScopedVariable root("DOTNET_ROOT", (m_folder / "theirs").string());
  const ScopedVariable packages("NUGET_PACKAGES", (m_folder / "cache").string());
  const ScopedVariable instead("HEAPSCAPE_INSTALLED", "");
  EXPECT_TRUE(installedDotnets().empty());
  EXPECT_TRUE(installedPackages().empty());
}

TEST(VersionFolder, ReadsVersionsOnly) {
  EXPECT_EQ(parseVersion("10.0.12")->numbers, (std::array<std::uint32_t, 4>{10, 0, 12, 0}));
  EXPECT_TRUE(parseVersion("13.0.3-beta1")->isPrerelease);
  EXPECT_EQ(parseVersion("1.2.3.4")->numbers[3], 4u);
  for (const char* text : {"", "x", "1", "1.", "1.2.3.4.5", "1..2", "99999999999.1", "1.2x", "-1.2"}) {
    EXPECT_FALSE(parseVersion(text)) << text;
  }
}

}  // namespace
}  // namespace heapscape::engine

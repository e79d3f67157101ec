// SPDX-License-Identifier: MIT
// Where a dump is written, and how it gets its name.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>

#include "engine/capture/captured_dump.h"
#include "redact/redacted_copy.h"
#include "support/dump_path.h"
#include "support/opened_core.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using namespace engine;

TEST(CaptureFiles, HaveTheirNameOnceTheyAreWhole) {
  std::filesystem::path written;
  std::atomic<bool> wasThere = true;
  const FileBytes core = smallCore();
  std::filesystem::path target;
  const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
    EXPECT_EQ(request.command, DiagnosticCommand::GenerateCoreDump3);
    EXPECT_EQ(request.dumpKind(), 2u);
    written = request.dumpPath();
    writeFile(written, core);
    wasThere = std::filesystem::exists(target);
    connection.answer(FileBytes(4));
  });
  target = process.target();
  const auto dump = process.capture();
  ASSERT_TRUE(dump) << process.problem();
  EXPECT_EQ(written.parent_path(), process.folder());
  EXPECT_NE(written, target);
  EXPECT_FALSE(wasThere);
  EXPECT_EQ(dump->file, target);
  EXPECT_EQ(dump->kind, CaptureKind::Heap);
  EXPECT_EQ(dump->bytes, core.size());
  EXPECT_EQ(dump->dumpBytes, core.size());
  EXPECT_GE(dump->seconds, dump->dumpSeconds);
  EXPECT_EQ(contentsOf(target), textOf(core));
  EXPECT_EQ(process.files(), 1u);
}

TEST(CaptureFiles, AreOfTheKindThatWasAskedFor) {
  std::vector<std::uint32_t> kinds;
  const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
    kinds.push_back(request.dumpKind());
    writes(smallCore())(request, connection);
  });
  for (const CaptureKind kind : membersOf<CaptureKind>()) {
    CaptureRequest request = process.request();
    request.kind = kind;
    request.target = process.folder() / toString(kind);
    EXPECT_EQ(process.problem(request), "");
  }
  EXPECT_EQ(kinds, (std::vector<std::uint32_t>{2, 4, 1, 3}));
}

TEST(CaptureFiles, ComeFromOlderRuntimesToo) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    if (request.command != DiagnosticCommand::GenerateCoreDump) return connection.refuse(kUnknownDiagnosticCommand);
    writes(smallCore())(request, connection);
  });
  EXPECT_EQ(process.problem(), "");
  EXPECT_EQ(contentsOf(process.target()), textOf(smallCore()));
}

TEST(CaptureFiles, MayHavePercentSignsInTheirNames) {
  std::string path;
  const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
    path = request.rawDumpPath();
    writes(smallCore())(request, connection);
  });
  CaptureRequest request = process.request();
  request.target = process.folder() / "100%p.core";
  EXPECT_EQ(process.problem(request), "");
  EXPECT_NE(path.find("/100%%p.core"), std::string::npos) << path;
  EXPECT_TRUE(std::filesystem::exists(request.target));
}

TEST(CaptureFiles, ArePackedWhereTheirNameSaysSo) {
  const CapturedProcess process(writes(smallCore()));
  CaptureRequest request = process.request();
  request.target = process.folder() / "app.core.zst";
  const auto dump = process.capture(request);
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->bytes, std::filesystem::file_size(request.target));
  EXPECT_EQ(dump->dumpBytes, smallCore().size());
  EXPECT_EQ(process.files(), 1u);
  const auto unpacked = openDump(request.target);
  EXPECT_TRUE(unpacked->isCompressed());
  EXPECT_TRUE(std::ranges::equal(unpacked->bytes(), smallCore()));
  struct stat status {};
  ASSERT_EQ(::stat(request.target.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);  // contents of a process are for its owner
}

TEST(CaptureFiles, ComeOutOfContainers) {
  const TemporaryFolder container;
  std::filesystem::path inside;
  const CapturedProcess process(
      [&](const SeemingRequest& request, const SeemingConnection& connection) {
        inside = request.dumpPath();
        writeFile(container.path() / inside.relative_path(), smallCore());
        connection.answer(FileBytes(4));
      },
      container.path());
  EXPECT_EQ(process.problem(), "");
  EXPECT_EQ(inside.parent_path(), "/tmp");
  EXPECT_EQ(contentsOf(process.target()), textOf(smallCore()));
  EXPECT_EQ(process.files(), 1u);
  EXPECT_FALSE(std::filesystem::exists(container.path() / inside.relative_path()));
}

TEST(CaptureFiles, AreNotTakenFromOutsideOfAContainer) {
  const TemporaryFolder container;
  const TemporaryFolder outside;
  writeFile(outside / "secret", smallCore());
  const CapturedProcess process(
      [&](const SeemingRequest& request, const SeemingConnection& connection) {
        std::filesystem::create_symlink(outside / "secret", container.path() / request.dumpPath().relative_path());
        connection.answer(FileBytes(4));
      },
      container.path());
  EXPECT_NE(process.problem().find("cannot be read"), std::string::npos) << process.problem();
  EXPECT_EQ(process.files(), 0u);
  EXPECT_TRUE(std::filesystem::exists(outside / "secret"));
}

TEST(CaptureFiles, WithoutContentsAreAllThatStays) {
  const std::filesystem::path shop = dumpPath("shop-10");
  const CapturedProcess process([&shop](const SeemingRequest& request, const SeemingConnection& connection) {
    std::filesystem::copy_file(shop, request.dumpPath());
    connection.answer(FileBytes(4));
  });
  CaptureRequest request = process.request();
  request.limits = {};
  request.redact.emplace();
  const auto dump = process.capture(request);
  ASSERT_TRUE(dump) << dump.error().error().message();
  ASSERT_TRUE(dump->redaction);
  EXPECT_EQ(process.files(), 1u);
  EXPECT_EQ(dump->bytes, std::filesystem::file_size(process.target()));
  EXPECT_EQ(dump->dumpBytes, std::filesystem::file_size(shop));
  const auto check = checkRedacted(openSnapshot(process.target(), Stage::Objects), nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->isClean());
  EXPECT_FALSE(check->redaction.empty());
}

TEST(CaptureFiles, NeverTakeThePlaceOfOthers) {
  const CapturedProcess process(writes(smallCore()));
  writeFile(process.target(), bytesOfText("old"));
  EXPECT_NE(process.problem().find("is there already."), std::string::npos);
  EXPECT_EQ(contentsOf(process.target()), "old");
  EXPECT_TRUE(process.runtime().commands().empty());
}

TEST(CaptureFiles, NeverTakeThePlaceOfOthersThatCameMeanwhile) {
  std::filesystem::path target;
  const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
    writeFile(target, bytesOfText("new"));
    writes(smallCore())(request, connection);
  });
  target = process.target();
  EXPECT_NE(process.problem().find("cannot be given its name"), std::string::npos);
  EXPECT_EQ(contentsOf(target), "new");
  EXPECT_EQ(process.files(), 1u);
}

}  // namespace
}  // namespace heapscape::test

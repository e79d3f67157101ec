// SPDX-License-Identifier: MIT
// What forbids a dump, how it is said, and that nothing is left of it.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "engine/capture/captured_dump.h"

namespace heapscape::test {
namespace {

using namespace engine;
using namespace std::chrono_literals;

/// Half of a dump is there, as of one that is being written.
void writeHalf(const SeemingRequest& request) {
  const FileBytes core = smallCore();
  writeFile(request.dumpPath(), Bytes(core).first(core.size() / 2));
}

TEST(CaptureFailures, AreToldInSentences) {
  constexpr std::uint32_t kFailed = 0x80004005;
  const struct {
    const char* text;
    const char* told;
  } cases[] = {
      {"[createdump] Error writing data to dump file: No space left on device (28)\n[createdump] Failure took 2ms",
       "has no room for the dump. Make room"},
      {"[createdump] Could not create output file '/x': Read-only file system (30)", "is read-only. Name a place"},
      {"[createdump] Could not create output file '/x': Permission denied (13)", "may not write to"},
      {"Problem launching createdump (may not have execute permissions): execve(/x) FAILED Permission denied (13)",
       "cannot start createdump"},
      {"[createdump] ptrace(ATTACH, 7) FAILED Operation not permitted (1)", "createdump may not read process"},
      {"[createdump] Only full dumps are supported by single file apps. Change the dump type", "Take --kind full"},
      {"[createdump] something else\nand more", "could not write the dump: something else."},
      {"[createdump] \x1b[31mred", "could not write the dump: \\u001b[31mred."},
      {"", "could not write the dump: it failed (0x80004005)."},
  };
  for (const auto& one : cases) {
    const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
      writeHalf(request);
      connection.refuse(kFailed, one.text);
    });
    const std::string problem = process.problem();
    EXPECT_NE(problem.find(one.told), std::string::npos) << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    EXPECT_EQ(process.files(), 0u) << one.text;
  }
}

TEST(CaptureFailures, OfRuntimesThatAreSilentEnd) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    writeHalf(request);
    connection.stayOpen();
  });
  const auto start = std::chrono::steady_clock::now();
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("does not get on"), std::string::npos) << problem;
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, AreNotSlowDumps) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    const FileBytes core = smallCore();
    // Twice as long as nothing may happen.
    constexpr std::size_t kPieces = 12;
    for (std::size_t piece = 1; piece <= kPieces; ++piece) {
      writeFile(request.dumpPath(), Bytes(core).first(core.size() * piece / kPieces));
      std::this_thread::sleep_for(200ms);
    }
    connection.answer(FileBytes(4));
  });
  CaptureRequest request = process.request();
  request.limits.standstill = 1200ms;
  EXPECT_EQ(process.problem(request), "");
}

TEST(CaptureFailures, OfRuntimesThatNeverAnsweredAskForNoDump) {
  const CapturedProcess process(nullptr);
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("does not answer in time"), std::string::npos) << problem;
  EXPECT_EQ(process.runtime().commands(), std::vector{DiagnosticCommand::ProcessInfo3});
}

TEST(CaptureFailures, OfRuntimesThatHangUp) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    writeHalf(request);
    connection.send(Bytes(SeemingConnection::message(0, FileBytes(4))).first(21));
  });
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("has hung up"), std::string::npos) << problem;
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, OfProcessesThatEnd) {
  CapturedProcess* ending = nullptr;
  CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection&) {
    writeHalf(request);
    ending->process().end();
  });
  ending = &process;
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("ended before its dump was whole"), std::string::npos) << problem;
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, OfWhatSpeaksAnotherLanguage) {
  const CapturedProcess process([](const SeemingRequest&, const SeemingConnection& connection) {
    connection.send(bytesOfText("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("does not speak the runtime's diagnostic protocol"), std::string::npos) << problem;
}

TEST(CaptureFailures, AreDumpsThatAreNotWhole) {
  FileBytes cut = smallCore();
  cut.resize(cut.size() - 100);
  for (const FileBytes& dump : {cut, bytesOfText("no dump at all"), FileBytes(10'000)}) {
    const CapturedProcess process(writes(dump));
    const std::string problem = process.problem();
    EXPECT_NE(problem.find("not whole"), std::string::npos) << problem;
    EXPECT_EQ(process.files(), 0u);
  }
  const CapturedProcess nothing(
      [](const SeemingRequest&, const SeemingConnection& connection) { connection.answer(FileBytes(4)); });
  EXPECT_NE(nothing.problem().find("cannot be read"), std::string::npos) << nothing.problem();
}

TEST(CaptureFailures, AreInterruptions) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    writeHalf(request);
    connection.stayOpen();
  });
  std::stop_source source;
  std::jthread stopper([&] {
    while (process.files() == 0) std::this_thread::sleep_for(10ms);
    source.request_stop();
  });
  CaptureRequest request = process.request();
  request.limits.standstill = 60s;
  const auto dump = captureDump(request, nullptr, source.get_token());
  ASSERT_FALSE(dump);
  EXPECT_TRUE(dump.error().isCancelled());
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, WaitForWhatHasNotBegunToWriteYet) {
  const CapturedProcess process([](const SeemingRequest& request, const SeemingConnection& connection) {
    std::this_thread::sleep_for(400ms);  // createdump is being started
    writeHalf(request);
    connection.answer(FileBytes(4));
  });
  std::stop_source source;
  CaptureRequest request = process.request();
  request.limits.giveUp = 10s;
  std::jthread stopper([&] {
    while (process.runtime().commands().size() < 2) std::this_thread::sleep_for(5ms);
    source.request_stop();
  });
  const auto dump = captureDump(request, nullptr, source.get_token());
  ASSERT_FALSE(dump);
  EXPECT_TRUE(dump.error().isCancelled());
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, AreProcessesThatCannotAnswer) {
  CapturedProcess process(writes(smallCore()));
  process.process().state('T');
  EXPECT_NE(process.problem().find("is stopped"), std::string::npos) << process.problem();
  process.process().state('t');
  EXPECT_NE(process.problem().find("held by a debugger"), std::string::npos) << process.problem();
  EXPECT_TRUE(process.runtime().commands().empty());
}

TEST(CaptureFailures, AreRuntimesWithoutCreatedump) {
  CapturedProcess process(writes(smallCore()));
  const TemporaryFolder runtime;
  process.process().maps("7f0000000000-7f0000001000 r--p 00000000 08:01 11 " + (runtime / "libcoreclr.so").string() +
                         "\n");
  EXPECT_NE(process.problem().find("has no createdump"), std::string::npos) << process.problem();
  std::ofstream(runtime / "createdump") << "program";
  EXPECT_NE(process.problem().find("is not executable"), std::string::npos) << process.problem();
  EXPECT_TRUE(process.runtime().commands().empty());
  std::filesystem::permissions(runtime / "createdump", std::filesystem::perms::owner_all);
  EXPECT_EQ(process.problem(), "");
}

TEST(CaptureFailures, AreDisksThatAreTooSmall) {
  CapturedProcess process(writes(smallCore()));
  process.process().maps("000000000000-7fffffffffff rw-p 00000000 00:00 0\n");
  const std::string problem = process.problem();
  EXPECT_NE(problem.find("The dump will take some 128 TB"), std::string::npos) << problem;
  EXPECT_NE(problem.find("has room for"), std::string::npos) << problem;
  EXPECT_EQ(process.runtime().commands(), std::vector{DiagnosticCommand::ProcessInfo3});
  CaptureRequest request = process.request();
  request.ignoresRoom = true;
  EXPECT_EQ(process.problem(request), "");
}

TEST(CaptureFailures, AreDisksThatAreFullAfterAll) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const CapturedProcess process([&](const SeemingRequest& request, const SeemingConnection& connection) {
    writeFile(request.dumpPath(), smallCore());
    const rlimit small{1000, before.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    connection.answer(FileBytes(4));
  });
  CaptureRequest request = process.request();
  request.target = process.folder() / "app.core.zst";
  const std::string problem = process.problem(request);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(problem.find("cannot be written: File too large"), std::string::npos) << problem;
  EXPECT_EQ(process.files(), 0u);
}

TEST(CaptureFailures, AreFoldersThatCannotBeWritten) {
  const CapturedProcess process(writes(smallCore()));
  CaptureRequest request = process.request();
  request.target = process.folder() / "no such folder/app.core";
  EXPECT_NE(process.problem(request).find("cannot be written: No such file or directory"), std::string::npos);
  if (::geteuid() == 0) return;  // root may write everywhere
  request.target = process.folder() / "locked/app.core";
  std::filesystem::create_directory(process.folder() / "locked");
  std::filesystem::permissions(process.folder() / "locked", std::filesystem::perms::owner_read);
  EXPECT_NE(process.problem(request).find("Permission denied"), std::string::npos);
}

TEST(CaptureFailures, AreOthersThatListen) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 1);
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), writes(smallCore()));
  const TemporaryFolder folder;
  CaptureRequest request{.places = machine.places, .pid = 1, .target = folder / "app.core"};
  const auto dump = captureDump(request, nullptr, {});
  ASSERT_FALSE(dump);
  EXPECT_NE(dump.error().error().what.find("another process listens"), std::string::npos);
  EXPECT_TRUE(runtime.commands().empty());
}

}  // namespace
}  // namespace heapscape::test

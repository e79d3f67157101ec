// SPDX-License-Identifier: MIT
// Asks this very process, which listens as a runtime does.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "cli_run.h"
#include "engine/capture/seeming_runtime.h"
#include "support/builders/nettrace_builder.h"
#include "support/temporary_folder.h"
#include "support/zstandard.h"

namespace heapscape::cli::test {

namespace {

using heapscape::engine::DiagnosticCommand;
using heapscape::test::FileBytes;
using heapscape::test::NettraceBuilder;
using heapscape::test::ScopedVariable;
using heapscape::test::SeemingConnection;
using heapscape::test::SeemingRequest;
using heapscape::test::SeemingRuntime;
using heapscape::test::TemporaryFolder;

/// In clock ticks since the machine started.
std::string startOfThisProcess() {
  std::ifstream file("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int number = 3; number <= 22; ++number) words >> word;
  return word;
}

void answerAsRuntime(const SeemingRequest& request, const SeemingConnection& connection) {
  switch (request.command) {
    case DiagnosticCommand::CollectTracing2:
      connection.answer(FileBytes(8));
      connection.send(NettraceBuilder().counter("gc-heap-size", 12.345678, "MB").bytes());
      return connection.stayOpen();
    case DiagnosticCommand::GenerateCoreDump3:
      std::filesystem::copy_file(unpackedDump("shop-10"), request.dumpPath());
      return connection.answer(FileBytes(4));
    default:
      return connection.answer(request.payload);
  }
}

/// A folder with the socket of this process, which the programs that are run look into.
struct Listening {
  explicit Listening(SeemingRuntime::Answer how = answerAsRuntime) : answer(std::move(how)) {}

  SeemingRuntime::Answer answer;
  TemporaryFolder folder;
  ScopedVariable temporary{"TMPDIR", folder.path()};
  std::string pid = std::to_string(::getpid());
  SeemingRuntime runtime{folder / ("dotnet-diagnostic-" + pid + "-" + startOfThisProcess() + "-socket"), answer};
};

}  // namespace

TEST(PsVerb, ListsProcesses) {
  const Listening listening;
  const auto answer = answerOf({"ps", "--json"});
  const auto processes = answer.at("processes");
  const auto found =
      std::ranges::find_if(processes, [](const nlohmann::json& process) { return process.at("pid") == ::getpid(); });
  ASSERT_NE(found, processes.end()) << answer;
  EXPECT_EQ(found->at("runtime"), "10.0.12");
  EXPECT_EQ(found->at("heapBytes"), 12'345'678);
  EXPECT_EQ(found->at("command"), "dotnet shop.dll");
  EXPECT_EQ(found->at("gc"), nullptr);  // no thread of a runtime
  EXPECT_GT(found->at("workingSetBytes"), 1'000'000);
  EXPECT_TRUE(found->at("missing").empty());
  EXPECT_NE(runCli({"ps"}).output.find(listening.pid + "  10.0.12"), std::string::npos);
}

TEST(CaptureVerb, WritesADump) {
  const Listening listening;
  const TemporaryFolder folder;
  const auto capture = answerOf({"capture", listening.pid, "-o", folder / "app.core", "--json"}).at("capture");
  EXPECT_EQ(capture.at("file"), (folder / "app.core").string());
  EXPECT_EQ(capture.at("kind"), "heap");
  EXPECT_EQ(capture.at("bytes"), std::filesystem::file_size(folder / "app.core"));
  EXPECT_GT(capture.at("seconds"), 0);
  EXPECT_EQ(answerOf({"info", folder / "app.core", "--json"}).at("info").at("dump").at("kind"), "heap");
  const CliRun again = runCli({"capture", listening.pid, "-o", folder / "app.core"});
  EXPECT_EQ(again.status, 1);
  EXPECT_NE(again.errors.find("is there already."), std::string::npos) << again.errors;
}

TEST(CaptureVerb, TakesSeveralAndSaysWhatToDoWithThem) {
  const Listening listening;
  const TemporaryFolder folder;
  const CliRun run = runCli({"capture", listening.pid, "-o", folder / "a b.core.zst", "--every", "10ms", "--count", "2",
                             "--when", "rss>1KB", "--redact"});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("What changed: heapscape-cli compare '" + (folder / "a b-1.core.zst").string() + "' '" +
                            (folder / "a b-2.core.zst").string() + "'"),
            std::string::npos)
      << run.output;
  for (const char* name : {"a b-1.core.zst", "a b-2.core.zst"})
    EXPECT_EQ(runCli({"redact", "--check", folder / name}).status, 0) << name;
  EXPECT_NE(runCli({"capture", listening.pid, "-o", folder / "a b.core.zst", "--every", "1h", "--count", "2"})
                .errors.find("is there already."),
            std::string::npos);
  const auto three = answerOf({"capture", listening.pid, "-o", folder / "c", "--every", "0", "--count", "3", "--json"});
  EXPECT_EQ(three.at("captures").size(), 3u);
  EXPECT_EQ(three.at("capture"), three.at("captures").back());
  EXPECT_TRUE(three.at("next").get<std::string>().starts_with("heapscape-cli trend "));
}

/// Streams what a real runtime has streamed; knows the requests of .NET 9 on.
void walkHeap(const SeemingRequest& request, const SeemingConnection& connection) {
  constexpr std::uint32_t kUnknownCommand = 0x80131385;
  switch (request.command) {
    case DiagnosticCommand::CollectTracing6:
      return connection.refuse(kUnknownCommand);
    case DiagnosticCommand::CollectTracing4: {
      const std::string payload(reinterpret_cast<const char*>(request.payload.data()), request.payload.size());
      const std::string own{"D\0o\0t\0N\0E\0T\0R\0u\0n\0t\0i\0m\0e\0", 26};
      connection.answer(FileBytes(8));
      return connection.send(
          payload.find(own) == std::string::npos
              ? NettraceBuilder().end().bytes()
              : heapscape::test::bytesOfText(heapscape::test::unpackedFile(testData("gcdump/heap-10.nettrace.zst"))));
    }
    default:
      return answerAsRuntime(request, connection);
  }
}

TEST(CaptureVerb, WritesTheGraphOfAHeap) {
  const Listening listening(walkHeap);
  const TemporaryFolder folder;
  const auto capture =
      answerOf({"capture", "--light", listening.pid, "-o", folder / "app.gcdump", "--json"}).at("capture");
  EXPECT_EQ(capture.at("kind"), "gcdump");
  EXPECT_EQ(capture.at("objects"), 2320);
  EXPECT_EQ(capture.at("bytes"), std::filesystem::file_size(folder / "app.gcdump"));
  const auto info = answerOf({"info", folder / "app.gcdump", "--json"}).at("info");
  EXPECT_EQ(info.at("dump").at("kind"), "gcdump");
  EXPECT_EQ(info.at("dump").at("pid"), ::getpid());
  EXPECT_EQ(info.at("dump").at("command"), "shop");
  EXPECT_EQ(info.at("dump").at("tool"), "heapscape");
  EXPECT_EQ(info.at("objects"), 2320);
  EXPECT_EQ(answerOf({"query", folder / "app.gcdump", "type = \"Growth.Session\"", "--count", "--json"})
                .at("totals")
                .at("objects"),
            1000);
  const CliRun again = runCli({"capture", "--light", listening.pid, "-o", folder / "app.gcdump"});
  EXPECT_NE(again.errors.find("is there already."), std::string::npos) << again.errors;
  const CliRun packed = runCli({"capture", "--light", listening.pid, "-o", folder / "b.gcdump.zst"});
  EXPECT_NE(packed.output.find(": graph of 2,320 objects, "), std::string::npos) << packed.output << packed.errors;
  EXPECT_EQ(answerOf({"info", folder / "b.gcdump.zst", "--json"}).at("info").at("objects"), 2320);
  for (const char* option : {"--kind=heap", "--redact", "--via=/tmp"})
    EXPECT_EQ(runCli({"capture", "--light", listening.pid, option}).status, 2) << option;
}

TEST(CaptureVerb, LeavesNoFileOfAGraphThatIsNotWhole) {
  const Listening listening([](const SeemingRequest& request, const SeemingConnection& connection) {
    if (request.command != DiagnosticCommand::CollectTracing6) return answerAsRuntime(request, connection);
    connection.answer(FileBytes(8));
    connection.send(NettraceBuilder().end().bytes());
  });
  const TemporaryFolder folder;
  const CliRun run = runCli({"capture", "--light", listening.pid, "-o", folder / "app.gcdump"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("The runtime has told nothing of its heap."), std::string::npos) << run.errors;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CaptureVerb, NamesFilesAfterTheProgram) {
  const Listening listening;
  const TemporaryFolder folder;
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const CliRun run = runCli({"capture", listening.pid, "--json"});
  std::filesystem::current_path(here);
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::filesystem::path file = run.json().at("capture").at("file").get<std::string>();
  EXPECT_EQ(file.parent_path(), std::filesystem::canonical(folder.path()));
  EXPECT_TRUE(file.filename().string().starts_with("shop-" + listening.pid + "-20")) << file;
}

TEST(CaptureVerb, SaysWhatIsWrong) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"capture"},
                                                    {"capture", "0"},
                                                    {"capture", "x"},
                                                    {"capture", "1", "--kind", "gcore"},
                                                    {"capture", "1", "--when", "rss=5"},
                                                    {"capture", "1", "--when", "cpu>5"},
                                                    {"capture", "1", "--when", "rss>5%"},
                                                    {"capture", "1", "--every", "5s"},
                                                    {"capture", "1", "--count", "5"},
                                                    {"capture", "1", "--every", "5 days", "--count", "2"}}) {
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(run.errorLines(), 1u) << run.errors;
  }
  const CliRun none = runCli({"capture", "2147483647"});
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.errors.find("There is no process 2147483647."), std::string::npos) << none.errors;
}

}  // namespace heapscape::cli::test

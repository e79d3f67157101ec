// SPDX-License-Identifier: MIT
// report: pages to send around.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {
namespace {

namespace fs = std::filesystem;
using heapscape::test::TemporaryFolder;

const std::string kPageVerbDump = unpackedDump("shop-10");
constexpr const char* kText = "duplicate number ";

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ReportVerb, WritesOnePageAndSaysSo) {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "shop.html").string();
  const CliRun run = runCli({"report", kPageVerbDump, "-o", page, "--title", "What <we> saw", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const auto report = run.json().at("report");
  EXPECT_EQ(report.at("file"), page);
  EXPECT_GE(report.at("pages").get<int>(), 12);
  EXPECT_EQ(report.at("bytes").get<std::uintmax_t>(), fs::file_size(page));
  const std::string html = contentOf(page);
  EXPECT_NE(html.find("<h1>What &lt;we&gt; saw</h1>"), std::string::npos);
  EXPECT_NE(html.find(kText), std::string::npos);
}

TEST(ReportVerb, TellsOfADumpWithoutHeapWhatThereIs) {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "mini.html").string();
  const CliRun run = runCli({"report", unpackedDump("shop-10-normal"), "-o", page});
  ASSERT_EQ(run.status, 0) << run.errors;
  const std::string html = contentOf(page);
  EXPECT_NE(html.find("without the managed heap"), std::string::npos);
  EXPECT_NE(html.find("What the threads were doing"), std::string::npos);
  EXPECT_EQ(html.find("Largest types"), std::string::npos);
}

TEST(ReportVerb, LeavesContentsOutOfEveryForm) {
  const TemporaryFolder folder;
  for (const char* name : {"shop.html", "shop.json"}) {
    const fs::path page = folder.path() / name;
    ASSERT_EQ(runCli({"report", kPageVerbDump, "-o", page.string(), "--redact"}).status, 0);
    EXPECT_EQ(contentOf(page).find(kText), std::string::npos) << name;
  }
}

TEST(ReportVerb, PutsSavedPagesBeforeTheDumpsOwnAndWorksWithoutTheDump) {
  const TemporaryFolder folder;
  const std::string board = (folder.path() / "a.heapscape-review.json").string();
  std::ofstream(board) << R"({"schema":"heapscape-review/1","title":"Mine","dump":"shop.core",)"
                          R"("pages":[{"title":"My own page","note":"Look <here>"}]})";
  const std::string page = (folder.path() / "shop.html").string();
  ASSERT_EQ(runCli({"report", "--board", board, "-o", page}).status, 0);
  const std::string alone = contentOf(page);
  EXPECT_NE(alone.find("Look &lt;here&gt;"), std::string::npos);
  EXPECT_EQ(alone.find("Equal strings"), std::string::npos);
  ASSERT_EQ(runCli({"report", kPageVerbDump, "--board", board, "-o", page}).status, 0);
  const std::string both = contentOf(page);
  EXPECT_NE(both.find("<h1>Mine</h1>"), std::string::npos);
  EXPECT_LT(both.find("My own page"), both.find("Equal strings"));
}

TEST(ReportVerb, TellsWhatRedactionLeavesOutOfSavedPages) {
  const TemporaryFolder folder;
  const std::string board = (folder.path() / "a.json").string();
  std::ofstream(board) << R"({"schema":"heapscape-review/1","pages":[{"title":"Clean"},{"title":"Strings","table":)"
                          R"({"columns":[{"title":"Text","kind":"text","holdsContents":true}],"rows":[["s3cret"]]}},)"
                          R"({"title":"Graph","picture":{"svg":"<svg><text>s3cret</text></svg>","width":9,)"
                          R"("height":9,"holdsContents":true}}]})";
  const std::string page = (folder.path() / "a.html").string();
  const CliRun run = runCli({"report", "--board", board, "-o", page, "--redact", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const nlohmann::json leftOut = run.json().at("report").at("leftOut");
  ASSERT_EQ(leftOut.size(), 2u);
  EXPECT_EQ(leftOut[0].at("page"), 2);
  EXPECT_EQ(leftOut[0].at("title"), "Strings");
  EXPECT_NE(leftOut[0].at("what").get<std::string>().find("Text"), std::string::npos);
  EXPECT_EQ(leftOut[1].at("page"), 3);
  const std::string html = contentOf(page);
  EXPECT_EQ(html.find("s3cret"), std::string::npos);
  EXPECT_NE(html.find("<figure"), std::string::npos) << "the picture stays";
  EXPECT_TRUE(runCli({"report", "--board", board, "-o", page, "--json"}).json().at("report").at("leftOut").empty());
}

TEST(ReportVerb, ShowsAsManyRowsAsAskedFor) {
  const TemporaryFolder folder;
  const fs::path page = folder.path() / "shop.json";
  ASSERT_EQ(runCli({"report", kPageVerbDump, "-o", page.string(), "--top", "3"}).status, 0);
  for (const auto& shown : nlohmann::json::parse(contentOf(page)).at("pages")) {
    if (shown.at("title") != "Largest types by their own bytes") continue;
    EXPECT_EQ(shown.at("table").at("rows").size(), 3u);
    EXPECT_GT(shown.at("table").at("rowsLeftOut").get<int>(), 100);
  }
}

TEST(ReportVerb, SaysWhatIsWrongInOneLine) {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "a.html").string();
  const std::string broken = (folder.path() / "b.json").string();
  std::ofstream(broken) << R"({"schema":"heapscape-review/1","pages":[{"picture":{"svg":"<svg><script/></svg>"}}]})";
  struct Wrong {
    std::vector<std::string> arguments;
    int status;
    const char* says;
  };
  for (const Wrong& wrong :
       {Wrong{{"report", kPageVerbDump}, 2, "--output"}, Wrong{{"report", kPageVerbDump, "-o", "a.txt"}, 2, ".html"},
        Wrong{{"report", kPageVerbDump, "-o", "a.pdf"}, 2, "browser"}, Wrong{{"report", "-o", page}, 1, "--board"},
        Wrong{{"report", "--board", broken, "-o", page}, 1, "<script>"},
        Wrong{{"report", "--board", "/none", "-o", page}, 1, "There is no file"},
        Wrong{{"report", kPageVerbDump, "-o", "/none/a.html"}, 1, "cannot be written"}}) {
    const CliRun run = runCli(wrong.arguments);
    EXPECT_EQ(run.status, wrong.status) << wrong.says;
    EXPECT_NE(run.errors.find(wrong.says), std::string::npos) << run.errors;
    EXPECT_EQ(run.errorLines(), 1u) << run.errors;
    EXPECT_FALSE(fs::exists(page));
  }
}

}  // namespace
}  // namespace heapscape::cli::test

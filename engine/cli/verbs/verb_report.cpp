// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/ascii.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "memory/files/regular_file.h"
#include "output/text.h"
#include "review/board.h"
#include "review/dump_report.h"
#include "review/html_page.h"
#include "review/whole_file.h"
#include "session/snapshot/stage_clock.h"

extern char** environ;

namespace heapscape::cli {
namespace {

namespace fs = std::filesystem;
using engine::ErrorCode;
using engine::failure;
using engine::Outcome;
using engine::Result;
using engine::Unfinished;
constexpr auto kPollInterval = std::chrono::milliseconds(10);

Result<fs::path> findProgram() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / "heapscape", folder / ".." / "bin" / "heapscape"}) {
    if (!error && ::access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, error)) return place;
  }
  return failure(ErrorCode::NotFound,
                 "A PDF is written by the program heapscape, which does not stand beside heapscape-cli.",
                 "Install it, or write a page that ends in .html, which any browser prints.");
}

/// A file of its own for the board, gone with this.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) folder = "/tmp";
    m_path = (folder / "heapscape-review-XXXXXX").string();
    m_file = engine::FileDescriptor(::mkstemp(m_path.data()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (m_file.isOpen()) ::unlink(m_path.c_str());
  }

  Result<void> write(std::string_view content) {
    while (m_file.isOpen() && !content.empty()) {
      const ssize_t written = ::write(m_file.get(), content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) break;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (m_file.isOpen() && content.empty()) return {};
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be written: {}.", m_path, engine::systemMessage(errno)),
                   "Set TMPDIR to a folder with room.");
  }
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
  engine::FileDescriptor m_file;
};

/// The environment, with Qt told to open no window.
std::vector<char*> offscreenEnvironment() {
  static std::string platform = "QT_QPA_PLATFORM=offscreen";
  std::vector<char*> variables;
  for (char** variable = environ; *variable; ++variable) {
    if (!std::string_view(*variable).starts_with("QT_QPA_PLATFORM=")) variables.push_back(*variable);
  }
  variables.push_back(platform.data());
  variables.push_back(nullptr);
  return variables;
}

/// The exit status, -1 for none.
Outcome<int> waitFor(pid_t process, const std::stop_token& stop) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (ended < 0 && errno != EINTR) return -1;
    if (stop.stop_requested()) {
      ::kill(process, SIGTERM);
      ::waitpid(process, &status, 0);
      return tl::unexpected(Unfinished::cancelled());
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

// Has the program `heapscape` that stands beside this one write the board as a PDF, without a window. Fails with
// NotFound if it is not there, with FileUnreadable if it could not write.
Outcome<void> writePdf(const engine::ReviewBoard& board, const fs::path& pdf, const std::stop_token& stop) {
  HEAPSCAPE_TRY(const fs::path program, findProgram());
  TemporaryFile file;
  HEAPSCAPE_CHECK(file.write(engine::writtenBoard(board)));
  std::string name = program.string();
  std::string option = "--print-review";
  std::string source = file.path();
  std::string target = fs::absolute(pdf).string();
  std::array<char*, 5> arguments{name.data(), option.data(), source.data(), target.data(), nullptr};
  std::vector<char*> environment = offscreenEnvironment();
  pid_t process = 0;
  const int error = ::posix_spawn(&process, name.c_str(), nullptr, nullptr, arguments.data(), environment.data());
  if (error) {
    return tl::unexpected(Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} cannot be run: {}.", name, engine::systemMessage(error))}));
  }
  HEAPSCAPE_TRY(const int status, waitFor(process, stop));
  if (status == 0) return {};
  return tl::unexpected(
      Unfinished(engine::Error{ErrorCode::FileUnreadable, fmt::format("{} could not write {}.", name, target),
                               "Write a page that ends in .html instead, which any browser prints."}));
}

using engine::ReviewBoard;

enum class PageForm { Html, Pdf, Board };

std::optional<PageForm> formOf(const fs::path& file) {
  const std::string ending = engine::lowerCase(file.extension().string());
  if (ending == ".html" || ending == ".htm") return PageForm::Html;
  if (ending == ".pdf") return PageForm::Pdf;
  if (ending == ".json") return PageForm::Board;
  return std::nullopt;
}

std::string checkForm(const std::string& file) {
  return formOf(file) ? std::string() : "'" + file + "' ends in none of .html, .pdf and .json";
}

/// What a page loses with --redact.
struct LeftOut {
  std::size_t page = 0;  // from 1
  std::string title;
  std::string text;
};

class ReportVerb : public Verb {
 public:
  const char* name() const override { return "report"; }
  const char* summary() const override {
    return "Everything about a dump, or a saved review, as a page to send around";
  }

  void addOptions(CLI::App& app) override {
    app.get_option("INPUT")->required(false);
    app.add_option("-o,--output", m_file, "Page to write: FILE.html, FILE.pdf, or FILE.json to open in the window")
        ->type_name("FILE")
        ->required()
        ->check(CLI::Validator(checkForm, ""));
    app.add_option("--title", m_title, "Heading of the page")->type_name("TEXT");
    app.add_option("--board", m_board, "Pages of this review come first, and alone where there is no INPUT")
        ->type_name("FILE");
  }

  Outcome<void> run(Context& context) override {
    if (context.options().input.empty() && m_board.empty()) {
      return tl::unexpected(engine::Unfinished(
          {engine::ErrorCode::BadQuery, "There is nothing to report about.", "Give a dump, or --board FILE."}));
    }
    ReviewBoard board;
    engine::InputFacts facts;
    HEAPSCAPE_CHECK(addSavedPages(board));
    HEAPSCAPE_CHECK(addDump(context, board, facts));
    if (!m_title.empty()) board.title = m_title;
    if (context.options().redact) {
      m_leftOut = leftOutOf(board);
      board = engine::redacted(std::move(board));
    }
    HEAPSCAPE_CHECK(writePages(board, context.stop()));
    std::error_code ignored;
    const std::uintmax_t bytes = fs::file_size(m_file, ignored);
    return context.write(facts, answer(board.pages.size(), ignored ? 0 : bytes));
  }

 private:
  Outcome<void> addSavedPages(ReviewBoard& board) const {
    if (m_board.empty()) return {};
    HEAPSCAPE_TRY(board, engine::loadBoard(m_board));
    return {};
  }

  Outcome<void> addDump(Context& context, ReviewBoard& board, engine::InputFacts& facts) {
    const Options& options = context.options();
    if (options.input.empty()) return {};
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, {}, HeapUse::Optional));
    facts = engine::factsOf(snapshot);
    const engine::StageClock clock(m_timings, "report");
    ProgressLine progress;
    engine::DumpReportOptions wanted{.title = m_title, .isRedacted = options.redact};
    wanted.rows = std::min(options.top.value_or(wanted.rows), engine::kBoardLimits.rows);
    HEAPSCAPE_TRY(ReviewBoard report, engine::reportOf(snapshot, wanted, &progress, context.stop()));
    board.dump = report.dump;
    board.summary = report.summary;
    if (board.title.empty()) board.title = report.title;
    std::ranges::move(report.pages, std::back_inserter(board.pages));
    return {};
  }

  Outcome<void> writePages(const ReviewBoard& board, const std::stop_token& stop) const {
    switch (*formOf(m_file)) {
      case PageForm::Pdf:
        return writePdf(board, m_file, stop);
      case PageForm::Board:
        HEAPSCAPE_CHECK(engine::saveBoard(board, m_file));
        return {};
      case PageForm::Html:
        break;
    }
    HEAPSCAPE_CHECK(engine::writeWholeFile(m_file, engine::htmlPage(board)));
    return {};
  }

  static std::vector<LeftOut> leftOutOf(const ReviewBoard& board) {
    std::vector<LeftOut> pages;
    for (std::size_t page = 0; page < board.pages.size(); ++page) {
      const std::string text = engine::redactionText(board.pages[page]);
      if (!text.empty()) pages.push_back({page + 1, board.pages[page].title, text});
    }
    return pages;
  }

  void writeLeftOut(engine::JsonWriter& json) const {
    json.key("leftOut");
    json.beginRows();
    for (const LeftOut& each : m_leftOut) {
      json.beginObject();
      json.member("page", each.page);
      json.member("title", each.title);
      json.member("what", each.text);
      json.endObject();
    }
    json.endArray();
  }

  Answer answer(std::size_t pages, std::uint64_t bytes) const {
    return {.json =
                [this, pages, bytes](engine::JsonWriter& json) {
                  json.key("report");
                  json.beginObject();
                  json.member("file", m_file);
                  json.member("pages", pages);
                  json.member("bytes", bytes);
                  writeLeftOut(json);
                  json.endObject();
                },
            .text =
                [this, pages, bytes](engine::Output& output) {
                  output.write(fmt::format("{}: {}, {}\n", engine::printable(m_file), engine::countOf(pages, "page"),
                                           engine::readableBytes(bytes)));
                  for (const LeftOut& each : m_leftOut) {
                    output.write(fmt::format("page {}, {}: {}\n", each.page, engine::printable(each.title),
                                             engine::printable(each.text)));
                  }
                },
            .timings = m_timings};
  }

  std::string m_file;
  std::string m_title;
  std::string m_board;
  std::vector<LeftOut> m_leftOut;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeReportVerb() {
  return std::make_unique<ReportVerb>();
}

}  // namespace heapscape::cli

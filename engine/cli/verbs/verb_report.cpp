// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/text.h"
#include "review/board.h"
#include "review/dump_report.h"
#include "review/html_page.h"
#include "review/whole_file.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {
namespace {

namespace fs = std::filesystem;
using engine::Outcome;
using engine::ReviewBoard;

enum class PageForm { Html, Board };

std::optional<PageForm> formOf(const fs::path& file) {
  const std::string ending = engine::lowerCase(file.extension().string());
  if (ending == ".html" || ending == ".htm") return PageForm::Html;
  if (ending == ".json") return PageForm::Board;
  return std::nullopt;
}

std::string checkForm(const std::string& file) {
  if (engine::lowerCase(fs::path(file).extension().string()) == ".pdf")
    return "a PDF comes from the window's Review, or from a browser that prints the page; write an .html";
  return formOf(file) ? std::string() : "'" + file + "' ends neither in .html nor in .json";
}

/// Parts of a page left out by --redact.
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
    app.add_option("-o,--output", m_file, "Page to write: FILE.html, or FILE.json to open in the window")
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
    HEAPSCAPE_CHECK(writePages(board));
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
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, {}, HeapUse::Any));
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

  Outcome<void> writePages(const ReviewBoard& board) const {
    if (*formOf(m_file) == PageForm::Board) {
      HEAPSCAPE_CHECK(engine::saveBoard(board, m_file));
    } else {
      HEAPSCAPE_CHECK(engine::writeWholeFile(m_file, engine::htmlPage(board)));
    }
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

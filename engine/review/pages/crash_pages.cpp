// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "review/pages/report_pages.h"
#include "session/threads/crash_query.h"

namespace heapscape::engine {
namespace {

/// Exceptions from the outermost inwards, then the thread: who, its frames, and what it says.
class CrashTable {
 public:
  explicit CrashTable(std::size_t limit) : m_limit(limit) {}

  ReviewTable of(const Crash& crash) {
    if (crash.message) add("FailFast", {}, {}, *crash.message);
    if (crash.exception) addException(*crash.exception);
    if (crash.stack) addStack(crash);
    return std::move(m_table);
  }

 private:
  void add(std::string of, std::string frame, std::string source, std::string says = {}) {
    if (m_table.rows.size() == m_limit) {
      ++m_table.rowsLeftOut;
      return;
    }
    m_table.rows.push_back({{std::move(of)}, {std::move(frame)}, {std::move(source)}, {std::move(says)}});
  }

  void addException(const ExceptionDetails& exception) {
    add(exception.type, {}, {}, exception.message);
    for (const ExceptionDetails::Frame& frame : exception.stack)
      add({}, frame.method, frame.file.empty() ? "" : fmt::format("{}:{}", frame.file, frame.line));
    for (const ExceptionDetails& inner : exception.causes) addException(inner);
  }

  void addStack(const Crash& crash) {
    add(fmt::format("Thread {}", crash.managedId), {}, {}, crash.threadName);
    const std::vector<FrameRow>& frames = crash.stack->frames;
    for (const FrameRun& run : crash.runs) {
      if (run.isFolded()) {
        add({}, textOf(run, frames), {});
        continue;
      }
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
        add({}, nameOf(frames[i]), frames[i].file.empty() ? "" : fmt::format("{}:{}", frames[i].file, frames[i].line));
    }
  }

  std::size_t m_limit;
  ReviewTable m_table{.columns = {{"Of"}, {"Frame"}, {"Source"}, {.title = "It says", .holdsContents = true}},
                      .rows = {}};
};

}  // namespace

Outcome<void> addCrashPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const Crash crash, readCrash(input.snapshot, input.stop));
  if (crash.cause.state != ProcessState::Died) return {};
  // A remark is not redacted: neither the thread's name nor what anything says stands in it.
  std::string remark = crashSentence(crash, false);
  for (const std::string& note : crashNotes(crash)) remark += " " + note;
  ReviewPage page{.title = "Why the process died", .remark = std::move(remark)};
  ReviewTable table = CrashTable(std::max<std::size_t>(input.options.rows, 40)).of(crash);
  if (!table.rows.empty()) page.content = std::move(table);
  pages.insert(pages.begin(), std::move(page));
  return {};
}

}  // namespace heapscape::engine

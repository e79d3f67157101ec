// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "cli/interrupts.h"
#include "cli/open_dump.h"
#include "output/document.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/cache/answer_cache.h"
#include "session/open/open_dump.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

enum ExitStatus : int {
  kDone = 0,
  kInputUnusable = 1,  // also: the output cannot be written
  kWrongUsage = 2,
  kBudgetExceeded = 3,  // only of the verb check
  kInterrupted = 130,   // as shells report SIGINT
};

/// Options of every verb.
struct Options {
  std::string input;
  bool asJson = false;
  bool asTsv = false;
  bool redact = false;  // leave out contents: what strings and fields hold, names of threads
  bool exact = false;   // leave out words of stacks that may be no references
  bool timings = false;
  bool noCache = false;
  std::filesystem::path cacheFolder;         // to keep what was found in, however soon it was; empty for the user's own
  std::optional<std::size_t> top;            // at most so many rows
  std::optional<std::uint64_t> memoryBytes;  // that retained sizes may take
  std::vector<std::filesystem::path> searchFolders;

  std::size_t rowLimit() const { return top.value_or(SIZE_MAX); }
};

/// Samples how much anonymous memory of this process is resident: what we allocate, without the mapped dump. The kernel
/// keeps no peak of that.
class PeakMemory {
 public:
  /// Begins to sample in a thread of its own.
  void watch();
  /// The largest sample; ends the sampling.
  std::uint64_t stop();

 private:
  void sample();

  std::atomic<std::uint64_t> m_peakBytes = 0;
  std::jthread m_thread;
};

/// Shows progress in one line of standard error if that is a terminal, and takes the line away at the end.
class ProgressLine : public engine::OpenListener {
 public:
  ProgressLine();
  ~ProgressLine() override;

  void progressed(const engine::Progress& progress) override;
  void stageReady(const engine::Snapshot&) override {}

 private:
  bool m_isTerminal;
  bool m_isShown = false;
};

/// How a verb answers in each form; `tsv` only if the verb has it. Each writes nothing but its own part.
struct Answer {
  std::function<void(engine::JsonWriter&)> json = {};  // the verb's member
  std::function<void(engine::Output&)> tsv = {};
  std::function<void(engine::Output&)> text;
  engine::FindingList findings = {};              // made since opening
  std::vector<engine::StageTiming> timings = {};  // of what was done since opening
};

using engine::HeapUse;

/// Surroundings of a verb while it runs.
class Context {
 public:
  /// `dump`: what stays open for other verbs; null where this one is alone. All outlive this.
  Context(std::string_view verb, const Options& options, engine::Output& output, Interrupts& interrupts,
          OpenDump* dump = nullptr);

  const Options& options() const { return m_options; }
  engine::Output& output() { return m_output; }
  Interrupts& interrupts() { return m_interrupts; }
  engine::RowSelection rowSelection() const { return {m_options.rowLimit(), m_options.redact}; }
  std::stop_token stop() const { return m_stop; }
  /// Null if nothing is to be kept.
  const engine::AnswerCache* cache() const { return m_cache.get(); }

  /// Opens the input up to a stage, with progress on a terminal. Fails where what is needed of the heap is not there.
  engine::Outcome<engine::Snapshot> open(engine::Stage stage, const engine::RetainedOptions& retained = {},
                                         HeapUse heap = HeapUse::Memory) {
    return open(m_options.input, stage, retained, heap);
  }
  /// Opens another dump than the input.
  engine::Outcome<engine::Snapshot> open(const std::string& path, engine::Stage stage,
                                         const engine::RetainedOptions& retained = {}, HeapUse heap = HeapUse::Memory);
  /// One dump of several: if it cannot be used, the error names its file.
  engine::Outcome<engine::Snapshot> openOneOf(const std::string& path, engine::Stage stage,
                                              const engine::RetainedOptions& retained = {},
                                              HeapUse heap = HeapUse::Memory);
  /// Two of them up to retained sizes.
  engine::Outcome<std::array<engine::Snapshot, 2>> openBoth(const std::string& first, const std::string& second);
  /// For a dump that is let go again: fails if a file was changed while it was open, and looks at none of those that
  /// were opened so far any more, which keeps them mapped.
  engine::Outcome<void> letGo();
  /// Up to retained sizes, seen from all roots; without adding up types.
  engine::Outcome<engine::Snapshot> openRetained(HeapUse heap = HeapUse::Memory) {
    return open(engine::Stage::Retained, {.byType = false}, heap);
  }

  /// Once the answer is out: writes what took long to find, for the next time.
  void keepAnswers();

  /// Why the answer may be wrong, if others changed a file while we read from it; nothing is written from then on.
  std::optional<engine::Error> changedInput() const;

  /// Writes the answer in the form that was asked for, with findings and timings. Fails only if it was interrupted,
  /// or if a file was changed meanwhile.
  engine::Outcome<void> write(const engine::Snapshot& snapshot, const Answer& answer) {
    return write(engine::factsOf(snapshot), answer);
  }
  /// Writes an answer about an input that is no dump.
  engine::Outcome<void> write(const engine::InputFacts& input, const Answer& answer);

 private:
  engine::OpenOptions openOptions(engine::Stage stage, const engine::RetainedOptions& retained) const;
  engine::Outcome<engine::Snapshot> openKept(const std::string& path, const engine::OpenOptions& options,
                                             ProgressLine& progress);
  void noteOpened(const engine::Outcome<engine::Snapshot>& opened);
  void writeJson(const engine::InputFacts& input, const Answer& answer);
  void writeNotes(const engine::InputFacts& input, const Answer& answer);
  engine::RunFigures figures(const engine::InputFacts& input, const Answer& answer);
  /// Seconds since the program began.
  double elapsed() const;

  std::string_view m_verb;
  const Options& m_options;
  engine::Output& m_output;
  Interrupts& m_interrupts;
  OpenDump* m_dump;
  std::stop_token m_stop;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  double m_openedAt = 0;  // when the dump was open; 0 if the input is none
  PeakMemory m_peakMemory;
  std::vector<engine::FileChanges> m_files;  // of all dumps that were opened
  std::shared_ptr<const engine::AnswerCache> m_cache;
  std::vector<engine::Snapshot> m_toKeep;  // of these
};

}  // namespace heapscape::cli

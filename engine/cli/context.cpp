// SPDX-License-Identifier: MIT
#include "cli/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <stop_token>

#include "base/large_array.h"
#include "output/document.h"
#include "output/text.h"
#include "session/cache/answer_cache.h"
#include "session/open/open_both.h"
#include "session/open/open_dump.h"
#include "session/snapshot/heap_presence.h"

namespace heapscape::cli {
namespace {

constexpr std::chrono::milliseconds kInterval{3};

std::uint64_t anonymousBytes() {
  std::ifstream status("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;  // of files and shared memory
  status >> size >> resident >> shared;
  return resident > shared ? (resident - shared) * engine::hostPageBytes() : 0;
}

}  // namespace

void PeakMemory::watch() {
  m_thread = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      sample();
      std::this_thread::sleep_for(kInterval);
    }
  });
}

std::uint64_t PeakMemory::stop() {
  if (m_thread.joinable()) {
    m_thread.request_stop();
    m_thread.join();
  }
  sample();
  return m_peakBytes;
}

void PeakMemory::sample() {
  m_peakBytes = std::max(m_peakBytes.load(), anonymousBytes());
}

namespace {

constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine() : m_isTerminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (m_isShown) fmt::print(stderr, "{}", kClearLine);
}

void ProgressLine::progressed(const engine::Progress& progress) {
  if (!m_isTerminal) return;
  fmt::print(stderr, "{}{:3.0f}% {}", kClearLine, progress.fraction * 100, progress.activity);
  std::fflush(stderr);
  m_isShown = true;
}

using engine::Outcome;
using engine::Snapshot;

namespace {

std::shared_ptr<const engine::AnswerCache> cacheFor(const Options& options) {
  if (options.noCache) return nullptr;
  if (!options.cacheFolder.empty())
    return std::make_shared<const engine::AnswerCache>(options.cacheFolder, engine::CacheLimits{.leastSeconds = 0});
  const std::filesystem::path folder = engine::userCacheFolder();
  return folder.empty() ? nullptr : std::make_shared<const engine::AnswerCache>(folder, engine::CacheLimits());
}

Outcome<Snapshot> namingFile(Outcome<Snapshot> opened, const std::string& path) {
  if (opened || opened.error().isCancelled() || opened.error().error().what.find(path) != std::string::npos)
    return opened;
  engine::Error error = opened.error().error();
  error.what = fmt::format("{}: {}", path, error.what);
  return tl::unexpected(engine::Unfinished(std::move(error)));
}

}  // namespace

Context::Context(std::string_view verb, const Options& options, engine::Output& output, Interrupts& interrupts,
                 OpenDump* dump)
    : m_verb(verb),
      m_options(options),
      m_output(output),
      m_interrupts(interrupts),
      m_dump(dump),
      m_stop(interrupts.token()),
      m_cache(cacheFor(options)) {
  if (options.timings) m_peakMemory.watch();
}

engine::OpenOptions Context::openOptions(engine::Stage stage, const engine::RetainedOptions& retained) const {
  engine::OpenOptions options;
  options.stopAfter = stage;
  options.searchFolders = m_options.searchFolders;
  options.retained = retained;
  options.retained.cache = m_cache;
  if (m_options.exact) options.retained.roots.includeInexact = false;
  options.retained.memoryBytes = m_options.memoryBytes;
  return options;
}

void Context::noteOpened(const Outcome<Snapshot>& opened) {
  m_openedAt = elapsed();
  if (opened) m_files.emplace_back(*opened);
  if (opened && m_cache && opened->has(engine::Stage::Retained)) m_toKeep.push_back(*opened);
}

Outcome<Snapshot> Context::openKept(const std::string& path, const engine::OpenOptions& options,
                                    ProgressLine& progress) {
  return m_dump ? m_dump->open(path, options, &progress, m_stop) : engine::openDump(path, options, &progress, m_stop);
}

Outcome<Snapshot> Context::open(const std::string& path, engine::Stage stage, const engine::RetainedOptions& retained,
                                HeapUse heap) {
  ProgressLine progress;
  auto opened = openKept(path, openOptions(stage, retained), progress);
  noteOpened(opened);
  const bool needsTypes = heap == HeapUse::Fields || heap == HeapUse::Assemblies;
  if (!opened || (stage <= engine::Stage::Segments && !needsTypes && !opened->isRecorded())) return opened;
  auto lack = engine::lackOf(*opened, heap);
  if (!lack) return opened;
  if (!opened->isRecorded() && engine::hasHeap(*opened)) return tl::unexpected(engine::Unfinished(std::move(*lack)));
  lack->what += opened->isRecorded() ? " Verbs for these: info, types, objects, retained, dominators, path, roots, "
                                       "edges, size, query, compare, trend, insights, report."
                                     : " Verbs for these: info, crash, threads, stacks, exceptions, modules, object.";
  return tl::unexpected(engine::Unfinished(std::move(*lack)));
}

std::optional<engine::Error> Context::changedInput() const {
  for (const engine::FileChanges& files : m_files) {
    if (auto changed = files.error()) return changed;
  }
  return std::nullopt;
}

Outcome<void> Context::letGo() {
  auto changed = changedInput();
  m_files.clear();
  m_toKeep.clear();
  m_openedAt = elapsed();
  if (changed) return tl::unexpected(engine::Unfinished(std::move(*changed)));
  return {};
}

void Context::keepAnswers() {
  const double start = elapsed();
  bool isAnyKept = false;
  for (const Snapshot& snapshot : m_toKeep) {
    if (!engine::hasAnswersToKeep(snapshot)) continue;
    isAnyKept = true;
    const auto kept = engine::keepAnswers(snapshot, m_stop);
    if (!kept && !kept.error().isCancelled() && m_options.timings)
      fmt::print(stderr, "heapscape-cli: note: nothing is cached: {}\n", engine::printable(kept.error().error().what));
  }
  if (isAnyKept && m_options.timings) fmt::print(stderr, "{:<12}{:>10.3f} s\n", "keeping", elapsed() - start);
}

Outcome<Snapshot> Context::openOneOf(const std::string& path, engine::Stage stage,
                                     const engine::RetainedOptions& retained, HeapUse heap) {
  return namingFile(open(path, stage, retained, heap), path);
}

Outcome<std::array<Snapshot, 2>> Context::openBoth(const std::string& first, const std::string& second) {
  if (m_dump) {
    HEAPSCAPE_TRY(Snapshot one, openOneOf(first, engine::Stage::Retained, {}, HeapUse::Graph));
    HEAPSCAPE_TRY(Snapshot other, openOneOf(second, engine::Stage::Retained, {}, HeapUse::Graph));
    return std::array{std::move(one), std::move(other)};
  }
  ProgressLine progress;
  auto opened = engine::openBoth({first, second}, openOptions(engine::Stage::Retained, {}), &progress, m_stop);
  for (const auto& each : opened) noteOpened(each);
  HEAPSCAPE_TRY(Snapshot one, namingFile(std::move(opened[0]), first));
  HEAPSCAPE_TRY(Snapshot other, namingFile(std::move(opened[1]), second));
  return std::array{std::move(one), std::move(other)};
}

Outcome<void> Context::write(const engine::InputFacts& input, const Answer& answer) {
  if (auto changed = changedInput()) return tl::unexpected(engine::Unfinished(std::move(*changed)));
  if (m_options.asJson) {
    writeJson(input, answer);
  } else if (m_options.asTsv) {
    answer.tsv(m_output);
  } else {
    answer.text(m_output);
  }
  if (m_stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  m_output.flush();
  if (!m_options.asJson && !m_output.hasFailed()) writeNotes(input, answer);
  return {};
}

engine::RunFigures Context::figures(const engine::InputFacts& input, const Answer& answer) {
  const double now = elapsed();
  engine::RunFigures figures{input.timings, input.indexBytes, m_peakMemory.stop()};
  double sinceOpening = now - m_openedAt;
  for (const engine::StageTiming& timing : answer.timings) {
    figures.timings.push_back(timing);
    sinceOpening -= timing.seconds;
  }
  figures.timings.push_back({"output", sinceOpening});
  figures.timings.push_back({"total", now});
  return figures;
}

void Context::writeJson(const engine::InputFacts& input, const Answer& answer) {
  engine::JsonWriter json(m_output);
  engine::beginDocument(json, m_verb, input, answer.findings);
  answer.json(json);
  if (m_options.timings) {
    const engine::RunFigures made = figures(input, answer);
    engine::endDocument(json, &made);
  } else {
    engine::endDocument(json, nullptr);
  }
  m_output.write('\n');
}

/// Writes notes on the answer to standard error, so that the output stays rows only.
void Context::writeNotes(const engine::InputFacts& input, const Answer& answer) {
  const bool isComplete = input.isComplete && answer.findings.items().empty();
  if (!isComplete && m_verb != "info") {
    fmt::print(stderr, "heapscape-cli: note: {}\n",
               input.note.empty() ? "something was missing or damaged in this dump, see heapscape-cli info."
                                  : engine::printable(input.note));
  }
  if (!m_options.timings) return;
  const engine::RunFigures made = figures(input, answer);
  for (const engine::StageTiming& timing : made.timings) {
    fmt::print(stderr, "{:<12}{:>10.3f} s\n", timing.stage, timing.seconds);
  }
  fmt::print(stderr, "{:<12}{:>12}\n", "index", engine::readableBytes(made.indexBytes));
  fmt::print(stderr, "{:<12}{:>12}\n", "peak memory", engine::readableBytes(made.peakBytes));
}

double Context::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

}  // namespace heapscape::cli

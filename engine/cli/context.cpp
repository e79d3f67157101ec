// SPDX-License-Identifier: MIT
#include "cli/context.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/progress_line.h"
#include "report/document.h"
#include "report/text.h"
#include "session/open_dump.h"

namespace heapscape::cli {

using engine::Outcome;
using engine::Snapshot;

namespace {

engine::RunFigures figuresOf(const Snapshot& snapshot, const Answer& answer, double openedAt, double now,
                             std::uint64_t peakBytes) {
  engine::RunFigures figures{snapshot.timings(), 0, peakBytes};
  if (snapshot.has(engine::Stage::Objects)) figures.indexBytes = snapshot.indexBytes();
  double sinceOpening = now - openedAt;
  for (const engine::StageTiming& timing : answer.timings) {
    figures.timings.push_back(timing);
    sinceOpening -= timing.seconds;
  }
  figures.timings.push_back({"output", sinceOpening});
  figures.timings.push_back({"total", now});
  return figures;
}

}  // namespace

Context::Context(std::string_view verb, const Options& options, engine::Output& output, std::stop_token stop)
    : m_verb(verb), m_options(options), m_output(output), m_stop(std::move(stop)) {
  if (options.timings) m_peakMemory.watch();
}

Outcome<Snapshot> Context::open(engine::Stage stage, const engine::RetainedOptions& retained) {
  ProgressLine progress;
  engine::OpenOptions options;
  options.stopAfter = stage;
  options.searchFolders = m_options.searchFolders;
  options.retained = retained;
  auto opened = engine::openDump(m_options.input, options, &progress, m_stop);
  m_openedAt = elapsed();
  return opened;
}

Outcome<void> Context::write(const Snapshot& snapshot, const Answer& answer) {
  if (m_options.asJson) {
    writeJson(snapshot, answer);
  } else if (m_options.asTsv) {
    answer.tsv(m_output);
  } else {
    answer.text(m_output);
  }
  if (m_stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  m_output.flush();
  if (!m_options.asJson && !m_output.hasFailed()) writeNotes(snapshot, answer);
  return {};
}

void Context::writeJson(const Snapshot& snapshot, const Answer& answer) {
  engine::JsonWriter json(m_output);
  engine::beginDocument(json, m_verb, snapshot, answer.findings);
  answer.json(json);
  if (m_options.timings) {
    const engine::RunFigures figures = figuresOf(snapshot, answer, m_openedAt, elapsed(), m_peakMemory.stop());
    engine::endDocument(json, &figures);
  } else {
    engine::endDocument(json, nullptr);
  }
  m_output.write('\n');
}

/// What a reader of the answer should know goes to standard error, so that the output stays rows only.
void Context::writeNotes(const Snapshot& snapshot, const Answer& answer) {
  const bool isComplete = snapshot.isComplete() && answer.findings.items().empty();
  if (!isComplete && m_verb != "info") {
    fmt::print(stderr, "heapscape-cli: note: something was missing or damaged in this dump, see heapscape-cli info.\n");
  }
  if (!m_options.timings) return;
  const engine::RunFigures figures = figuresOf(snapshot, answer, m_openedAt, elapsed(), m_peakMemory.stop());
  for (const engine::StageTiming& timing : figures.timings) {
    fmt::print(stderr, "{:<12}{:>10.3f} s\n", timing.stage, timing.seconds);
  }
  fmt::print(stderr, "{:<12}{:>12}\n", "index", engine::readableBytes(figures.indexBytes));
  fmt::print(stderr, "{:<12}{:>12}\n", "peak memory", engine::readableBytes(figures.peakBytes));
}

double Context::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

}  // namespace heapscape::cli

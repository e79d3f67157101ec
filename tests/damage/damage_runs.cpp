// SPDX-License-Identifier: MIT
// Damages dumps of tests/data in many ways and asks the command line about them; see README.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "damages.h"
#include "redact/redacted_copy.h"
#include "session/open/open_dump.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/machine.h"
#include "support/truth.h"
#include "verdict.h"

namespace heapscape::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

struct Options {
  std::vector<std::string> dumps;
  std::size_t count = 1000;
  std::size_t verbs = 2;
  std::uint64_t seed = 1;
  std::uint64_t mostMegabytes = 2048;
  bool isListing = false;
  bool areRedacted = false;
};

constexpr std::chrono::seconds kLongest{10};

constexpr std::string_view kBudgets = R"({"budgets": [
    {"of": "types", "query": "type = System.String", "sum": "bytes", "max": "200 MB"},
    {"of": "types", "query": "padding > 10%", "max": 0}, {"of": "objects", "query": "retained > 1 MB", "max": 9},
    {"of": "insights", "query": "bytes > 1 KB", "max": 0},
    {"of": "memory", "query": "owner = jitCode", "sum": "bytes", "max": "20 MB"}]})";

/// What the command line is asked about a dump: every verb, with what it needs.
class Questions {
 public:
  Questions(const PatchedCore& core, const PatchedCore& unharmed) : m_path(core.path().string()), m_unharmed(unharmed) {
    add({"info"});
    const json roots = json::parse(ask(add({"roots"})).output, nullptr, false);
    for (const char* verb :
         {"segments", "generations", "gc",     "types",      "objects", "generics", "modules", "waste",
          "retained", "dominators",  "verify", "handles",    "threads", "stacks",   "async",   "locks",
          "statics",  "strings",     "memory", "finalizers", "edges",   "insights"})
      add({verb});
    add({"type", "System.String"});
    add({"layout", "System.String"});
    add({"query", "size > 1KB"});
    add({"compare", m_unharmed.path().string()});
    const std::string budgets = m_folder / "budgets.json";
    writeFile(budgets, bytesOfText(kBudgets));
    add({"check", budgets});
    add({"report", "--output", m_folder / "report.html"});
    add({"redact", m_folder / "copy.core", "--rename", "System.Collections"});
    add({"redact", "--check"});
    if (!roots.is_object()) return;  // a dump without a heap
    for (const json& root : roots.value("roots", json::array())) {
      const std::string object = root.value("object", "");
      for (const char* verb : {"object", "path", "size", "address"}) add({verb, object});
      return;
    }
  }

  std::size_t count() const { return m_questions.size(); }
  const std::string& verb(std::size_t index) const { return m_questions[index].front(); }
  LimitedRun ask(std::size_t index) const {
    Words words{HEAPSCAPE_CLI, m_questions[index].front(), m_path, "--json"};
    words.insert(words.end(), m_questions[index].begin() + 1, m_questions[index].end());
    return runLimited(words, kLongest);
  }
  /// The healthy answer; empty if it was an error, as `async` is where there are no such methods.
  const std::string& healthy(std::size_t index) {
    const auto [known, isNew] = m_healthy.try_emplace(index);
    if (isNew) known->second = ask(index).output;
    return known->second;
  }

 private:
  std::size_t add(Words question) {
    m_questions.push_back(std::move(question));
    return m_questions.size() - 1;
  }

  std::string m_path;
  const PatchedCore& m_unharmed;  // to compare with
  TemporaryFolder m_folder;
  std::vector<Words> m_questions;
  std::map<std::size_t, std::string> m_healthy;
};

/// The questions but the first in ever another order, so that every verb meets every kind of damage.
class Turns {
 public:
  Turns(std::size_t questions, std::uint64_t seed) : m_indices(questions - 1), m_random(seed) {
    std::iota(m_indices.begin(), m_indices.end(), 1);
  }
  std::size_t next() {
    if (m_asked % m_indices.size() == 0) std::shuffle(m_indices.begin(), m_indices.end(), m_random);
    return m_indices[m_asked++ % m_indices.size()];
  }

 private:
  std::vector<std::size_t> m_indices;
  std::mt19937_64 m_random;
  std::size_t m_asked = 0;
};

/// How many answers of each kind there were, by kind of damage and by verb.
class Tally {
 public:
  void add(DamageKind kind, const std::string& verb, Verdict verdict, const LimitedRun& run) {
    ++m_byKind[toString(kind)][verdict];
    ++m_byVerb[verb][verdict];
    m_slowest = std::max(m_slowest, run.seconds);
    m_largest = std::max(m_largest, run.peakBytes);
    if (verdict >= Verdict::Crashed) ++m_failures;
  }
  std::size_t failures() const { return m_failures; }
  void print() const {
    print(m_byKind);
    print(m_byVerb);
    fmt::print("slowest {:.2f} s, largest {} MB\n", m_slowest, m_largest >> 20);
  }

 private:
  using Counts = std::map<std::string, std::map<Verdict, std::size_t>>;

  static void print(const Counts& counts) {
    fmt::print("{:14}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}\n", "", "same", "told", "refused", "silent", "crashed",
               "too slow", "too large");
    for (const auto& [name, verdicts] : counts) {
      fmt::print("{:14}", name);
      for (int i = 0; i <= static_cast<int>(Verdict::TooLarge); ++i) {
        const auto found = verdicts.find(static_cast<Verdict>(i));
        fmt::print("{:>9}", found == verdicts.end() ? 0 : found->second);
      }
      fmt::print("\n");
    }
  }

  Counts m_byKind;
  Counts m_byVerb;
  double m_slowest = 0;
  std::uint64_t m_largest = 0;
  std::size_t m_failures = 0;
};

std::vector<engine::AddressRange> heapOf(const PatchedCore& core) {
  std::vector<engine::AddressRange> heap;
  const auto opened =
      engine::openDump(core.path(), {.stopAfter = engine::Stage::Segments, .searchFolders = {}}, nullptr, {});
  if (!opened) return heap;
  for (const engine::Segment& segment : opened->segments()) heap.push_back(segment.objects);
  return heap;
}

/// Writes a copy without contents, and returns it as the name of a dump.
std::string copyOf(const std::string& dump, const TemporaryFolder& folder) {
  const auto opened =
      engine::openDump(dumpPath(dump), {.stopAfter = engine::Stage::Objects, .searchFolders = {}}, nullptr, {});
  if (!opened || !engine::writeRedacted(*opened, folder / "copy.core.zst", {}, nullptr, {}))
    throw std::runtime_error("cannot copy " + dump);
  return folder / "copy";
}

void runOn(const std::string& dump, const Options& options, Tally& tally) {
  TemporaryFolder folder;
  const std::string name = options.areRedacted ? copyOf(dump, folder) : dump;
  PatchedCore core(name);
  const PatchedCore unharmed(name);
  Damages damages(core, heapOf(core), options.seed);
  Questions questions(core, unharmed);
  Turns turns(questions.count(), options.seed);
  for (std::size_t i = 0; i < options.count; ++i) {
    const DamageKind kind = kDamageKinds[i % kDamageKinds.size()];
    // Healthy answers are asked for before the file is damaged.
    std::vector<std::size_t> indices{0};
    for (std::size_t j = 0; j < options.verbs; ++j) indices.push_back(turns.next());
    for (const std::size_t index : indices) questions.healthy(index);
    const std::string done = damages.make(kind);
    for (const std::size_t index : indices) {
      const LimitedRun run = questions.ask(index);
      const Judgement judged = judge(questions.healthy(index), run, options.mostMegabytes << 20);
      tally.add(kind, questions.verb(index), judged.verdict, run);
      const bool isListed =
          judged.verdict >= Verdict::Crashed || (options.isListing && judged.verdict == Verdict::Silent);
      if (isListed)
        fmt::print("{} #{} {}, {}: {} {} {}\n", dump, i, toString(kind), done, questions.verb(index),
                   toString(judged.verdict), judged.difference);
    }
    core.restore();
    std::fflush(stdout);
  }
}

std::vector<std::string> allDumps() {
  constexpr std::string_view kEnding = ".core.zst";
  std::vector<std::string> dumps;
  for (const auto& entry : std::filesystem::directory_iterator(HEAPSCAPE_TEST_DATA)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kEnding)) dumps.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::sort(dumps.begin(), dumps.end());
  return dumps;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Damages dumps of tests/data and asks heapscape-cli about them.");
  app.add_option("DUMP", options.dumps, "Names without .core.zst; all if none is given");
  app.add_option("--count", options.count, "Damages of each dump");
  app.add_option("--verbs", options.verbs, "Verbs that are asked beside info after each, in turn");
  app.add_option("--seed", options.seed, "Other damages for another number");
  app.add_option("--most-megabytes", options.mostMegabytes, "More resident memory is a failure");
  app.add_flag("--redacted", options.areRedacted, "Damage copies of the dumps without contents");
  app.add_flag("--list-silent", options.isListing, "List figures that differ and do not say so");
  CLI11_PARSE(app, argc, argv);
  hideWhatIsInstalled();
  Tally tally;
  for (const std::string& dump : options.dumps.empty() ? allDumps() : options.dumps) runOn(dump, options, tally);
  tally.print();
  return tally.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace heapscape::test

int main(int argc, char** argv) {
  return heapscape::test::run(argc, argv);
}

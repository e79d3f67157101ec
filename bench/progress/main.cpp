// SPDX-License-Identifier: MIT
// heapscape-progress DUMP [OTHER]: what long work tells of how far it is, against the time that it takes. Of each
// activity: when it began and what was told then, in percent of the whole; of the whole: how many times something was
// told, the longest pause between two of these, and how far told and true shares lie apart at most.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "insight/comparison/compare_snapshots.h"
#include "insight/insight.h"
#include "query/objects/object_search.h"
#include "review/dump_report.h"
#include "session/heap/heap_check.h"
#include "session/layouts/waste_query.h"
#include "session/open/open_dump.h"
#include "session/references/paths_query.h"

namespace heapscape::bench {
namespace {

using namespace engine;
using Clock = std::chrono::steady_clock;

struct Told {
  double seconds;
  double fraction;
  std::string activity;
};

class Recorder : public OpenListener {
 public:
  void progressed(const Progress& progress) override {
    const std::scoped_lock lock(m_mutex);
    m_told.push_back({now(), progress.fraction, progress.activity});
  }
  void stageReady(const Snapshot&) override {}

  void print(const std::string& name) {
    const double whole = now();
    double pause = 0, apart = 0, last = 0, backwards = 0, at = 0;
    std::string activity, lines;
    double before = 0;
    const auto look = [&](const Told& told) {
      pause = std::max(pause, told.seconds - last);
      // Just before something is told, the bar still stands where it was.
      for (const double shown : {before, told.fraction}) {
        if (std::abs(shown - told.seconds / whole) > std::abs(apart)) {
          apart = shown - told.seconds / whole;
          at = told.seconds / whole;
        }
      }
      backwards = std::max(backwards, before - told.fraction);
      last = told.seconds;
      before = told.fraction;
    };
    for (const Told& told : m_told) {
      if (told.activity != activity) {
        lines += fmt::format("    {:5.1f}% of the time, told {:5.1f}%  {}\n", 100 * told.seconds / whole,
                             100 * told.fraction, told.activity);
      }
      activity = told.activity;
      look(told);
    }
    look({whole, before, {}});
    fmt::print(
        "{}: {:.3f} s, told {} times up to {:.1f}%, longest pause {:.1f}% of the time, at most {:+.1f}% apart (at "
        "{:.0f}%){}\n{}",
        name, whole, m_told.size(), 100 * before, 100 * pause / whole, 100 * apart, 100 * at,
        backwards > 0 ? fmt::format(", BACK by {:.1f}%", 100 * backwards) : "", lines);
  }

 private:
  double now() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

  Clock::time_point m_start = Clock::now();
  std::mutex m_mutex;
  std::vector<Told> m_told;
};

void measure(const std::string& name, const std::function<bool(Recorder&)>& work) {
  Recorder recorder;
  const bool isDone = work(recorder);
  recorder.print(isDone ? name : name + " FAILED");
  std::fflush(stdout);
}

void measureSort(const Snapshot& snapshot, ObjectField field) {
  measure("sort by " + toString(referenceTo(field), objectSchema()), [&](Recorder& recorder) {
    ObjectSearch search;
    search.sortBy = referenceTo(field);
    search.limit = SIZE_MAX;
    search.rows = 200;
    return findObjects(snapshot, search, &recorder, {}).has_value();
  });
}

int run(const std::string& path, const std::string& other) {
  std::optional<Snapshot> opened;
  measure("open", [&](Recorder& recorder) {
    auto outcome = openDump(path, {}, &recorder, {});
    if (outcome) opened = *outcome;
    return outcome.has_value();
  });
  if (!opened) return 1;
  std::optional<Snapshot> retained;
  measure("retained", [&](Recorder& recorder) {
    auto outcome = addRetained(*opened, {}, &recorder, {});
    if (outcome) retained = *outcome;
    return outcome.has_value();
  });
  measure("open to retained", [&](Recorder& recorder) {
    return openDump(path, {.stopAfter = Stage::Retained}, &recorder, {}).has_value();
  });
  if (!retained) return 1;
  for (const ObjectField field :
       {ObjectField::Size, ObjectField::Type, ObjectField::Retained, ObjectField::Gen, ObjectField::Address})
    measureSort(*retained, field);
  measure("query type ~ \"String\" and size > 40", [&](Recorder& recorder) {
    ObjectSearch search;
    search.query = *makeQuery("type ~ \"String\" and size > 40", objectSchema());
    search.sortBy = referenceTo(ObjectField::Retained);
    search.limit = SIZE_MAX;
    search.rows = 200;
    return findObjects(*retained, search, &recorder, {}).has_value();
  });
  measure("group by type", [&](Recorder& recorder) {
    std::vector<std::uint32_t> ids = findObjects(*retained, {}, nullptr, {})->ids;
    return groupObjects(*retained, ids, referenceTo(ObjectField::Type), &recorder, {}).has_value();
  });
  measure("insights", [&](Recorder& recorder) { return findInsights(*retained, {}, &recorder, {}).has_value(); });
  measure("paths prepared", [&](Recorder& recorder) { return preparePaths(*retained, &recorder, {}).has_value(); });
  measure("check", [&](Recorder& recorder) { return checkHeap(*retained, &recorder, {}).has_value(); });
  measure("report", [&](Recorder& recorder) { return reportOf(*retained, {}, &recorder, {}).has_value(); });
  if (other.empty()) return 0;
  const auto second = openDump(other, {.stopAfter = Stage::Retained}, nullptr, {});
  if (!second) return 1;
  measure("comparison", [&](Recorder& recorder) {
    return compareSnapshots(*retained, *second, {.withInsights = true, .withLayouts = true}, &recorder, {}).has_value();
  });
  return 0;
}

}  // namespace
}  // namespace heapscape::bench

int main(int argc, char** argv) {
  if (argc >= 2) return heapscape::bench::run(argv[1], argc > 2 ? argv[2] : "");
  fmt::print(stderr, "usage: heapscape-progress DUMP [OTHER]\n");
  return 2;
}

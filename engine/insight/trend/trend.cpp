// SPDX-License-Identifier: MIT
#include "insight/trend/trend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/figures.h"
#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

/// The dumps that were read, and where they stand in the row.
struct Frames {
  std::vector<const DumpFrame*> all;
  std::vector<std::string> paths;
  std::vector<std::uint32_t> places;
};

TrendSeries emptySeries(std::size_t dumps) {
  TrendSeries series;
  series.counts.resize(dumps);
  series.bytes.resize(dumps);
  return series;
}

/// Rows of several dumps by what they are matched by.
template <class Key, class Row>
class RowsByKey {
 public:
  explicit RowsByKey(std::size_t dumps) : m_dumps(dumps) {}

  Row& at(std::size_t dump, const Key& key, std::uint64_t count, std::uint64_t bytes) {
    const auto [row, isNew] = m_rows.try_emplace(key);
    if (isNew) row->second.series = emptySeries(m_dumps);
    row->second.series.counts[dump] = count;
    row->second.series.bytes[dump] = bytes;
    return row->second;
  }

  std::vector<Row> take() {
    std::vector<Row> rows;
    for (auto& [key, row] : m_rows) rows.push_back(std::move(row));
    return rows;
  }

 private:
  std::size_t m_dumps;
  std::map<Key, Row> m_rows;
};

TypeTrend trendOfType(const MatchedType& matched) {
  const TypeFigures& latest = matched.latest();
  TypeTrend type{.name = latest.name,
                 .assembly = latest.assembly,
                 .loadContext = matched.isInSeveralContexts ? latest.loadContext : std::string(),
                 .isFree = latest.isFree,
                 .series = emptySeries(matched.dumps.size()),
                 .retained = std::vector<std::uint64_t>(matched.dumps.size())};
  for (std::size_t i = 0; i < matched.dumps.size(); ++i) {
    const TypeFigures* figures = matched.dumps[i];
    if (!figures) continue;
    type.series.counts[i] = figures->count;
    type.series.bytes[i] = figures->bytes;
    type.retained[i] = figures->retained;
  }
  return type;
}

std::vector<TypeTrend> typeTrends(const Frames& frames) {
  std::vector<const std::vector<TypeFigures>*> dumps;
  for (const DumpFrame* frame : frames.all) dumps.push_back(&frame->types);
  std::vector<TypeTrend> types;
  for (const MatchedType& matched : matchTypes(dumps)) types.push_back(trendOfType(matched));
  return types;
}

/// Of what is matched by its kind and name. `count`: of what it has bytes.
template <class Row, class Figures>
std::vector<Row> namedTrends(const Frames& frames, std::vector<Figures> DumpFrame::*list,
                             std::uint64_t Figures::*count) {
  RowsByKey<std::pair<decltype(Row::kind), std::string>, Row> rows(frames.all.size());
  for (std::size_t i = 0; i < frames.all.size(); ++i) {
    for (const Figures& figures : frames.all[i]->*list) {
      Row& row = rows.at(i, {figures.kind, figures.name}, figures.*count, figures.bytes);
      row.kind = figures.kind;
      row.name = figures.name;
    }
  }
  return rows.take();
}

std::vector<InsightTrend> insightTrends(const Frames& frames) {
  RowsByKey<InsightKey, InsightTrend> rows(frames.all.size());
  for (std::size_t i = 0; i < frames.all.size(); ++i) {
    for (const auto& [key, insight] : frames.all[i]->insights) {
      InsightTrend& row = rows.at(i, key, insight.objects, insight.bytes);
      row.kind = key.kind;
      row.meaning = insight.meaning;
      row.title = insight.title;
      row.subject = key.subject;
      row.contents = key.contents;
    }
  }
  return rows.take();
}

/// Fills in what follows from the figures, and puts the steepest first; equals stay in the order of their names.
template <class Row>
void judgeAndSort(std::vector<Row>& rows, const std::vector<std::uint32_t>& places) {
  for (Row& row : rows) row.series.judge(places);
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const Row& row) { return row.series.slope; });
}

TrendDump dumpOf(const std::string& path, const DumpFrame& frame, std::uint32_t place) {
  return {.path = path,
          .place = place,
          .written = frame.written,
          .summary = frame.summary,
          .objects = frame.totals.objects - frame.totals.freeObjects,
          .bytes = frame.totals.bytes - frame.totals.freeBytes,
          .freeBytes = frame.totals.freeBytes,
          .reachableBytes = frame.retained.reachableBytes,
          .wasteBytes = frame.wasteBytes,
          .leakBytes = frame.leakBytes};
}

std::set<std::string> ownModulesOf(const DumpFrame& frame) {
  std::set<std::string> own = frame.modules.all;
  std::erase_if(own, [](const std::string& name) { return name.empty() || isFrameworkAssembly(name); });
  return own;
}

/// Whether two dumps have an assembly of the program's own in common; so does one that has none with any.
bool shareModules(const DumpFrame& first, const DumpFrame& second) {
  const std::set<std::string> ours = ownModulesOf(first), theirs = ownModulesOf(second);
  return ours.empty() || theirs.empty() ||
         std::ranges::any_of(ours, [&](const std::string& name) { return theirs.contains(name); });
}

template <class Of>
void noteDifference(Trend& trend, std::string_view what, const Of& of) {
  std::vector<std::string> values;
  for (const TrendDump& dump : trend.dumps) {
    const std::string value = of(dump.summary);
    if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  if (values.size() > 1) trend.notes.push_back(fmt::format("The dumps are of {}: {}.", what, fmt::join(values, ", ")));
}

void addNotes(Trend& trend, const Frames& frames) {
  noteDifference(trend, "several versions of .NET", [](const Summary& summary) { return summary.runtime.version; });
  noteDifference(trend, "programs with several names", [](const Summary& summary) { return summary.dump.command; });
  for (std::size_t i = 1; i < frames.all.size(); ++i) {
    if (shareModules(*frames.all.front(), *frames.all[i])) continue;
    trend.notes.push_back(
        fmt::format("{} and {} have no assembly of the program's own in common: they are hardly of one program.",
                    frames.paths.front(), frames.paths[i]));
  }
}

void addFindings(Trend& trend, const Frames& frames) {
  for (std::size_t i = 0; i < frames.all.size(); ++i) {
    const DumpFrame& frame = *frames.all[i];
    trend.isComplete = trend.isComplete && frame.isComplete && frame.findings.items().empty();
    for (const Finding& finding : frame.findings.items())
      trend.findings.add(finding.kind, finding.address, fmt::format("{}: {}", frames.paths[i], finding.message));
    std::set<std::string> gaps;
    for (const DumpFrame* other : frames.all) gaps.merge(modulesNamedElsewhere(frame.modules, other->modules));
    if (gaps.empty()) continue;
    trend.isComplete = false;
    trend.findings.add(FindingKind::MetadataMissing, {},
                       fmt::format("{}: has no names for the types of {}, {} among them: they cannot be told to be the "
                                   "same as in the other dumps, and count as others.",
                                   frames.paths[i], countOf(gaps.size(), "module"), *gaps.begin()));
  }
}

}  // namespace

Trend trendOf(std::span<const FilmedDump> film) {
  Trend trend;
  Frames frames;
  for (std::uint32_t place = 0; place < film.size(); ++place) {
    const FilmedDump& dump = film[place];
    if (!dump.frame) {
      trend.unread.push_back({dump.path, place, dump.error.value_or(Error{ErrorCode::FileUnreadable, {}})});
      trend.isComplete = false;
      continue;
    }
    frames.all.push_back(dump.frame.get());
    frames.paths.push_back(dump.path);
    frames.places.push_back(place);
    trend.dumps.push_back(dumpOf(dump.path, *dump.frame, place));
  }
  trend.types = typeTrends(frames);
  trend.owners = namedTrends<OwnerTrend>(frames, &DumpFrame::owners, &OwnerFigures::objects);
  trend.roots = namedTrends<RootTrend>(frames, &DumpFrame::roots, &RootFigures::roots);
  trend.insights = insightTrends(frames);
  judgeAndSort(trend.types, frames.places);
  std::ranges::stable_partition(trend.types, [](const TypeTrend& type) { return !type.isFree; });
  judgeAndSort(trend.owners, frames.places);
  judgeAndSort(trend.roots, frames.places);
  judgeAndSort(trend.insights, frames.places);
  addNotes(trend, frames);
  addFindings(trend, frames);
  return trend;
}

}  // namespace heapscape::engine

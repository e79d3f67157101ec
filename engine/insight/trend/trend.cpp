// SPDX-License-Identifier: MIT
#include "insight/trend/trend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/figures.h"
#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

/// By more than one percent of the larger figure.
bool isClearlyMore(std::uint64_t figure, std::uint64_t than) {
  return figure > than && figure - than > figure / 100;
}

/// The largest share of all growth that is one step's without being steady.
constexpr double kOneStep = 0.9;

bool isLevel(std::span<const std::uint64_t> values) {
  const auto [least, most] = std::ranges::minmax(values);
  return !isClearlyMore(most, least);
}

struct Steps {
  bool rises = false, falls = false;
  std::uint64_t largestRise = 0;
};
Steps stepsOf(std::span<const std::uint64_t> values) {
  Steps steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t before = values[i - 1], after = values[i];
    steps.rises = steps.rises || isClearlyMore(after, before);
    steps.falls = steps.falls || isClearlyMore(before, after);
    if (after > before) steps.largestRise = std::max(steps.largestRise, after - before);
  }
  return steps;
}

}  // namespace

TrendVerdict verdictOf(std::span<const std::uint64_t> values) {
  if (values.size() < 2 || isLevel(values)) return TrendVerdict::Level;
  const auto begin = std::ranges::find_if(values, [](std::uint64_t value) { return value != 0; });
  if (begin != values.begin() && isLevel(std::span(begin, values.end()))) return TrendVerdict::New;
  const Steps steps = stepsOf(values);
  const std::uint64_t first = values.front(), last = values.back();
  if (!steps.falls && isClearlyMore(last, first)) {
    const bool isOneStep = static_cast<double>(steps.largestRise) > kOneStep * static_cast<double>(last - first);
    return isOneStep ? TrendVerdict::GrewOnce : TrendVerdict::GrowsSteadily;
  }
  if (!steps.rises && isClearlyMore(first, last)) return TrendVerdict::Shrinks;
  return TrendVerdict::ComesAndGoes;
}

std::int64_t slopeOf(std::span<const std::uint64_t> values, std::span<const std::uint32_t> places) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<long double>(values.size());
  long double sumOfPlaces = 0, sumOfValues = 0;
  for (const std::uint32_t place : places) sumOfPlaces += place;
  for (const std::uint64_t value : values) sumOfValues += static_cast<long double>(value);
  long double both = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double place = places[i] - sumOfPlaces / count;
    both += place * (static_cast<long double>(values[i]) - sumOfValues / count);
    squares += place * place;
  }
  return squares > 0 ? std::llround(both / squares) : 0;
}

const std::vector<std::uint64_t>& TrendSeries::judged() const {
  const bool hasBytes = std::ranges::any_of(bytes, [](std::uint64_t value) { return value != 0; });
  return hasBytes ? bytes : counts;
}

void TrendSeries::judge(std::span<const std::uint32_t> places) {
  slope = slopeOf(bytes, places);
  verdict = verdictOf(judged());
}

std::string sparkline(std::span<const std::uint64_t> values) {
  constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kHeights = std::size(kBars);
  const std::uint64_t most = values.empty() ? 0 : std::ranges::max(values);
  std::string line;
  for (const std::uint64_t value : values) {
    const double share = most ? static_cast<double>(value) / static_cast<double>(most) : 0;
    const auto height = static_cast<std::size_t>(std::ceil(share * kHeights));
    line += value ? kBars[std::clamp<std::size_t>(height, 1, kHeights) - 1] : "·";
  }
  return line;
}

namespace {

/// The dumps that were read, and where they stand in the row.
struct Samples {
  std::vector<const DumpSample*> all;
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

std::vector<TypeTrend> typeTrends(const Samples& samples) {
  std::vector<const std::vector<TypeFigures>*> dumps;
  for (const DumpSample* sample : samples.all) dumps.push_back(&sample->types);
  std::vector<TypeTrend> types;
  for (const MatchedType& matched : matchTypes(dumps)) types.push_back(trendOfType(matched));
  return types;
}

/// Trends of what is matched by its kind and name. `count`: the number of what has bytes.
template <class Row, class Figures>
std::vector<Row> namedTrends(const Samples& samples, std::vector<Figures> DumpSample::*list,
                             std::uint64_t Figures::*count) {
  RowsByKey<std::pair<decltype(Row::kind), std::string>, Row> rows(samples.all.size());
  for (std::size_t i = 0; i < samples.all.size(); ++i) {
    for (const Figures& figures : samples.all[i]->*list) {
      Row& row = rows.at(i, {figures.kind, figures.name}, figures.*count, figures.bytes);
      row.kind = figures.kind;
      row.name = figures.name;
    }
  }
  return rows.take();
}

std::vector<InsightTrend> insightTrends(const Samples& samples) {
  RowsByKey<InsightKey, InsightTrend> rows(samples.all.size());
  for (std::size_t i = 0; i < samples.all.size(); ++i) {
    for (const auto& [key, insight] : samples.all[i]->insights) {
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

TrendDump dumpOf(const std::string& path, const DumpSample& sample, std::uint32_t place) {
  return {.path = path,
          .place = place,
          .written = sample.written,
          .summary = sample.summary,
          .objects = sample.totals.objects - sample.totals.freeObjects,
          .bytes = sample.totals.bytes - sample.totals.freeBytes,
          .freeBytes = sample.totals.freeBytes,
          .reachableBytes = sample.retained.reachableBytes,
          .wasteBytes = sample.wasteBytes,
          .leakBytes = sample.leakBytes};
}

std::set<std::string> ownModulesOf(const DumpSample& sample) {
  std::set<std::string> own = sample.modules.all;
  std::erase_if(own, [](const std::string& name) { return name.empty() || isFrameworkAssembly(name); });
  return own;
}

/// Whether two dumps have an assembly of the program's own in common; so does one that has none with any.
bool shareModules(const DumpSample& first, const DumpSample& second) {
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

void addNotes(Trend& trend, const Samples& samples) {
  noteDifference(trend, "several versions of .NET", [](const Summary& summary) { return summary.runtime.version; });
  noteDifference(trend, "programs with several names", [](const Summary& summary) { return summary.dump.command; });
  for (std::size_t i = 1; i < samples.all.size(); ++i) {
    if (shareModules(*samples.all.front(), *samples.all[i])) continue;
    trend.notes.push_back(
        fmt::format("{} and {} have no assembly of the program's own in common: they are hardly of one program.",
                    samples.paths.front(), samples.paths[i]));
  }
}

void addFindings(Trend& trend, const Samples& samples) {
  for (std::size_t i = 0; i < samples.all.size(); ++i) {
    const DumpSample& sample = *samples.all[i];
    trend.isComplete = trend.isComplete && sample.isComplete && sample.findings.items().empty();
    for (const Finding& finding : sample.findings.items())
      trend.findings.add(finding.kind, finding.address, fmt::format("{}: {}", samples.paths[i], finding.message));
    std::set<std::string> gaps;
    for (const DumpSample* other : samples.all) gaps.merge(modulesNamedElsewhere(sample.modules, other->modules));
    if (gaps.empty()) continue;
    trend.isComplete = false;
    trend.findings.add(FindingKind::MetadataMissing, {},
                       fmt::format("{}: has no names for the types of {}, {} among them: they cannot be matched "
                                   "with those of the other dumps, and count as others.",
                                   samples.paths[i], countOf(gaps.size(), "module"), *gaps.begin()));
  }
}

}  // namespace

Trend trendOf(std::span<const SampledDump> film) {
  Trend trend;
  Samples samples;
  for (std::uint32_t place = 0; place < film.size(); ++place) {
    const SampledDump& dump = film[place];
    if (!dump.sample) {
      trend.unread.push_back({dump.path, place, dump.error.value_or(Error{ErrorCode::FileUnreadable, {}})});
      trend.isComplete = false;
      continue;
    }
    samples.all.push_back(dump.sample.get());
    samples.paths.push_back(dump.path);
    samples.places.push_back(place);
    trend.dumps.push_back(dumpOf(dump.path, *dump.sample, place));
  }
  trend.types = typeTrends(samples);
  trend.owners = namedTrends<OwnerTrend>(samples, &DumpSample::owners, &OwnerFigures::objects);
  trend.roots = namedTrends<RootTrend>(samples, &DumpSample::roots, &RootFigures::roots);
  trend.insights = insightTrends(samples);
  judgeAndSort(trend.types, samples.places);
  std::ranges::stable_partition(trend.types, [](const TypeTrend& type) { return !type.isFree; });
  judgeAndSort(trend.owners, samples.places);
  judgeAndSort(trend.roots, samples.places);
  judgeAndSort(trend.insights, samples.places);
  addNotes(trend, samples);
  addFindings(trend, samples);
  return trend;
}

}  // namespace heapscape::engine

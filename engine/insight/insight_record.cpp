// SPDX-License-Identifier: MIT
#include "insight/insight_record.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "session/cache/cache_file.h"

namespace heapscape::engine {
namespace {

// Sections of the file.
enum : std::size_t { kList, kIds, kSections };

/// Takes each thing apart as a whole, so that a member that is added to it cannot be forgotten here.
class ListWriter {
 public:
  std::vector<std::byte> write(const InsightList& list) && {
    const auto& [insights, wasteBytes, leakBytes, frameworkBytes, smallInsights, smallBytes, plan, findings] = list;
    addAll(insights);
    m_record.add(wasteBytes).add(leakBytes).add(frameworkBytes).add(smallInsights).add(smallBytes);
    add(plan);
    m_record.add(findings);
    return std::move(m_record).take();
  }

 private:
  template <class T>
  void addAll(const std::vector<T>& things) {
    m_record.add(static_cast<std::uint64_t>(things.size()));
    for (const T& thing : things) add(thing);
  }

  void add(std::uint32_t number) { m_record.add(number); }
  void add(const std::string& text) { m_record.add(text); }

  void add(const Insight& insight) {
    const auto& [kind, meaning, title, subject, place, type, contents, advice, methodTable, isFramework, bytes,
                 sharedBytes, isInexact, objects, ids, items, owners, facts, path] = insight;
    m_record.add(kind).add(meaning).add(title).add(subject).add(place).add(type).add(contents).add(advice).add(
        methodTable);
    m_record.add(isFramework).add(bytes).add(sharedBytes).add(isInexact).add(objects);
    m_record.add(static_cast<std::uint64_t>(ids.size()));
    addAll(items);
    addAll(owners);
    addAll(facts);
    addAll(path);
  }

  void add(const InsightItem& item) {
    const auto& [object, bytes, text] = item;
    m_record.add(object).add(bytes).add(text);
  }

  void add(const InsightOwner& owner) {
    const auto& [kind, name, object, methodTable, objects, bytes] = owner;
    m_record.add(kind).add(name).add(object).add(methodTable).add(objects).add(bytes);
  }

  void add(const InsightFact& fact) {
    const auto& [label, value, isContents] = fact;
    m_record.add(label).add(value).add(isContents);
  }

  void add(const ActionPlan& plan) {
    const auto& [actions, heapBytes, bytes, doubtfulBytes, isLeast] = plan;
    addAll(actions);
    m_record.add(heapBytes).add(bytes).add(doubtfulBytes).add(isLeast);
  }

  void add(const InsightAction& action) {
    const auto& [insights, bytes, addedBytes, doubtfulBytes, isLeast] = action;
    addAll(insights);
    m_record.add(bytes).add(addedBytes).add(doubtfulBytes).add(isLeast);
  }

  RecordWriter m_record;
};

class ListReader {
 public:
  ListReader(Bytes record, std::span<const std::uint32_t> ids) : m_record(record), m_ids(ids) {}

  std::optional<InsightList> read() {
    InsightList list;
    fill(list.insights, [this] { return readInsight(); });
    list.wasteBytes = number();
    list.leakBytes = number();
    list.frameworkBytes = number();
    list.smallInsights = number();
    list.smallBytes = number();
    list.plan = readPlan(list.insights.size());
    list.findings = m_record.readFindings();
    if (!m_record.isDone() || !readIds(list.insights)) return std::nullopt;
    return list;
  }

 private:
  std::uint64_t number() { return m_record.read<std::uint64_t>(); }

  template <class T, class Read>
  void fill(std::vector<T>& things, Read read) {
    const std::size_t count = m_record.readCount();
    for (std::size_t i = 0; i < count && !m_record.failed(); ++i) things.push_back(read());
  }

  Insight readInsight() {
    Insight insight;
    insight.kind = m_record.readEnum(InsightKind::Suspect);
    insight.meaning = m_record.readEnum(InsightMeaning::Held);
    insight.title = m_record.readText();
    insight.subject = m_record.readText();
    insight.place = m_record.readText();
    insight.type = m_record.readText();
    insight.contents = m_record.readText();
    insight.advice = m_record.readText();
    insight.methodTable = m_record.readAddress();
    insight.isFramework = m_record.readBool();
    insight.bytes = number();
    insight.sharedBytes = number();
    insight.isInexact = m_record.readBool();
    insight.objects = number();
    m_idCounts.push_back(m_record.readAtMost<std::uint64_t>(m_ids.size()));
    fill(insight.items, [this] {
      InsightItem item;
      item.object = m_record.readAddress();
      item.bytes = number();
      item.text = m_record.readText();
      return item;
    });
    fill(insight.owners, [this] {
      InsightOwner owner;
      owner.kind = m_record.readEnum(InsightOwner::Kind::Other);
      owner.name = m_record.readText();
      owner.object = m_record.readAddress();
      owner.methodTable = m_record.readAddress();
      owner.objects = number();
      owner.bytes = number();
      return owner;
    });
    fill(insight.facts, [this] {
      InsightFact fact;
      fact.label = m_record.readText();
      fact.value = m_record.readText();
      fact.isContents = m_record.readBool();
      return fact;
    });
    fill(insight.path, [this] { return m_record.readText(); });
    return insight;
  }

  ActionPlan readPlan(std::size_t insights) {
    ActionPlan plan;
    fill(plan.actions, [&] {
      InsightAction action;
      fill(action.insights, [&] {
        const auto index = m_record.read<std::uint32_t>();
        m_isPlanWrong |= index >= insights;
        return index;
      });
      action.bytes = number();
      action.addedBytes = number();
      action.doubtfulBytes = number();
      action.isLeast = m_record.readBool();
      m_isPlanWrong |= action.insights.empty();
      return action;
    });
    plan.heapBytes = number();
    plan.bytes = number();
    plan.doubtfulBytes = number();
    plan.isLeast = m_record.readBool();
    return plan;
  }

  // Millions, as a rule in a few insights; each is ascending.
  bool readIds(std::vector<Insight>& insights) const {
    std::vector<std::size_t> first(insights.size() + 1);
    for (std::size_t i = 0; i < insights.size(); ++i) {
      if (m_idCounts[i] > m_ids.size() - first[i]) return false;
      first[i + 1] = first[i] + m_idCounts[i];
    }
    if (first.back() != m_ids.size() || m_isPlanWrong) return false;
    std::atomic<bool> isSorted = true;
    tbb::parallel_for(std::size_t{0}, insights.size(), [&](std::size_t i) {
      const auto ids = m_ids.subspan(first[i], m_idCounts[i]);
      if (!std::ranges::is_sorted(ids)) isSorted = false;
      insights[i].ids.assign(ids.begin(), ids.end());
    });
    return isSorted;
  }

  RecordReader m_record;
  std::span<const std::uint32_t> m_ids;   // of all insights, one's behind the other's
  std::vector<std::uint64_t> m_idCounts;  // by insight
  bool m_isPlanWrong = false;
};

}  // namespace

std::optional<CacheContents> contentsOf(const InsightList& list) {
  if (list.findings.leftOut() > 0) return std::nullopt;
  std::size_t idCount = 0;
  for (const Insight& insight : list.insights) idCount += insight.ids.size();
  const auto ids = std::make_shared<LargeArray<std::uint32_t>>(idCount);
  std::uint32_t* next = ids->data();
  for (const Insight& insight : list.insights) next = std::ranges::copy(insight.ids, next).out;
  const auto record = std::make_shared<const std::vector<std::byte>>(ListWriter().write(list));
  CacheContents contents;
  contents.sections.resize(kSections);
  contents.sections[kList] = *record;
  contents.sections[kIds] = std::as_bytes(std::as_const(*ids).elements());
  contents.owners = {record, ids};
  return contents;
}

std::optional<InsightList> readInsights(const CacheFile& file, std::uint32_t objects, const std::stop_token& stop) {
  if (file.sectionCount() != kSections) return std::nullopt;
  const auto ids = file.array<std::uint32_t>(kIds, file.section(kIds).size() / sizeof(std::uint32_t));
  std::array<CacheFile::BlockCheck, kSections> checks{};
  checks[kIds] = [objects](std::size_t, Bytes block) {
    const auto* values = reinterpret_cast<const std::uint32_t*>(block.data());
    return std::all_of(values, values + block.size() / sizeof(std::uint32_t),
                       [objects](std::uint32_t id) { return id < objects; });
  };
  if (!ids || !file.isIntact(checks, stop)) return std::nullopt;
  return ListReader(file.section(kList), *ids).read();
}

}  // namespace heapscape::engine

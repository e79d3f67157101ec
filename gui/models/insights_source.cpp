// SPDX-License-Identifier: MIT
#include "models/insights_source.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "insight/insight_actions.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "insights";

using Answer = engine::Outcome<std::shared_ptr<const FoundInsights>>;

Answer find(const engine::Snapshot& snapshot, const engine::InsightOptions& options, engine::ProgressSink* progress,
            std::stop_token stop) {
  HEAPSCAPE_TRY(engine::InsightList list, engine::findInsights(snapshot, options, progress, std::move(stop)));
  return std::make_shared<const FoundInsights>(
      indexed(std::move(list), snapshot.totals().bytes, snapshot.retainedTotals()));
}

JoinedInsights joinedBy(const engine::InsightList& list, const engine::InsightAction& action) {
  JoinedInsights joined{.title = engine::actionText(list, action), .ids = {}};
  for (const std::uint32_t insight : action.insights) {
    const std::vector<std::uint32_t>& ids = list.insights[insight].ids;
    joined.ids.insert(joined.ids.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(joined.ids);
  joined.ids.erase(std::ranges::unique(joined.ids).begin(), joined.ids.end());
  return joined;
}

}  // namespace

InsightKey keyOf(const engine::Insight& insight) {
  return {.kind = insight.kind,
          .meaning = insight.meaning,
          .subject = insight.subject,
          .contents = insight.contents,
          .methodTable = insight.methodTable,
          .object = insight.items.empty() ? engine::Address() : insight.items.front().object};
}

InsightKey keyOf(const engine::InsightList& list, const engine::InsightAction& action) {
  const engine::Insight& first = list.insights[action.insights.front()];
  if (action.insights.size() == 1) return keyOf(first);
  return {.kind = first.kind, .meaning = first.meaning, .isAction = true};
}

std::optional<std::uint32_t> FoundInsights::find(const InsightKey& key) const {
  const auto found =
      std::ranges::find(list.insights, key, [](const engine::Insight& insight) { return keyOf(insight); });
  if (found == list.insights.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - list.insights.begin());
}

const std::vector<std::uint32_t>* FoundInsights::objectsOf(const InsightKey& key) const {
  if (const auto several = joined.find(key); several != joined.end()) return &several->second.ids;
  const std::optional<std::uint32_t> one = find(key);
  return one ? &list.insights[*one].ids : nullptr;
}

std::string FoundInsights::titleOf(const InsightKey& key) const {
  if (const auto several = joined.find(key); several != joined.end()) return several->second.title;
  const std::optional<std::uint32_t> one = find(key);
  return one ? list.insights[*one].title : std::string();
}

void showInsight(Navigator& navigator, const engine::Insight& insight) {
  Selection selection{.object = {}, .methodTable = insight.methodTable, .segment = {}};
  // One about a single object is about that, and not about all of its type.
  const bool isOfOne = insight.ids.size() == 1 && insight.items.size() == 1;
  if ((isOfOne || !selection.methodTable) && !insight.items.empty()) selection.object = insight.items.front().object;
  if (selection.isEmpty()) selection = navigator.location().selection;
  navigator.showListed(PlaceId::Insights, keyOf(insight), selection);
}

FoundInsights indexed(engine::InsightList list, std::uint64_t heapBytes, const engine::RetainedTotals& reach) {
  FoundInsights found{.list = std::move(list), .heapBytes = heapBytes, .reach = reach, .about = {}, .joined = {}};
  for (std::uint32_t index = 0; index < found.list.insights.size(); ++index) {
    const engine::Insight& insight = found.list.insights[index];
    const auto add = [&found, index](engine::Address address) {
      if (!address) return;
      std::vector<std::uint32_t>& insights = found.about[address.value];
      if (insights.empty() || insights.back() != index) insights.push_back(index);
    };
    add(insight.methodTable);
    for (const engine::InsightItem& item : insight.items) add(item.object);
  }
  for (const engine::InsightAction& action : found.list.plan.actions) {
    if (action.insights.size() > 1) found.joined.emplace(keyOf(found.list, action), joinedBy(found.list, action));
  }
  return found;
}

std::vector<std::uint32_t> FoundInsights::of(engine::Address object, engine::Address methodTable) const {
  for (const engine::Address address : {object, methodTable}) {
    const auto insights = about.find(address.value);
    if (address && insights != about.end()) return insights->second;
  }
  return {};
}

InsightsSource& InsightsSource::of(EngineBridge& bridge) {
  auto* source = bridge.findChild<InsightsSource*>(QString(), Qt::FindDirectChildrenOnly);
  return source ? *source : *new InsightsSource(bridge);
}

InsightsSource::InsightsSource(EngineBridge& bridge) : QObject(&bridge), m_bridge(bridge) {
  connect(&bridge, &EngineBridge::stageReady, this, [this](const engine::Snapshot& snapshot) {
    if (snapshot.stage() == engine::Stage::Retained) look();
  });
  connect(&bridge, &EngineBridge::openStarted, this, &InsightsSource::drop);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, [this] {
    if (m_state == InsightsState::Waiting) Q_EMIT stateChanged();
  });
  for (const auto signal : {&EngineBridge::closed, &EngineBridge::openCancelled}) {
    connect(&bridge, signal, this, &InsightsSource::drop);
  }
  if (bridge.snapshot() && bridge.snapshot()->has(engine::Stage::Retained)) look();
}

void InsightsSource::look() {
  look({});
}

void InsightsSource::lookAnyway() {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  look({.memoryBytes = lacksMemory() ? std::optional(kAll) : std::nullopt});
}

void InsightsSource::look(const engine::InsightOptions& options) {
  if (!m_bridge.snapshot() || !m_bridge.snapshot()->has(engine::Stage::Retained)) return;
  m_found.reset();
  m_progress = {};
  m_bridge.askLong(
      this, kChannel,
      [options](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return find(snapshot, options, progress, std::move(stop));
      },
      [this](const engine::Progress& progress) {
        m_progress = progress;
        Q_EMIT progressed();
      },
      [this](Answer answer) {
        if (answer) {
          m_found = std::move(*answer);
          return setState(InsightsState::Ready);
        }
        if (answer.error().isCancelled()) return setState(InsightsState::Stopped);
        m_error = answer.error().error();
        setState(InsightsState::Failed);
      });
  setState(InsightsState::Computing);
}

void InsightsSource::stop() {
  if (m_state != InsightsState::Computing) return;
  m_bridge.stopAsking(this, kChannel);
  setState(InsightsState::Stopped);
}

void InsightsSource::drop() {
  m_bridge.stopAsking(this, kChannel);
  m_found.reset();
  m_progress = {};
  setState(InsightsState::Waiting);
}

void InsightsSource::setState(InsightsState state) {
  if (state != InsightsState::Failed) m_error.reset();
  m_state = state;
  Q_EMIT stateChanged();
}

QString insightsProgressText(const InsightsSource& source) {
  const engine::Progress& progress = source.progress();
  if (progress.activity.empty()) return u"Looking for waste and leaks"_s;
  return u"Looking for waste and leaks, %1%"_s.arg(static_cast<int>(progress.fraction * 100));
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "insight/insight.h"

namespace heapscape::gui {

/// Subject of several insights together.
struct JoinedInsights {
  std::string title;
  std::vector<std::uint32_t> ids;  // ObjectIds, ascending
};

/// Insights found, and which are about what.
struct FoundInsights {
  engine::InsightList list;
  std::uint64_t heapBytes = 0;        // with the free blocks between objects: what shares of waste are of
  engine::RetainedTotals reach = {};  // what retained sizes are a part of
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> about;  // indices by address of a type or an object
  std::map<InsightKey, JoinedInsights> joined = {};                     // of actions that several insights are of

  /// Insights of this object, or else of this type.
  std::vector<std::uint32_t> of(engine::Address object, engine::Address methodTable) const;
  /// The index of an insight; nothing if it is no longer among them.
  std::optional<std::uint32_t> find(const InsightKey& key) const;
  /// All objects of an insight or an action; null if it is no longer among them.
  const std::vector<std::uint32_t>* objectsOf(const InsightKey& key) const;
  /// Title of an insight; empty if it is no longer among them.
  std::string titleOf(const InsightKey& key) const;
};

InsightKey keyOf(const engine::Insight& insight);
InsightKey keyOf(const engine::InsightList& list, const engine::InsightAction& action);
/// Goes to an insight, with its type or else its first object picked.
void showInsight(Navigator& navigator, const engine::Insight& insight);
FoundInsights indexed(engine::InsightList list, std::uint64_t heapBytes, const engine::RetainedTotals& reach = {});

enum class InsightsState { Waiting, Computing, Ready, Stopped, Failed };

/// The insights into the open dump, looked for once for all who show them: as soon as it is known who holds what, and
/// again when other roots change that.
class InsightsSource : public QObject {
  Q_OBJECT

 public:
  /// The one of a bridge; it lives as long as the bridge does.
  static InsightsSource& of(EngineBridge& bridge);

  InsightsState state() const { return m_state; }
  /// Whom it waits for, and who can be asked to go on.
  EngineBridge& bridge() const { return m_bridge; }
  /// Null unless ready. May be kept and read from any thread.
  const std::shared_ptr<const FoundInsights>& found() const { return m_found; }
  const engine::Progress& progress() const { return m_progress; }
  /// Only if it failed.
  const std::optional<engine::Error>& error() const { return m_error; }

  /// Looks again, from the beginning.
  void look();
  /// Asks again: if there was not enough memory the last time, it is tried all the same.
  void lookAnyway();
  /// Whether it failed because it would take more memory than is free.
  bool lacksMemory() const { return m_error && m_error->code == engine::ErrorCode::NotEnoughMemory; }
  void stop();

 Q_SIGNALS:
  void stateChanged();
  void progressed();

 private:
  explicit InsightsSource(EngineBridge& bridge);
  void look(const engine::InsightOptions& options);
  void drop();
  void setState(InsightsState state);

  EngineBridge& m_bridge;
  InsightsState m_state = InsightsState::Waiting;
  std::shared_ptr<const FoundInsights> m_found;
  engine::Progress m_progress;
  std::optional<engine::Error> m_error;
};

/// "Looking for waste and leaks, 40%".
QString insightsProgressText(const InsightsSource& source);

}  // namespace heapscape::gui

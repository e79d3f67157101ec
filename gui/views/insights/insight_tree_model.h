// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "bridge/engine_bridge.h"
#include "insight/insight.h"
#include "models/insights_source.h"
#include "models/names/insight_text.h"
#include "models/trees/tree_model.h"

namespace heapscape::gui {

enum class InsightColumn : int { Title, Bytes, Objects, Subject, Owner };
inline constexpr int kInsightColumns = 5;

/// The ways to put insights together.
enum class InsightGrouping : int { Kind, Owner, Type, Namespace };
inline constexpr int kInsightGroupings = 4;
/// "Kind", "Held by", "Type", "Namespace".
QString insightGroupingText(InsightGrouping grouping);

/// A question for insights: which to list, and in what order.
struct InsightQuestion {
  QString text = {};                               // in kind, title, subject, contents or owner, in any case
  std::set<engine::InsightMeaning> meanings = {};  // only these; empty for all
  std::optional<engine::InsightKind> kind = {};    // only this; nothing for all
  bool includesFramework = false;                  // those that the framework alone holds, too
  InsightGrouping grouping = InsightGrouping::Kind;
  InsightColumn sortColumn = InsightColumn::Bytes;
  bool descending = true;
};

/// Insights that mean the same, and are of one kind, or of one owner, type or namespace.
struct InsightGroup {
  InsightGrouping grouping = InsightGrouping::Kind;
  QString key = {};                                         // tells groups that mean the same apart
  engine::InsightKind kind = engine::InsightKind::Suspect;  // by Kind
  engine::InsightMeaning meaning = engine::InsightMeaning::Waste;
  std::uint64_t bytes = 0;        // of its insights, without what earlier kinds count already
  std::uint64_t sharedBytes = 0;  // these: in the sums of other groups
  std::uint64_t objects = 0;
  std::vector<std::uint32_t> insights = {};  // indices, in display order
};

/// "1,100 texts, 15,000 strings"; "Zoo.Order: 3 insights".
QString insightGroupText(const InsightGroup& group);

struct InsightTable {
  /// As the insights in them are sorted: by bytes those that could be saved first, then what is merely held.
  std::vector<InsightGroup> groups;
  std::uint64_t listed = 0;  // insights in the groups
};

/// The key of the group of a kind.
QString insightGroupKey(engine::InsightKind kind);

/// The objects of all its insights: ObjectIds, ascending.
std::vector<std::uint32_t> objectsOf(const InsightGroup& group, const FoundInsights& found);

/// Nothing if it was stopped.
std::optional<InsightTable> groupInsights(const FoundInsights& found, const InsightQuestion& question,
                                          std::stop_token stop);

/// How many insights there are to choose from.
struct InsightCounts {
  std::array<std::uint64_t, 3> meanings{};           // index: engine::InsightMeaning
  std::array<std::uint64_t, kInsightKinds> kinds{};  // index: engine::InsightKind
};
InsightCounts countInsights(const FoundInsights& found, bool includesFramework);

/// Whether an insight is about objects, rather than gaps or nothing that could be listed.
bool hasSetOfObjects(const engine::Insight& insight);

/// Takes the objects of an insight as a set; its name. See PickedSets.
QString setOfInsight(EngineBridge& bridge, const engine::Insight& insight);

/// A line of InsightTreeModel: a group, or one of its insights.
struct InsightLine {
  const InsightGroup* group = nullptr;
  std::optional<std::uint32_t> insight = {};  // nothing for the group itself
  InsightLine* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<InsightLine>> children = {};
};

/// Insights below the kind they belong to.
class InsightTreeModel : public TreeModelOf<InsightLine> {
  Q_OBJECT

 public:
  explicit InsightTreeModel(QObject* parent = nullptr);

  /// `found` is null to show nothing.
  void show(std::shared_ptr<const FoundInsights> found, InsightTable table);
  const InsightTable& table() const { return m_table; }

  /// Nothing for a group.
  std::optional<std::uint32_t> insightAt(const QModelIndex& index) const { return nodeOf(index).insight; }
  const engine::Insight* at(const QModelIndex& index) const;
  QModelIndex indexOf(std::uint32_t insight) const;

 private:
  const InsightLine* top() const override { return &m_top; }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant groupData(const InsightGroup& group, InsightColumn column, int role) const;
  QVariant insightData(const engine::Insight& insight, InsightColumn column, int role) const;

  std::shared_ptr<const FoundInsights> m_found;
  InsightTable m_table;
  InsightLine m_top;
  std::uint64_t m_mostBytes = 0;  // of an insight or a group: what bars are as long as
};

}  // namespace heapscape::gui

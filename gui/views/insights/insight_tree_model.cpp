// SPDX-License-Identifier: MIT
#include "views/insights/insight_tree_model.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <map>
#include <utility>

#include "insight/insight_groups.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/rows/picked_sets.h"
#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr std::uint32_t kStopStep = 4096;

bool contains(const std::string& text, const QString& part) {
  return fromEngine(text).contains(part, Qt::CaseInsensitive);
}

bool fits(const engine::Insight& insight, const InsightQuestion& question) {
  if (insight.isFramework && !question.includesFramework) return false;
  if (!question.meanings.empty() && !question.meanings.contains(insight.meaning)) return false;
  if (question.kind && question.kind != insight.kind) return false;
  if (question.text.isEmpty()) return true;
  if (insightKindText(insight.kind).contains(question.text, Qt::CaseInsensitive)) return true;
  for (const std::string* text : {&insight.title, &insight.subject, &insight.contents}) {
    if (contains(*text, question.text)) return true;
  }
  return std::ranges::any_of(insight.owners,
                             [&](const engine::InsightOwner& owner) { return contains(owner.name, question.text); });
}

template <class Key, class KeyOf>
void sortBy(std::vector<std::uint32_t>& rows, bool descending, const KeyOf& keyOf) {
  std::vector<std::pair<Key, std::uint32_t>> keyed;
  keyed.reserve(rows.size());
  for (const std::uint32_t row : rows) keyed.emplace_back(keyOf(row), row);
  std::ranges::stable_sort(keyed, [descending](const auto& left, const auto& right) {
    return descending ? right.first < left.first : left.first < right.first;
  });
  std::ranges::transform(keyed, rows.begin(), [](const auto& pair) { return pair.second; });
}

void sort(std::vector<std::uint32_t>& rows, const std::vector<engine::Insight>& insights,
          const InsightQuestion& question) {
  const auto byWords = [&](const auto& words) {
    sortBy<QString>(rows, question.descending,
                    [&](std::uint32_t row) { return QString(words(insights[row])).toCaseFolded(); });
  };
  switch (question.sortColumn) {
    case InsightColumn::Title:
      byWords([](const engine::Insight& insight) { return fromEngine(insight.title); });
      return;
    case InsightColumn::Subject:
      byWords(insightSubject);
      return;
    case InsightColumn::Owner:
      byWords([](const engine::Insight& insight) {
        return insight.owners.empty() ? QString() : fromEngine(insight.owners.front().name);
      });
      return;
    case InsightColumn::Objects:
      sortBy<std::uint64_t>(rows, question.descending, [&](std::uint32_t row) { return insights[row].objects; });
      return;
    case InsightColumn::Bytes:
      break;
  }
  sortBy<std::uint64_t>(rows, question.descending, [&](std::uint32_t row) { return insights[row].bytes; });
}

// By their figures as the insights are; these sorted by words, the most bytes first.
void sort(std::vector<InsightGroup>& groups, const InsightQuestion& question) {
  const bool isByObjects = question.sortColumn == InsightColumn::Objects;
  const bool isByFigures = isByObjects || question.sortColumn == InsightColumn::Bytes;
  const auto figureOf = [&](const InsightGroup& group) { return isByObjects ? group.objects : group.bytes; };
  std::ranges::stable_sort(groups, [&](const InsightGroup& left, const InsightGroup& right) {
    return question.descending || !isByFigures ? figureOf(right) < figureOf(left) : figureOf(left) < figureOf(right);
  });
  // What is merely held is nothing to save.
  std::ranges::stable_partition(
      groups, [](const InsightGroup& group) { return group.meaning != engine::InsightMeaning::Held; });
}

// Subject where that is a type; what holds it, as a list has one owner.
QString keyOf(const engine::Insight& insight, InsightGrouping grouping) {
  const bool hasType = isAboutType(insight);
  switch (grouping) {
    case InsightGrouping::Owner:
      return insight.owners.empty() ? u"nobody known"_s : givenNameText(insight.owners.front().name);
    case InsightGrouping::Type:
      return hasType ? insightSubject(insight) : u"no one type"_s;
    case InsightGrouping::Namespace: {
      if (!hasType) return u"no one type"_s;
      const QString name = fromEngine(std::string(engine::namespaceOf(insight.subject)));
      return name.isEmpty() ? u"without namespace"_s : name;
    }
    case InsightGrouping::Kind:
      break;
  }
  return insightGroupKey(insight.kind);
}

using engine::Insight;

QString ownerText(const Insight& insight) {
  if (insight.owners.empty()) return {};
  const QString first = givenNameText(insight.owners.front().name);
  const std::size_t more = insight.owners.size() - 1;
  return more == 0 ? first : u"%1 and %2 more"_s.arg(first, countText(more));
}

// Objects have a column of their own. What the lines below add up to is more where other groups count some of it.
QString groupTitle(const InsightGroup& group) {
  const QString title =
      group.grouping != InsightGrouping::Kind
          ? insightGroupText(group)
          : u"%1 · %2"_s.arg(insightKindText(group.kind),
                             fromEngine(engine::insightGroupTitle(group.kind, group.insights.size(), 0)));
  return group.sharedBytes == 0 ? title : u"%1 · %2 shared"_s.arg(title, bytesText(group.sharedBytes));
}

QString cellText(const Insight& insight, InsightColumn column) {
  switch (column) {
    case InsightColumn::Title:
      return shortInsightTitle(insight);
    case InsightColumn::Bytes:
      return insightBytesText(insight);
    case InsightColumn::Objects:
      return insight.objects == 0 ? QString() : countText(insight.objects);
    case InsightColumn::Subject:
      return insightSubject(insight);
    case InsightColumn::Owner:
      break;
  }
  return ownerText(insight);
}

QVariant plainOf(const Insight& insight, InsightColumn column) {
  if (column == InsightColumn::Bytes) return QString::number(insight.bytes);
  if (column == InsightColumn::Objects) return QString::number(insight.objects);
  if (column == InsightColumn::Title) return fromEngine(insight.title);
  return cellText(insight, column);
}

QVariant tipOf(const Insight& insight, InsightColumn column) {
  if (column == InsightColumn::Bytes) return insightBytesTip(insight);
  QString tip = plainOf(insight, column).toString();
  if (column == InsightColumn::Title && insight.isFramework)
    tip += QLatin1Char('\n') + u"Only .NET's own types hold it: not yours to change."_s;
  return tip;
}

}  // namespace

QString insightGroupingText(InsightGrouping grouping) {
  switch (grouping) {
    case InsightGrouping::Kind:
      return u"Kind"_s;
    case InsightGrouping::Owner:
      return u"Held by"_s;
    case InsightGrouping::Type:
      return u"Type"_s;
    case InsightGrouping::Namespace:
      break;
  }
  return u"Namespace"_s;
}

QString insightGroupKey(engine::InsightKind kind) {
  return u"%1"_s.arg(static_cast<int>(kind), 3, 10, QLatin1Char('0'));
}

std::vector<std::uint32_t> objectsOf(const InsightGroup& group, const FoundInsights& found) {
  std::vector<std::uint32_t> objects;
  for (const std::uint32_t row : group.insights) {
    const engine::Insight& insight = found.list.insights[row];
    if (insight.kind != engine::InsightKind::Fragmentation)
      objects.insert(objects.end(), insight.ids.begin(), insight.ids.end());
  }
  std::ranges::sort(objects);
  objects.erase(std::ranges::unique(objects).begin(), objects.end());
  return objects;
}

std::optional<InsightTable> groupInsights(const FoundInsights& found, const InsightQuestion& question,
                                          std::stop_token stop) {
  std::map<std::pair<engine::InsightMeaning, QString>, InsightGroup> groups;
  InsightTable table;
  const std::vector<engine::Insight>& insights = found.list.insights;
  for (std::uint32_t row = 0; row < insights.size(); ++row) {
    if (row % kStopStep == 0 && stop.stop_requested()) return std::nullopt;
    const engine::Insight& insight = insights[row];
    if (!fits(insight, question)) continue;
    const QString key = keyOf(insight, question.grouping);
    InsightGroup& group = groups[{insight.meaning, key}];
    group.grouping = question.grouping;
    group.key = key;
    group.kind = insight.kind;
    group.meaning = insight.meaning;
    group.bytes += ownBytes(insight);
    group.sharedBytes += insight.bytes - ownBytes(insight);
    group.objects += insight.objects;
    group.insights.push_back(row);
    ++table.listed;
  }
  for (auto& [key, group] : groups) {
    if (stop.stop_requested()) return std::nullopt;
    sort(group.insights, insights, question);
    table.groups.push_back(std::move(group));
  }
  sort(table.groups, question);
  return table;
}

QString insightGroupText(const InsightGroup& group) {
  if (group.grouping != InsightGrouping::Kind)
    return u"%1: %2"_s.arg(group.key, countedText(group.insights.size(), u"insight"_s));
  return fromEngine(engine::insightGroupTitle(group.kind, group.insights.size(), group.objects));
}

InsightCounts countInsights(const FoundInsights& found, bool includesFramework) {
  InsightCounts counts;
  for (const engine::Insight& insight : found.list.insights) {
    if (insight.isFramework && !includesFramework) continue;
    ++counts.meanings[static_cast<std::size_t>(insight.meaning)];
    ++counts.kinds[static_cast<std::size_t>(insight.kind)];
  }
  return counts;
}

bool hasSetOfObjects(const engine::Insight& insight) {
  return !insight.ids.empty() && insight.kind != engine::InsightKind::Fragmentation;
}

QString setOfInsight(EngineBridge& bridge, const engine::Insight& insight) {
  return PickedSets::of(bridge).add(insight.ids, shortInsightTitle(insight));
}

InsightTreeModel::InsightTreeModel(QObject* parent)
    : TreeModelOf({{u"Insight"_s, u"What costs memory"_s},
                   {u"Bytes"_s, u"What the heap would shrink by"_s, TreeColumn::Look::Figure},
                   {u"Objects"_s, u"How many objects it is about"_s, TreeColumn::Look::Figure},
                   {u"About"_s, u"The type, the member or the text"_s},
                   {u"Held by"_s, u"Who holds most of it"_s}},
                  parent) {}

void InsightTreeModel::show(std::shared_ptr<const FoundInsights> found, InsightTable table) {
  beginResetModel();
  m_found = std::move(found);
  m_table = m_found ? std::move(table) : InsightTable();
  m_mostBytes = 0;
  m_top.children.clear();
  for (const InsightGroup& group : m_table.groups) {
    InsightLine& line = append(m_top, {.group = &group});
    m_mostBytes = std::max(m_mostBytes, group.bytes);
    for (const std::uint32_t row : group.insights) {
      append(line, {.group = &group, .insight = row});
      m_mostBytes = std::max(m_mostBytes, m_found->list.insights[row].bytes);
    }
  }
  endResetModel();
}

const Insight* InsightTreeModel::at(const QModelIndex& index) const {
  const std::optional<std::uint32_t> insight = insightAt(index);
  return insight ? &m_found->list.insights[*insight] : nullptr;
}

QModelIndex InsightTreeModel::indexOf(std::uint32_t insight) const {
  for (const auto& group : m_top.children) {
    const auto line = std::ranges::find(group->children, insight, [](const auto& each) { return each->insight; });
    if (line != group->children.end()) return TreeModelOf::indexOf(**line);
  }
  return {};
}

QVariant InsightTreeModel::cell(const QModelIndex& index, int role) const {
  const auto column = static_cast<InsightColumn>(index.column());
  const Insight* insight = at(index);
  return insight ? insightData(*insight, column, role) : groupData(*nodeOf(index).group, column, role);
}

QVariant InsightTreeModel::groupData(const InsightGroup& group, InsightColumn column, int role) const {
  const bool isBytes = column == InsightColumn::Bytes;
  switch (role) {
    case Qt::DisplayRole:
      if (column == InsightColumn::Title) return groupTitle(group);
      if (isBytes) return group.bytes == 0 ? QString() : bytesText(group.bytes);
      if (column == InsightColumn::Subject) return insightMeaningText(group.meaning);
      return column == InsightColumn::Objects && group.objects > 0 ? countText(group.objects) : QVariant();
    case Qt::ToolTipRole:
      if (isBytes && group.bytes > 0)
        return group.sharedBytes == 0
                   ? u"%1 together, no byte counted twice"_s.arg(exactBytesText(group.bytes))
                   : u"%1 together, no byte counted twice: %2 more of these insights are in the sums of other groups"_s
                         .arg(exactBytesText(group.bytes), exactBytesText(group.sharedBytes));
      if (column == InsightColumn::Subject) return insightMeaningTip(group.meaning);
      return group.grouping == InsightGrouping::Kind ? insightKindTip(group.kind) : group.key;
    case Qt::FontRole: {
      QFont font = QGuiApplication::font();
      font.setWeight(QFont::DemiBold);
      return column == InsightColumn::Subject ? QVariant() : QVariant(font);
    }
    case Qt::ForegroundRole:
      return column == InsightColumn::Subject ? QVariant(Colours(QGuiApplication::palette()).dimmedText()) : QVariant();
    case kShareRole:
      return isBytes ? QVariant(shareOfWhole(group.bytes, m_mostBytes)) : QVariant();
    case kPlainRole:
      if (isBytes) return QString::number(group.bytes);
      return column == InsightColumn::Objects ? QVariant(QString::number(group.objects)) : QVariant();
    default:
      return {};
  }
}

QVariant InsightTreeModel::insightData(const Insight& insight, InsightColumn column, int role) const {
  const bool isName = column == InsightColumn::Subject && isAboutType(insight);
  switch (role) {
    case Qt::DisplayRole:
      return cellText(insight, column);
    case Qt::ToolTipRole:
      return tipOf(insight, column);
    case Qt::ForegroundRole:
      return insight.isFramework ? QVariant(Colours(QGuiApplication::palette()).dimmedText()) : QVariant();
    case kShareRole:
      return column == InsightColumn::Bytes ? QVariant(shareOfWhole(insight.bytes, m_mostBytes)) : QVariant();
    case kPlainRole:
      return plainOf(insight, column);
    case kDimmedPrefixRole:
    case kShortNameRole:
      return isName ? typeNameData(insight.subject, role) : QVariant();
    default:
      return {};
  }
}

}  // namespace heapscape::gui

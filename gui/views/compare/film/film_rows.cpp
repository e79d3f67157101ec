// SPDX-License-Identifier: MIT
#include "views/compare/film/film_rows.h"

#include <QFileInfo>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "insight/comparison/matching.h"
#include "insight/trend/trend_tables.h"
#include "models/cells/item_painting.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr double kDotRadius = 2;
constexpr double kVerticalMargin = 5;

using engine::InsightTrend;
using engine::OwnerTrend;
using engine::RootTrend;
using engine::TrendSeries;
using engine::TrendVerdict;
using engine::TypeTrend;

/// Finds what rows are about in the dump that is open.
class OpenDumpLinks {
 public:
  explicit OpenDumpLinks(const engine::Snapshot& open) {
    for (const engine::TypeRow& row : open.types())
      if (!row.isFree) m_types[row.name].push_back({row.assembly, row.methodTable});
    for (const engine::RootRow& root : open.roots().roots) {
      const auto [known, isNew] = m_roots.try_emplace(root.name, root.object);
      if (!isNew) known->second = {};  // of several roots none is the one
    }
  }

  /// A type of .NET may have moved to another of its assemblies.
  engine::Address type(const std::string& name, const std::string& assembly) const {
    const auto found = m_types.find(name);
    if (found == m_types.end()) return {};
    for (const auto& [place, methodTable] : found->second)
      if (place == assembly) return methodTable;
    const bool hasMoved = found->second.size() == 1 && engine::mayHaveMoved(assembly, found->second.front().first);
    return hasMoved ? found->second.front().second : engine::Address{};
  }
  /// A type whose assembly is not known: only if there is one of that name.
  engine::Address typeNamed(const std::string& name) const {
    const auto found = m_types.find(name);
    return found != m_types.end() && found->second.size() == 1 ? found->second.front().second : engine::Address{};
  }
  /// The object of a root, or the type of those that roots of a kind lead to.
  RowLink root(const std::string& name) const {
    constexpr std::string_view kLeadsTo = " → ";
    if (const std::size_t arrow = name.find(kLeadsTo); arrow != std::string::npos)
      return {{}, typeNamed(name.substr(arrow + kLeadsTo.size()))};
    const auto found = m_roots.find(name);
    return found == m_roots.end() ? RowLink{} : RowLink{found->second, {}};
  }

 private:
  std::unordered_map<std::string, std::vector<std::pair<std::string, engine::Address>>> m_types;
  std::unordered_map<std::string, engine::Address> m_roots;
};
using Links = std::shared_ptr<const OpenDumpLinks>;

/// The names of the dumps, for what is said of single figures.
using DumpNames = std::shared_ptr<const QStringList>;

/// "before.core: 1,000 objects, 104,000 bytes", a line for each dump.
QString figuresText(const TrendSeries& series, const DumpNames& names, const QString& counted) {
  QStringList lines;
  for (std::size_t i = 0; i < series.bytes.size(); ++i) {
    const QString name = names && static_cast<qsizetype>(i) < names->size() ? names->at(static_cast<qsizetype>(i))
                                                                            : QString::number(i + 1);
    const bool isThere = series.bytes[i] || series.counts[i];
    lines << u"%1: %2"_s.arg(
        name, isThere ? u"%1 %2, %3"_s.arg(countText(series.counts[i]), counted, exactBytesText(series.bytes[i]))
                      : u"none"_s);
  }
  return lines.join(QLatin1Char('\n'));
}

QString verdictTip(TrendVerdict verdict) {
  switch (verdict) {
    case TrendVerdict::GrowsSteadily:
      return u"Never falls from dump to dump, and grows in more than one step"_s;
    case TrendVerdict::GrewOnce:
      return u"Never falls, and nine tenths of its growth are one step"_s;
    case TrendVerdict::New:
      return u"Not in the first dump, and as much as in the last one as soon as it is there"_s;
    case TrendVerdict::ComesAndGoes:
      return u"Rises and falls from dump to dump"_s;
    case TrendVerdict::Level:
      return u"The same in all dumps, within one percent"_s;
    case TrendVerdict::Shrinks:
      return u"Never rises, and is less in the end"_s;
  }
  return {};
}

template <class Row>
QString detailOf(const Row& row, const DumpNames& names, const QString& counted) {
  return u"%1\n%2"_s.arg(figuresText(row.series, names, counted), verdictTip(row.series.verdict));
}

QVariant sparklineData(const TrendSeries& series, int role) {
  if (role == kGrowsSteadilyRole) return series.verdict == TrendVerdict::GrowsSteadily;
  if (role != kSparklineRole) return {};
  const std::vector<std::uint64_t>& values = series.judged();
  return QVariant::fromValue(QList<quint64>(values.begin(), values.end()));
}

/// The columns that all lists of a film have, behind their name.
template <class Row>
void addSeries(RowSchema<Row>& schema, const DumpNames& names, const QString& counted) {
  const auto detail = [names, counted](const Row& row) { return detailOf(row, names, counted); };
  schema.columns.push_back({.setup = {.field = "trend", .letters = 16, .holdsContents = false},
                            .detail = detail,
                            .more = [detail](const Row& row, int role) {
                              return role == Qt::AccessibleTextRole ? QVariant(detail(row))
                                                                    : sparklineData(row.series, role);
                            }});
  schema.columns.push_back(
      {.setup = {.field = "verdict", .letters = 19},
       .words = [](const Row& row) { return verdictText(row.series.verdict); },
       .detail = [](const Row& row) { return verdictTip(row.series.verdict); },
       .isWarning = [](const Row& row) { return row.series.verdict == TrendVerdict::GrowsSteadily; }});
  schema.columns.push_back({.setup = {.field = "slope", .letters = 11, .bar = ColumnBar::Plain}, .detail = detail});
  schema.columns.push_back({.setup = {.field = "first", .letters = 10}});
  schema.columns.push_back({.setup = {.field = "last", .letters = 10}});
  schema.columns.push_back({.setup = {.field = "growth", .letters = 10}});
  for (const TrendVerdict verdict : {TrendVerdict::GrowsSteadily, TrendVerdict::GrewOnce, TrendVerdict::New,
                                     TrendVerdict::ComesAndGoes, TrendVerdict::Level, TrendVerdict::Shrinks}) {
    QString name = verdictText(verdict);
    name[0] = name[0].toUpper();
    schema.kinds.push_back({.name = name, .tip = verdictTip(verdict)});
  }
  schema.kindOf = [](const Row& row) { return static_cast<std::size_t>(row.series.verdict); };
}

RowSchema<TypeTrend> typeSchema(const Links& links, const DumpNames& names) {
  RowSchema<TypeTrend> schema{.table = &engine::typeTrendsTable()};
  schema.columns.push_back(
      {.setup = {.field = "type", .letters = 28, .stretches = true},
       .type =
           [links](const TypeTrend& type) {
             return links && !type.isFree ? links->type(type.name, type.assembly) : engine::Address{};
           },
       .detail = [](const TypeTrend& type) { return linesFromEngine(type.name + "\n" + type.assembly); }});
  addSeries(schema, names, u"objects"_s);
  return schema;
}

template <class Row>
RowColumn<Row> rootColumn(std::function<RowLink(const Row&)> link) {
  return {.setup = {.field = "name", .letters = 28, .stretches = true},
          .words = [](const Row& row) { return givenNameText(row.name); },
          .object = [link](const Row& row) { return link(row).object; },
          .type = [link](const Row& row) { return link(row).methodTable; }};
}

RowSchema<OwnerTrend> ownerSchema(const Links& links, const DumpNames& names) {
  RowSchema<OwnerTrend> schema{.table = &engine::ownerTrendsTable()};
  schema.columns.push_back(rootColumn<OwnerTrend>([links](const OwnerTrend& owner) {
    if (!links) return RowLink{};
    return owner.kind == engine::InsightOwner::Kind::Type ? RowLink{{}, links->typeNamed(owner.name)}
                                                          : links->root(owner.name);
  }));
  addSeries(schema, names, u"objects"_s);
  schema.columns.push_back({.setup = {.field = "kind", .letters = 10}});
  return schema;
}

RowSchema<RootTrend> rootSchema(const Links& links, const DumpNames& names) {
  RowSchema<RootTrend> schema{.table = &engine::rootTrendsTable()};
  schema.columns.push_back(
      rootColumn<RootTrend>([links](const RootTrend& root) { return links ? links->root(root.name) : RowLink{}; }));
  addSeries(schema, names, u"roots"_s);
  schema.columns.push_back({.setup = {.field = "kind", .letters = 14}});
  return schema;
}

RowSchema<InsightTrend> insightSchema(const Links& links, const DumpNames& names) {
  RowSchema<InsightTrend> schema{.table = &engine::insightTrendsTable()};
  schema.columns.push_back(
      {.setup = {.field = "title", .letters = 28, .stretches = true}, .type = [links](const InsightTrend& insight) {
         return links ? links->typeNamed(insight.subject) : engine::Address{};
       }});
  schema.columns.push_back({.setup = {.field = "contents", .letters = 12}});
  addSeries(schema, names, u"objects"_s);
  return schema.only({"title", "contents", "trend", "verdict", "slope", "first", "last"});
}

}  // namespace

std::vector<QPointF> sparklinePoints(std::span<const std::uint64_t> values, const QRectF& area) {
  std::vector<QPointF> points;
  if (values.empty()) return points;
  const auto most = static_cast<double>(std::max<std::uint64_t>(1, std::ranges::max(values)));
  const double step = values.size() > 1 ? area.width() / static_cast<double>(values.size() - 1) : 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    points.emplace_back(area.left() + step * static_cast<double>(i),
                        area.bottom() - area.height() * static_cast<double>(values[i]) / most);
  return points;
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  paintItemWithoutText(painter, item);
  const auto series = index.data(kSparklineRole).value<QList<quint64>>();
  const std::vector<std::uint64_t> values(series.begin(), series.end());
  const QRectF area = QRectF(item.rect).adjusted(kItemMargin + kDotRadius, kVerticalMargin, -kItemMargin - kDotRadius,
                                                 -kVerticalMargin);
  const std::vector<QPointF> points = sparklinePoints(values, area);
  if (points.empty()) return;
  const Colours colours(item.palette);
  const bool isGrowing = index.data(kGrowsSteadilyRole).toBool();
  const QColor line = isSelected(item) ? itemTextColour(item)
                      : isGrowing      ? colours.warning()
                                       : dimmedItemTextColour(item);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (!(item.state & QStyle::State_Enabled)) painter->setOpacity(0.4);
  QPolygonF below(QList<QPointF>(points.begin(), points.end()));
  below << QPointF(points.back().x(), area.bottom()) << QPointF(points.front().x(), area.bottom());
  QColor fill = line;
  fill.setAlphaF(0.15F);
  painter->setPen(Qt::NoPen);
  painter->setBrush(fill);
  painter->drawPolygon(below);
  painter->setPen(QPen(line, isGrowing ? 2 : 1.2));
  painter->drawPolyline(QPolygonF(QList<QPointF>(points.begin(), points.end())));
  painter->setPen(Qt::NoPen);
  painter->setBrush(line);
  painter->drawEllipse(points.back(), kDotRadius, kDotRadius);
  painter->restore();
}

QString verdictText(TrendVerdict verdict) {
  switch (verdict) {
    case TrendVerdict::GrowsSteadily:
      return u"grows steadily"_s;
    case TrendVerdict::GrewOnce:
      return u"grew once"_s;
    case TrendVerdict::New:
      return u"new"_s;
    case TrendVerdict::ComesAndGoes:
      return u"fluctuates"_s;
    case TrendVerdict::Level:
      return u"unchanged"_s;
    case TrendVerdict::Shrinks:
      return u"shrinks"_s;
  }
  return {};
}

std::vector<ColumnSetup> typeTrendColumns() {
  return typeSchema(nullptr, nullptr).setups();
}
std::vector<ColumnSetup> ownerTrendColumns() {
  return ownerSchema(nullptr, nullptr).setups();
}
std::vector<ColumnSetup> rootTrendColumns() {
  return rootSchema(nullptr, nullptr).setups();
}
std::vector<ColumnSetup> insightTrendColumns() {
  return insightSchema(nullptr, nullptr).setups();
}

std::shared_ptr<const FilmRows> filmRowsOf(const engine::Snapshot& open, std::span<const engine::SampledDump> film) {
  auto rows = std::make_shared<FilmRows>();
  rows->trend = engine::trendOf(film);
  QStringList paths;
  for (const engine::TrendDump& dump : rows->trend.dumps) paths << QFileInfo(fromEngine(dump.path)).fileName();
  const auto names = std::make_shared<const QStringList>(paths);
  const auto links = std::make_shared<const OpenDumpLinks>(open);
  rows->types = makeRowList(std::move(rows->trend.types), typeSchema(links, names), rows->trend.findings);
  rows->owners = makeRowList(std::move(rows->trend.owners), ownerSchema(links, names));
  rows->roots = makeRowList(std::move(rows->trend.roots), rootSchema(links, names));
  rows->insights = makeRowList(std::move(rows->trend.insights), insightSchema(links, names));
  return rows;
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/insights/insight_detail.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "insight/code_example.h"
#include "insight/insight_tables.h"
#include "models/cells/item_painting.h"
#include "models/names/insight_text.h"
#include "models/rows/header_columns.h"
#include "models/rows/row_links.h"
#include "models/rows/row_objects.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "session/references/cuts.h"
#include "session/types/type_owner.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/fact_list.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

using engine::Insight;
using engine::InsightKind;
using engine::InsightMeaning;

// One who holds what an insight is about; its bytes, and their share of all that is held.
BarLine lineOf(const engine::Insight& insight, std::uint64_t largestBytes) {
  const QString contents = insight.contents.empty() ? QString() : QLatin1Char(' ') + insightContents(insight);
  const QString title = shortInsightTitle(insight) + contents;
  BarLine line{.form = RowForm::Owner,
               .text = title,
               .figures = {{.text = insight.bytes > 0 ? bytesText(insight.bytes) : QString(), .room = u"88,888 KB"_s}},
               .tip = u"%1\n%2"_s.arg(fromEngine(insight.title), countedText(insight.objects, u"object"_s)),
               .spoken = u"%1: %2"_s.arg(title, bytesText(insight.bytes))};
  if (largestBytes > 0) line.share = static_cast<double>(insight.bytes) / static_cast<double>(largestBytes);
  return line;
}

BarLine lineOf(const engine::InsightOwner& owner, std::uint64_t wholeBytes) {
  const QString name = fromEngine(owner.name);
  const QString bytes = owner.bytes > 0 ? bytesText(owner.bytes) : QString();
  BarLine line{
      .form = RowForm::Owner,
      .text = name,
      .figures = {{.text = bytes, .room = u"88,888 KB"_s}, {.text = countText(owner.objects), .isDimmed = true}},
      .spoken = u"%1: %2"_s.arg(name, bytes),
      .leads = owner.object || owner.methodTable};
  line.tip = u"%1\n%2, %3"_s.arg(name, countedText(owner.objects, u"object"_s), exactBytesText(owner.bytes));
  if (wholeBytes > 0) {
    const std::uint64_t part = std::min(owner.bytes, wholeBytes);
    line.share = static_cast<double>(part) / static_cast<double>(wholeBytes);
    line.tip += u", %1 of it"_s.arg(percentText(part, wholeBytes));
  }
  return line;
}

constexpr int kInsightDetailMargin = 16;
constexpr std::size_t kMostOfGroup = 10;

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

// Shares of waste are of the heap, those of what would be freed or is retained of what is live.
QString costText(InsightMeaning meaning, std::uint64_t count, const FoundInsights& found) {
  if (count == 0) return u"Costs time rather than bytes."_s;
  const QString bytes = exactBytesText(count);
  const std::uint64_t whole = meaning == InsightMeaning::Waste ? found.heapBytes : found.reach.reachableBytes;
  const QString share = percentText(std::min(count, whole), whole);
  switch (meaning) {
    case InsightMeaning::Waste:
      return u"The heap would shrink by %1, %2 of it."_s.arg(bytes, share);
    case InsightMeaning::Leak:
      return u"%1 would be freed, %2 of what is live."_s.arg(bytes, share);
    case InsightMeaning::Held:
      break;
  }
  return u"%1 are retained, %2 of what is live."_s.arg(bytes, share);
}

bool isAboutLayout(InsightKind kind) {
  return kind == InsightKind::PaddingWaste || kind == InsightKind::SmallObjects ||
         kind == InsightKind::SingleFieldWrappers || kind == InsightKind::BoxedValues;
}

}  // namespace

RowSchema<engine::InsightItem> insightItemSchema(engine::InsightKind kind) {
  using engine::InsightItem;
  const bool isGap = kind == engine::InsightKind::Fragmentation;
  RowSchema<InsightItem> schema{.table = &engine::insightItemsTable()};
  schema.columns.push_back(
      {.setup = {.field = "address", .title = isGap ? u"Free object"_s : u"Object"_s}, .object = &InsightItem::object});
  schema.columns.push_back({.setup = {.field = "bytes", .bar = ColumnBar::Plain}});
  schema.columns.push_back({.setup = {.field = "text", .letters = 24, .stretches = true}});
  schema.identity = [](const InsightItem& item) { return item.object; };
  return schema;
}

InsightDetail::InsightDetail(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QScrollArea(parent), m_bridge(bridge), m_navigator(navigator) {
  setObjectName(u"insightDetail"_s);
  setAccessibleName(u"About the insight"_s);
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumSize(fontMetrics().averageCharWidth() * 44, fontMetrics().height() * 10);
}

void InsightDetail::clear() {
  m_found.reset();
  m_items.reset();
  m_table = nullptr;
  delete takeWidget();
}

void InsightDetail::show(std::shared_ptr<const FoundInsights> found, std::uint32_t insight) {
  clear();
  m_found = std::move(found);
  m_insight = insight;
  QVBoxLayout* column = beginBody();
  addHead(column);
  addButtons(column);
  addFacts(column);
  addExample(column, this->insight());
  addPath(column);
  addOwners(column);
  addItems(column);
  column->addStretch(1);
  setWidget(column->parentWidget());
}

QVBoxLayout* InsightDetail::beginBody() {
  auto* column = new QVBoxLayout(new QWidget);
  column->setContentsMargins(kInsightDetailMargin, 12, kInsightDetailMargin, kInsightDetailMargin);
  column->setSpacing(8);
  return column;
}

void InsightDetail::showGroup(const FoundInsights& found, const InsightGroup& group) {
  clear();
  QVBoxLayout* column = beginBody();
  QWidget* body = column->parentWidget();
  auto* title = makeText(insightGroupText(group), body);
  title->setObjectName(u"insightTitle"_s);
  title->setFont(scaledFont(font(), 1.2, QFont::DemiBold));
  auto* cost = makeText(costText(group.meaning, group.bytes, found), body);
  cost->setObjectName(u"insightCost"_s);
  auto* open = new QPushButton(symbolIcon(u"insights"_s), u"List each of them"_s, body);
  open->setObjectName(u"insightOpenGroup"_s);
  connect(open, &QPushButton::clicked, this, [this, key = group.key] { Q_EMIT openWanted(key); });
  const bool isKind = group.grouping == InsightGrouping::Kind;
  const QString what = isKind ? insightKindText(group.kind) : insightGroupingText(group.grouping);
  column->addWidget(makeNote(u"%1 · %2"_s.arg(what, insightMeaningText(group.meaning)), body));
  column->addWidget(title);
  column->addWidget(cost);
  if (isKind) column->addWidget(makeText(insightKindTip(group.kind) + QLatin1Char('.'), body));
  column->addWidget(open, 0, Qt::AlignLeft);
  if (!group.insights.empty()) {
    if (isKind) addExample(column, found.list.insights[group.insights.front()]);
    addInsights(column, found, group);
  }
  column->addStretch(1);
  setWidget(body);
}

void InsightDetail::addInsights(QVBoxLayout* column, const FoundInsights& found, const InsightGroup& group) {
  const std::vector<engine::Insight>& all = found.list.insights;
  std::vector<std::uint32_t> largest = group.insights;
  std::ranges::stable_sort(largest, std::ranges::greater(),
                           [&all](std::uint32_t insight) { return all[insight].bytes; });
  const bool isCut = largest.size() > kMostOfGroup;
  if (isCut) largest.resize(kMostOfGroup);
  QWidget* body = column->parentWidget();
  column->addSpacing(8);
  column->addWidget(
      makeHeading(isCut ? u"The largest %1"_s.arg(countText(largest.size())) : u"All of them"_s, body, 1));
  auto* rows = new QVBoxLayout;
  rows->setSpacing(2);
  for (const std::uint32_t index : largest) {
    const engine::Insight& insight = all[index];
    auto* row = new BarRow(lineOf(insight, all[largest.front()].bytes), body);
    row->setObjectName(u"insightOfGroup%1"_s.arg(rows->count()));
    connect(row, &QAbstractButton::clicked, this, [this, key = keyOf(insight)] {
      m_navigator.showListed(PlaceId::Insights, key, m_navigator.location().selection);
    });
    rows->addWidget(row);
  }
  column->addLayout(rows);
}

QString InsightDetail::packageOf(engine::Address methodTable) const {
  if (!methodTable || !m_bridge.snapshot()) return {};
  const std::vector<engine::TypeRow>& types = m_bridge.snapshot()->types();
  const auto type = std::ranges::find(types, methodTable, &engine::TypeRow::methodTable);
  const bool isPackage =
      type != types.end() && engine::ownerOf(*m_bridge.snapshot(), *type) == engine::CodeOwner::Package;
  return isPackage ? fromEngine(type->assembly) : QString();
}

void InsightDetail::addHead(QVBoxLayout* column) {
  QWidget* body = column->parentWidget();
  auto* kind = makeNote(u"%1 · %2"_s.arg(insightKindText(insight().kind), insightMeaningText(insight().meaning)), body);
  kind->setToolTip(u"%1\n%2"_s.arg(insightKindTip(insight().kind), insightMeaningTip(insight().meaning)));
  auto* title = new WrappedName(body);
  title->setText(fromEngine(insight().title));
  title->setObjectName(u"insightTitle"_s);
  title->setFont(scaledFont(font(), 1.2, QFont::DemiBold));
  column->addWidget(kind);
  column->addWidget(title);
  if (!insight().subject.empty()) {
    auto* subject = new WrappedName(body);
    subject->setText(fromEngine(insight().subject));
    column->addWidget(subject);
  }
  if (!insight().contents.empty()) {
    auto* contents = new WrappedName(body);
    contents->setText(insightContents(insight()));
    contents->setObjectName(u"insightContents"_s);
    contents->setFont(fixedFont(font()));
    column->addWidget(contents);
  }
  QString cost = costText(insight().meaning, insight().bytes, *m_found);
  if (insight().sharedBytes > 0) {
    cost += QLatin1Char(' ') +
            u"Of these, %1 are counted by other insights already."_s.arg(exactBytesText(insight().sharedBytes));
  }
  auto* bytes = makeText(cost, body);
  bytes->setObjectName(u"insightCost"_s);
  column->addWidget(bytes);
  auto* advice = makeText(breakableText(fromEngine(insight().advice)), body);
  advice->setObjectName(u"insightAdvice"_s);
  column->addWidget(advice);
  if (insight().isFramework)
    column->addWidget(makeNote(u"Held by .NET's own types alone: not yours to change."_s, body));
  else if (const QString package = packageOf(insight().methodTable); !package.isEmpty())
    column->addWidget(
        makeNote(u"A type of the package %1: what you can change is how it is used."_s.arg(package), body));
}

Selection InsightDetail::item() const {
  Selection selection;
  selection.methodTable = insight().methodTable;
  if (insight().items.empty()) return selection;
  const QModelIndex current = m_table ? m_table->currentIndex() : QModelIndex();
  const std::size_t row = current.isValid() ? m_table->rows().rowAt(current.row()) : 0;
  selection.object = insight().items[row].object;
  selection.methodTable = {};  // items need not be of the subject's type
  return selection;
}

void InsightDetail::addButtons(QVBoxLayout* column) {
  auto* bar = new QWidget(column->parentWidget());
  auto* flow = new FlowLayout(bar, 8);
  const auto add = [&](const QString& name, const QString& symbol, const QString& text, const QString& tip,
                       const std::function<void()>& run) {
    auto* button = new QPushButton(symbolIcon(symbol), text, bar);
    button->setObjectName(name);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, run);
    flow->addWidget(button);
  };
  const engine::Address type = insight().methodTable;
  const bool isGap = insight().kind == InsightKind::Fragmentation;
  const bool hasItems = !insight().items.empty() && insight().items.front().object;
  if (!insight().ids.empty()) {
    add(u"insightObjects"_s, u"object"_s, isGap ? u"Show free objects"_s : u"Show objects"_s,
        u"All %1 of it, in a list that can be sorted and searched"_s.arg(countText(insight().ids.size())),
        [this] { m_navigator.showObjectsOf(QString(), keyOf(insight())); });
  }
  if (type) {
    add(u"insightType"_s, u"types"_s, u"Type"_s, u"The type and all objects of it, in the list of types"_s,
        [this, type] {
          const Selection selection{.object = {}, .methodTable = type, .segment = {}};
          m_navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
        });
  }
  if (type && isAboutLayout(insight().kind)) {
    add(u"insightLayout"_s, u"layouts"_s, u"Layout"_s, u"What its objects look like inside, and what would be better"_s,
        [this, type] { m_navigator.showLayoutOf(type); });
  }
  if (hasItems && !isGap) {
    add(u"insightReason"_s, u"roots"_s, u"Why alive?"_s, u"What holds the object picked below, or the first one"_s,
        [this] { m_navigator.showReferences(ReferencesPage::WhyAlive, item()); });
    add(u"insightGraph"_s, u"references"_s, u"Graph"_s,
        u"Who holds the object picked below, or the first one, and what it holds"_s,
        [this] { m_navigator.showReferences(ReferencesPage::Graph, item()); });
    add(u"insightCut"_s, u"cut"_s, insight().ids.size() > 1 ? u"What if the first goes"_s : u"What if it goes"_s,
        u"What would be freed if nothing held the object picked below, or the first one"_s,
        [this] { m_navigator.cut(fromEngine(engine::cutOfObject(item().object))); });
  }
  if (hasSetOfObjects(insight()) && insight().ids.size() > 1) {
    add(u"insightCutAll"_s, u"cut"_s, u"What if all %1 go"_s.arg(countText(insight().ids.size())),
        u"What if: what would be freed if nothing held any of its %1"_s.arg(countText(insight().ids.size())),
        [this] { m_navigator.cut(fromEngine(engine::cutOfSet(setOfInsight(m_bridge, insight()).toStdString()))); });
  }
  if (insight().ids.size() > 1) {
    add(u"insightMap"_s, u"segments"_s, u"On the map"_s,
        u"Where all %1 lie in memory"_s.arg(countText(insight().ids.size())),
        [this] { m_navigator.showSetInSegments(setOfInsight(m_bridge, insight())); });
  } else if (hasItems) {
    add(u"insightMap"_s, u"segments"_s, u"On the map"_s, u"Where it lies in memory"_s,
        [this] { m_navigator.showInSegments(item()); });
  }
  column->addWidget(bar);
}

void InsightDetail::addFacts(QVBoxLayout* column) {
  if (insight().facts.empty()) return;
  std::vector<Fact> facts;
  for (const engine::InsightFact& fact : insight().facts)
    facts.push_back({.label = fromEngine(fact.label), .value = fromEngine(fact.value)});
  auto* list = new FactList(column->parentWidget());
  list->setObjectName(u"insightFacts"_s);
  list->setFacts(facts);
  column->addWidget(list);
}

void InsightDetail::addExample(QVBoxLayout* column, const engine::Insight& insight) {
  const auto example = engine::codeExampleOf(insight.kind, shortTypeName(insight.subject).toStdString());
  if (!example || insight.isFramework) return;
  QWidget* body = column->parentWidget();
  column->addSpacing(8);
  column->addWidget(makeHeading(u"In C#"_s, body, 1));
  const auto add = [&](const QString& name, const QString& caption, const std::string& code) {
    auto* text = makeText(QString::fromStdString(code), body);
    text->setObjectName(name);
    text->setFont(fixedFont(font()));
    text->setTextFormat(Qt::PlainText);
    text->setAccessibleName(caption);
    column->addWidget(makeNote(caption, body));
    column->addWidget(text);
  };
  add(u"insightBefore"_s, u"Before"_s, example->before);
  add(u"insightAfter"_s, u"After"_s, example->after);
  auto* copy = new QPushButton(symbolIcon(u"copy"_s), u"Copy"_s, body);
  copy->setToolTip(u"Copy both as text"_s);
  connect(copy, &QPushButton::clicked, this, [example = *example] {
    QGuiApplication::clipboard()->setText(u"// Before\n%1\n\n// After\n%2\n"_s.arg(
        QString::fromStdString(example.before), QString::fromStdString(example.after)));
  });
  column->addWidget(copy, 0, Qt::AlignLeft);
}

void InsightDetail::addPath(QVBoxLayout* column) {
  if (insight().path.empty()) return;
  QWidget* body = column->parentWidget();
  column->addSpacing(8);
  column->addWidget(makeHeading(u"Path from the root"_s, body, 1));
  auto* chain = new QVBoxLayout;
  chain->setSpacing(0);
  for (std::size_t step = 0; step < insight().path.size(); ++step) {
    const QString name = fromEngine(insight().path[step]);
    auto* line = new ElidedText(step == 0 ? name : u"↳ "_s + name, body);
    line->setProperty("isInsightStep", true);
    line->setMinimumHeight(qRound(fontMetrics().height() * 1.6));
    chain->addWidget(line);
  }
  column->addLayout(chain);
}

void InsightDetail::addOwners(QVBoxLayout* column) {
  if (insight().owners.empty()) return;
  QWidget* body = column->parentWidget();
  column->addSpacing(8);
  // Nobody holds free objects: those stay that lie behind them.
  const bool areFree = insight().kind == engine::InsightKind::Fragmentation;
  column->addWidget(makeHeading(areFree ? u"What lies behind is held by"_s : u"Held by"_s, body, 1));
  auto* owners = new QVBoxLayout;
  owners->setSpacing(2);
  for (const engine::InsightOwner& owner : insight().owners) {
    auto* row = new BarRow(lineOf(owner, insight().bytes), body);
    row->setObjectName(u"insightOwner%1"_s.arg(owners->count()));
    connect(row, &QAbstractButton::clicked, this,
            [this, owner] { followLink(m_navigator, {.object = owner.object, .methodTable = owner.methodTable}); });
    owners->addWidget(row);
  }
  column->addLayout(owners);
}

void InsightDetail::addItems(QVBoxLayout* column) {
  const std::vector<engine::InsightItem>& items = insight().items;
  if (items.empty()) return;
  QWidget* body = column->parentWidget();
  const bool isAll = insight().objects <= items.size();
  column->addSpacing(8);
  column->addWidget(makeHeading(isAll ? u"Objects"_s : u"The costliest %1"_s.arg(countText(items.size())), body, 1));
  const RowSchema<engine::InsightItem> schema = insightItemSchema(insight().kind);
  const QString name = u"insightItems"_s;
  m_table = new RowsTable(name, u"Objects of the insight"_s, RowObjects::withKept(name, schema.setups()), {}, body);
  auto* objects = new RowObjects(m_bridge, *m_table, name, schema.setups());
  m_items = objects->fitted(makeRowList(items, schema));
  m_table->horizontalHeader()->setSectionsClickable(false);
  m_table->setItemDelegateForColumn(1, new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_table));
  m_table->rows().show(m_items);
  QHeaderView* heading = m_table->horizontalHeader();
  heading->resizeSection(0, QFontMetrics(fixedFont(font())).averageCharWidth() * 18);
  heading->resizeSection(1, figureColumnWidth(*this));
  heading->setMinimumSectionSize(fontMetrics().averageCharWidth() * 5);
  const bool saysMore = !std::ranges::all_of(items, &std::string::empty, &engine::InsightItem::text);
  heading->setSectionHidden(2, !saysMore);
  if (!saysMore && insight().kind != InsightKind::Fragmentation)
    m_table->columns().setShown(m_table->sectionOf("value"), true);
  readItems(*objects);
  // The panel as a whole scrolls.
  m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_table->setFixedHeight(heading->sizeHint().height() + static_cast<int>(items.size()) * tableRowHeight(*m_table) + 4);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) m_navigator.select(item());
  });
  connect(m_table, &QAbstractItemView::activated, this, [this] {
    if (insight().kind == InsightKind::Fragmentation) return m_navigator.showInSegments(item());
    m_navigator.showObject(item().object);
  });
  connect(m_table, &QWidget::customContextMenuRequested, this, &InsightDetail::openItemMenu);
  column->addWidget(m_table);
}

void InsightDetail::readItems(RowObjects& objects) {
  const auto read = [this, &objects] {
    objects.readShown(m_items, [this](std::shared_ptr<const RowList> rows) {
      m_items = std::move(rows);
      m_table->rows().update(m_items);
    });
  };
  connect(&objects, &RowObjects::shownChanged, this, read);
  connect(&objects, &RowObjects::columnsChanged, this, [this, &objects, read] {
    m_items = objects.fitted(m_items);
    m_table->rows().show(m_items);
    read();
  });
  read();
}

void InsightDetail::openItemMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  addLinks(menu, m_navigator, *m_items, m_table->rows().rowAt(index.row()));
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui

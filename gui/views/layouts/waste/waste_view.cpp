// SPDX-License-Identifier: MIT
#include "views/layouts/waste/waste_view.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "models/rows/rows_panel.h"
#include "tables/waste_tables.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::WasteGroup;
using engine::WasteRow;

QString exactSaving(std::int64_t bytes) {
  if (bytes == 0) return u"The heap would stay as large as it is."_s;
  const auto amount = exactBytesText(static_cast<std::uint64_t>(std::abs(bytes)));
  return bytes > 0 ? u"The heap would shrink by %1."_s.arg(amount) : u"The heap would grow by %1."_s.arg(amount);
}

QString meansText(engine::AdviceKind means) {
  switch (means) {
    case engine::AdviceKind::NothingToGain:
      return u"—"_s;
    case engine::AdviceKind::Reorder:
      return u"reordering"_s;
    case engine::AdviceKind::AutoAttribute:
      return u"Auto attribute"_s;
    case engine::AdviceKind::SequentialOrder:
      return u"sequential order"_s;
    case engine::AdviceKind::ExplicitOffsets:
      return u"explicit offsets"_s;
    case engine::AdviceKind::Pack:
      return u"packed"_s;
    case engine::AdviceKind::MergeBools:
      return u"bools merged"_s;
    case engine::AdviceKind::SplitColdFields:
      break;
  }
  return u"cold fields split off"_s;
}

QString meansText(const WasteRow& row) {
  return row.separation.empty() ? meansText(row.means) : u"separated on purpose"_s;
}

QString meansDetail(const WasteRow& row) {
  QStringList lines{row.separation.empty() ? meansText(row.means) : fromEngine(row.separation)};
  if (row.means != engine::AdviceKind::NothingToGain && !row.order.empty()) {
    QStringList names;
    for (const std::string& name : row.order) names << fromEngine(name);
    lines << u"Fields in this order: %1"_s.arg(names.join(u", "_s));
  }
  if (row.owner == engine::CodeOwner::Framework) lines << u"A type of .NET: not yours to change."_s;
  if (row.owner == engine::CodeOwner::Package) lines << u"A package's type: for its authors to change."_s;
  return lines.join(QLatin1Char('\n'));
}

RowColumn<WasteRow> sizeColumn(const char* field) {
  return {.setup = {.field = field, .letters = 7}, .detail = [](const WasteRow& row) {
            return u"%1 now, %2 at best"_s.arg(exactBytesText(row.instanceBytes), exactBytesText(row.bestBytes));
          }};
}

RowColumn<WasteRow> savingColumn(const char* field, std::int64_t WasteRow::*saving, ColumnBar bar) {
  return {.setup = {.field = field, .hidesZero = true, .bar = bar},
          .detail = [saving](const WasteRow& row) { return exactSaving(row.*saving); }};
}

RowColumn<WasteRow> typeColumn() {
  return {.setup = {.field = "type", .letters = 34, .stretches = true},
          .type = &WasteRow::methodTable,
          .detail = [](const WasteRow& row) {
            return fromEngine(row.type) + QLatin1Char('\n') + fromEngine(row.assembly);
          }};
}

RowColumn<WasteRow> paddingColumn(std::uint64_t ofHeap, std::uint64_t heapBytes) {
  return {.setup = {.field = "padding", .bar = ColumnBar::Padding}, .detail = [ofHeap, heapBytes](const WasteRow& row) {
            return u"%1, of which %2 are its own and not a nested value's.\nThose are %3 of all padding "
                   "of this heap, and %4 of the bytes of its objects."_s.arg(
                       exactBytesText(row.paddingBytes), exactBytesText(row.ownPaddingBytes),
                       percentText(row.ownPaddingBytes, ofHeap), percentText(row.ownPaddingBytes, heapBytes));
          }};
}

bool isWon(const WasteRow& row) {
  return row.means != engine::AdviceKind::NothingToGain;
}

std::vector<RowKind> wasteKinds() {
  return {{.name = u"Your code"_s, .tip = u"Declared in your own assemblies"_s},
          {.name = u"Packages"_s, .tip = u"Declared in assemblies of packages: for their authors to change"_s},
          {.name = u".NET"_s, .tip = u"Not yours to change"_s},
          {.name = u"Already minimal"_s,
           .tip = u"Types of yours and of packages with padding that no declaration saves"_s}};
}

}  // namespace

RowSchema<WasteRow> wasteSchema(const engine::Waste& waste) {
  RowSchema<WasteRow> schema{.table = &engine::wasteTable()};
  schema.columns.push_back(typeColumn());
  schema.columns.push_back(savingColumn("saved", &WasteRow::savedByBest, ColumnBar::Plain));
  schema.columns.push_back(paddingColumn(waste.paddingBytes, waste.heapBytes));
  for (const char* field : {"count", "elements", "nested"})
    schema.columns.push_back({.setup = {.field = field, .letters = 10}});
  schema.columns.push_back(sizeColumn("size"));
  schema.columns.push_back(sizeColumn("bestSize"));
  schema.columns.push_back({.setup = {.field = "by", .letters = 26},
                            .words = [](const WasteRow& row) { return meansText(row); },
                            .detail = meansDetail});
  schema.columns.push_back(savingColumn("savedByAuto", &WasteRow::savedByAuto, ColumnBar::None));
  schema.columns.push_back(savingColumn("savedBySequential", &WasteRow::savedBySequential, ColumnBar::None));
  schema.columns.push_back({.setup = {.field = "assembly", .letters = 24}});
  schema.kinds = wasteKinds();
  schema.kindOf = [](const WasteRow& row) {
    const auto kind = row.owner == engine::CodeOwner::Framework ? WasteKind::Framework
                      : !isWon(row)                             ? WasteKind::Minimal
                      : row.owner == engine::CodeOwner::Package ? WasteKind::Package
                                                                : WasteKind::Own;
    return static_cast<std::size_t>(kind);
  };
  schema.identity = [](const WasteRow& row) { return row.methodTable; };
  return schema;
}

RowSchema<WasteGroup> wasteGroupSchema(engine::WasteGrouping grouping) {
  const bool isNamespace = grouping == engine::WasteGrouping::Namespace;
  RowSchema<WasteGroup> schema{.table = &engine::wasteGroupsTable()};
  schema.columns.push_back(
      {.setup =
           {.field = "name", .title = isNamespace ? u"Namespace"_s : u"Assembly"_s, .letters = 34, .stretches = true},
       .words = [](const WasteGroup& group) { return group.name.empty() ? u"(none)"_s : fromEngine(group.name); }});
  schema.columns.push_back(
      {.setup = {.field = "saved", .bar = ColumnBar::Plain}, .detail = [](const WasteGroup& group) {
         return exactSaving(group.savedByBest) + QLatin1Char('\n') +
                u"Added up over its types; nearly right where one holds another."_s;
       }});
  schema.columns.push_back({.setup = {.field = "ownPadding", .letters = 14, .bar = ColumnBar::Padding}});
  schema.columns.push_back({.setup = {.field = "types"}});
  return schema;
}

WasteTables wasteTables(engine::Waste waste) {
  const auto groups = [&waste](engine::WasteGrouping grouping) {
    return makeRowList(engine::groupWaste(waste, grouping), wasteGroupSchema(grouping));
  };
  WasteTables tables;
  tables.nameSpaces = groups(engine::WasteGrouping::Namespace);
  tables.assemblies = groups(engine::WasteGrouping::Assembly);
  const RowSchema<WasteRow> schema = wasteSchema(waste);
  tables.isNothingWon = std::ranges::none_of(
      waste.rows, [](const WasteRow& row) { return row.owner != engine::CodeOwner::Framework && isWon(row); });
  tables.types = makeRowList(std::exchange(waste.rows, {}), schema);
  tables.waste = std::move(waste);
  return tables;
}

/// The heap's padding and what could be saved of it, in large figures.
class WasteHead : public QWidget {
 public:
  explicit WasteHead(QWidget* parent = nullptr);

  void show(const engine::Waste& waste);

 private:
  FigureTile* m_padding;
  FigureTile* m_saving;
  FigureTile* m_ends;
  ElidedText* m_note;
};

WasteHead::WasteHead(QWidget* parent)
    : QWidget(parent),
      m_padding(new FigureTile(u"Padding on the heap"_s, this)),
      m_saving(new FigureTile(u"Possible savings"_s, this)),
      m_ends(new FigureTile(u"Array and string rounding"_s, this)),
      m_note(new ElidedText(this)) {
  m_padding->setObjectName(u"wastePadding"_s);
  m_saving->setObjectName(u"wasteSaving"_s);
  m_note->setObjectName(u"wasteNote"_s);
  m_note->setWarning(true);
  m_note->setWraps();
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_padding, m_saving, m_ends}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_note);
}

void WasteHead::show(const engine::Waste& waste) {
  const QString whole = bytesText(waste.heapBytes);
  QString share = u"%1 of %2 in objects"_s.arg(percentText(waste.paddingBytes, waste.heapBytes), whole);
  QString tip = u"%1 between and behind fields, of which %2 lie behind boxed values"_s.arg(
      exactBytesText(waste.paddingBytes), exactBytesText(waste.roundingBytes));
  if (waste.separatedBytes > 0) {
    share += u" · %1 intentional"_s.arg(bytesText(waste.separatedBytes));
    tip += QLatin1Char('\n') + u"%1 are in types that are separated on purpose, for processors' caches."_s.arg(
                                   exactBytesText(waste.separatedBytes));
  }
  m_padding->setFigure(bytesText(waste.paddingBytes), share, tip);
  const bool isSaving = waste.savedByAllBest > 0;
  const auto saved = static_cast<std::uint64_t>(isSaving ? waste.savedByAllBest : 0);
  m_saving->setFigure(
      savedBytesText(waste.savedByAllBest), u"%1 of %2 in objects"_s.arg(percentText(saved, waste.heapBytes), whole),
      u"%1 less, with every type that is not the framework's in its best declaration"_s.arg(exactBytesText(saved)));
  m_ends->setFigure(
      bytesText(waste.arrayEndBytes), u"unavoidable"_s,
      u"%1 behind the last element of arrays and the last character of strings, not counted as padding"_s.arg(
          exactBytesText(waste.arrayEndBytes)));
  m_note->setVisible(waste.typesNotComputed > 0);
  m_note->setText(u"⚠ "_s + u"Not counted in the savings: %1 whose metadata the dump does not hold."_s.arg(
                                countedText(waste.typesNotComputed, u"type"_s)));
}

namespace {

constexpr auto kChannel = "waste";

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup;
  setup.name = u"wasteTypes"_s;
  setup.title = u"Types by what another declaration would save"_s;
  setup.noun = u"types"_s;
  setup.filterHint = u"Filter by type or assembly"_s;
  setup.emptyHeading = u"Nothing is wasted"_s;
  setup.emptyText =
      u"No type of your code or of packages on this heap has padding, and none would be smaller in another order."_s;
  setup.columns = wasteSchema({}).setups();
  setup.kinds = {static_cast<std::size_t>(WasteKind::Own), static_cast<std::size_t>(WasteKind::Package)};
  return setup;
}

RowsPanelSetup groupsSetup(engine::WasteGrouping grouping) {
  const bool isNamespace = grouping == engine::WasteGrouping::Namespace;
  RowsPanelSetup setup;
  setup.name = isNamespace ? u"wasteNamespaces"_s : u"wasteAssemblies"_s;
  setup.title = isNamespace ? u"Waste by namespace"_s : u"Waste by assembly"_s;
  setup.noun = isNamespace ? u"namespaces"_s : u"assemblies"_s;
  setup.one = isNamespace ? u"namespace"_s : u"assembly"_s;
  setup.filterHint = u"Filter by name"_s;
  setup.emptyHeading = u"Nothing is wasted"_s;
  setup.emptyText = u"No type on this heap has padding."_s;
  setup.columns = wasteGroupSchema(grouping).setups();
  return setup;
}

}  // namespace

WasteView::WasteView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_head(new WasteHead(this)),
      m_groupings(new ChoiceBar(
          u"wasteGrouping"_s, {u"Types"_s, u"Namespaces"_s, u"Assemblies"_s},
          {u"Each type for itself"_s, u"Types of a namespace added up"_s, u"Types of an assembly added up"_s}, this)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_nameSpaces(buildGroups(engine::WasteGrouping::Namespace)),
      m_assemblies(buildGroups(engine::WasteGrouping::Assembly)),
      m_nothing(new StatePanel(this)),
      m_state(new StatePanel(this)),
      m_lists(new QStackedLayout),
      m_pages(new QStackedLayout(this)) {
  m_pages->addWidget(m_state);
  m_pages->addWidget(buildPage());
  m_types->setActivation([this](const RowLink& link) { m_navigator.showLayoutOf(link.methodTable); });
  connect(m_groupings, &ChoiceBar::chosen, this, &WasteView::showList);
  clear();
}

QWidget* WasteView::buildPage() {
  auto* page = new QWidget(this);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 0, 12, 0);
  line->addWidget(m_groupings);
  line->addStretch(1);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(line);
  column->addLayout(m_lists, 1);
  for (RowsPanel* list : {m_types, m_nameSpaces, m_assemblies}) m_lists->addWidget(list);
  m_lists->addWidget(m_nothing);
  m_nothing->setObjectName(u"wasteNothing"_s);
  return page;
}

RowsPanel* WasteView::buildGroups(engine::WasteGrouping grouping) {
  auto* panel = new RowsPanel(m_bridge, m_navigator, groupsSetup(grouping), {}, this);
  connect(panel, &RowsPanel::rowActivated, this,
          [this, panel](std::uint32_t row) { showTypesOf(panel->rows()->plain(row, 0)); });
  return panel;
}

void WasteView::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Layouts);
  if (m_isReady && isVisible() && !m_isBegun) measure();
}

void WasteView::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_isReady = false;
  m_isBegun = false;
  m_isNothingWon = false;
  m_groupings->choose(0);
  for (RowsPanel* list : {m_types, m_nameSpaces, m_assemblies}) list->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what layouts cost its heap."_s);
  m_pages->setCurrentWidget(m_state);
}

void WasteView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isReady && !m_isBegun) measure();
}

void WasteView::measure() {
  m_isBegun = true;
  showProgress({});
  m_pages->setCurrentWidget(m_state);
  using Answer = engine::Outcome<std::shared_ptr<WasteTables>>;
  m_bridge.askLong(
      this, kChannel,
      [snapshot = *m_bridge.snapshot()](const engine::DeclaredLayouts& layouts, engine::ProgressSink* progress,
                                        std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(engine::Waste waste, engine::wasteOf(snapshot, layouts, progress, stop));
        return std::make_shared<WasteTables>(wasteTables(std::move(waste)));
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](Answer answer) {
        if (answer) return take(std::move(**answer));
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"The waste could not be measured"_s, fromEngine(answer.error().error().message()));
        m_state->setAction(u"Try again"_s, [this] { measure(); });
      });
}

void WasteView::stop() {
  m_bridge.stopAsking(this, kChannel);
  m_state->showEmpty(u"Not measured"_s, u"Measuring what the layouts cost this heap was stopped."_s);
  m_state->setAction(u"Measure it now"_s, [this] { measure(); });
}

void WasteView::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty() ? u"Measuring what the layouts cost this heap"_s
                                                 : u"%1, %2"_s.arg(fromEngine(progress.activity), percent));
  m_state->setAction(u"Stop"_s, [this] { stop(); });
}

void WasteView::take(WasteTables tables) {
  m_head->show(tables.waste);
  m_types->setRows(std::move(tables.types));
  m_nameSpaces->setRows(std::move(tables.nameSpaces));
  m_assemblies->setRows(std::move(tables.assemblies));
  m_isNothingWon = tables.isNothingWon;
  if (m_isNothingWon) {
    m_nothing->showEmpty(
        u"Nothing to save"_s,
        u"No declaration makes this heap smaller: every type of the program is as small as its fields "
        "allow, and its %1 of padding are alignment and rounding."_s.arg(bytesText(tables.waste.paddingBytes)));
    m_nothing->setAction(u"List the padded types"_s, [this] { showTypesOf({}); });
  }
  showList(m_groupings->choice());
  m_pages->setCurrentIndex(1);
}

void WasteView::showList(int grouping) {
  if (grouping == 0 && m_isNothingWon) {
    m_lists->setCurrentWidget(m_nothing);
  } else {
    m_lists->setCurrentIndex(grouping);
  }
}

void WasteView::showTypesOf(const QString& group) {
  m_isNothingWon = false;  // somebody wants to see them all the same
  m_groupings->choose(0);
  showList(0);
  m_types->setFilter(group);
}

}  // namespace heapscape::gui

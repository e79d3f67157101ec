// SPDX-License-Identifier: MIT
#include "views/layouts/layout_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/layout/layout_fields_model.h"
#include "models/names/type_name.h"
#include "models/rows/table_setup.h"
#include "views/layouts/advice_panel.h"
#include "views/layouts/array_strip.h"
#include "views/layouts/column_feet.h"
#include "views/layouts/instance_panel.h"
#include "views/layouts/layout_toolbar.h"
#include "views/layouts/layout_totals.h"
#include "views/layouts/playground/playground_view.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/hex_view/object_page.h"
#include "widgets/layout_diagram/layout_diagram.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

/// Above the diagram: the type's name, how it is laid out, and its totals.
class LayoutHeadline : public QWidget {
 public:
  explicit LayoutHeadline(QWidget* parent = nullptr);

  void show(const engine::TypeLayout& layout, const TypePopulation& population);
  /// Low windows have no room for the figures, which the heads of the columns say as well, and lower ones none for what
  /// kind of type it is and where it is from, which the inspector says.
  void setShown(bool hasChips, bool hasFigures);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addChip(const LayoutChip& chip);
  void addFigure(const LayoutFigure& figure);
  void updateLook();

  ElidedLabel* m_name;
  QWidget* m_chips;
  QWidget* m_figures;
  FlowLayout* m_chipsLine;
  FlowLayout* m_figuresLine;
};

namespace {

void empty(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace

LayoutHeadline::LayoutHeadline(QWidget* parent)
    : QWidget(parent), m_name(new ElidedLabel(this)), m_chips(new QWidget(this)), m_figures(new QWidget(this)) {
  m_name->setObjectName(u"layoutTypeName"_s);
  m_name->setFont(scaledFont(font(), 1.3, QFont::DemiBold));
  m_figures->setObjectName(u"layoutFigures"_s);
  m_chipsLine = new FlowLayout(m_chips, 6);
  m_figuresLine = new FlowLayout(m_figures, 16);
  m_chipsLine->setContentsMargins(0, 0, 0, 0);
  m_figuresLine->setContentsMargins(0, 0, 0, 0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  column->addWidget(m_name);
  column->addWidget(m_chips);
  column->addWidget(m_figures);
}

void LayoutHeadline::show(const engine::TypeLayout& layout, const TypePopulation& population) {
  m_name->setName(fromEngine(layout.typeName), namespaceLength(layout.typeName));
  empty(m_chipsLine);
  empty(m_figuresLine);
  for (const LayoutChip& chip : layoutChips(layout)) addChip(chip);
  if (!layout.assembly.empty()) addChip({fromEngine(layout.assembly), u"The assembly it is defined in"_s});
  for (const LayoutFigure& figure : layoutFigures(layout, population)) addFigure(figure);
  updateLook();
  updateGeometry();
}

void LayoutHeadline::setShown(bool hasChips, bool hasFigures) {
  m_chips->setVisible(hasChips);
  m_figures->setVisible(hasFigures);
}

void LayoutHeadline::addChip(const LayoutChip& chip) {
  auto* label = new QLabel(chip.text, m_chips);
  label->setProperty("isChip", true);
  label->setToolTip(chip.tip);
  label->setFont(scaledFont(font(), 0.92));
  label->setContentsMargins(8, 2, 8, 2);
  label->setBackgroundRole(QPalette::Window);  // not the page's, which is another
  label->setAutoFillBackground(true);
  m_chipsLine->addWidget(label);
  label->show();
}

void LayoutHeadline::addFigure(const LayoutFigure& figure) {
  auto* block = new QWidget(m_figures);
  block->setToolTip(figure.tip);
  auto* value = new QLabel(figure.value, block);
  value->setFont(scaledFont(font(), 1.2, QFont::DemiBold));
  auto* caption = new QLabel(figure.caption, block);
  caption->setProperty("isCaption", true);
  caption->setFont(scaledFont(font(), 0.92));
  auto* column = new QVBoxLayout(block);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(value);
  column->addWidget(caption);
  m_figuresLine->addWidget(block);
  block->show();
}

void LayoutHeadline::updateLook() {
  const Colours colours(palette());
  for (QLabel* label : findChildren<QLabel*>()) {
    QPalette look = palette();
    if (label->property("isCaption").toBool()) look.setColor(QPalette::WindowText, colours.dimmedText());
    if (label->property("isChip").toBool()) look.setColor(QPalette::Window, palette().color(QPalette::Midlight));
    label->setPalette(look);
  }
}

void LayoutHeadline::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

namespace {

constexpr int kSideBySideLetters = 200;
constexpr int kFewestTabLines = 7;
const QList<int> kPictureAndTabs{600, 280};
constexpr int kRoomyLines = 44;
constexpr int kLinesForChips = 34;

}  // namespace

LayoutPanel::LayoutPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_headline(new LayoutHeadline(this)),
      m_toolbar(new LayoutToolbar(this)),
      m_chips(new ColumnChips(this)),
      m_diagram(new SideBySideDiagram(this)),
      m_feet(new ColumnFeet(*m_diagram, this)),
      m_advice(new AdvicePanel(this)),
      m_fields(new QTreeView(this)),
      m_model(new LayoutFieldsModel(this)),
      m_arrays(new ArrayStrip),
      m_arraysPage(new QScrollArea(this)),
      m_instance(new InstancePanel(bridge, navigator, this)),
      m_failure(makeNote({}, this)),
      m_tabs(new QTabWidget(this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_playground(new PlaygroundView(bridge, this)) {
  setUpFields();
  addParts();
  connectParts();
}

void LayoutPanel::setUpFields() {
  m_fields->setObjectName(u"layoutFields"_s);
  m_fields->setAccessibleName(u"Fields"_s);
  m_fields->setModel(m_model);
  setUpTree(m_fields, new TableHeading(m_fields));
  m_fields->setTreePosition(LayoutFieldsModel::FieldColumn);
  m_fields->setItemDelegate(new NameDelegate(m_fields));
  offerActions(m_fields);
  const int letter = fontMetrics().averageCharWidth();
  QHeaderView* heading = m_fields->header();
  heading->setSectionsClickable(false);
  heading->resizeSection(LayoutFieldsModel::OffsetColumn, letter * 9);
  heading->resizeSection(LayoutFieldsModel::SizeColumn, letter * 9);
  heading->resizeSection(LayoutFieldsModel::FieldColumn, letter * 24);
  heading->resizeSection(LayoutFieldsModel::TypeColumn, letter * 26);
  heading->resizeSection(LayoutFieldsModel::DeclaredColumn, letter * 16);
  rememberColumns(heading, u"fields"_s);
  new StretchedSection(m_fields, heading, LayoutFieldsModel::TypeColumn, letter * 20,
                       {LayoutFieldsModel::FieldColumn, LayoutFieldsModel::DeclaredColumn});
}

QWidget* LayoutPanel::addPicture() {
  auto* picture = new QWidget(m_splitter);
  auto* column = new QVBoxLayout(picture);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_diagram, 1);
  m_legend = new LayoutLegend(picture);
  setPictureLegend(m_diagram, m_legend);
  setPictureFoot(m_diagram,
                 {.height = [this](double) { return m_feet->pinnedHeight(); },
                  .paint = [this](QPainter& painter, const QRectF& room) { m_feet->paintPinned(painter, room); }});
  column->addWidget(m_feet);
  column->addWidget(m_legend);
  return picture;
}

void LayoutPanel::addTabs() {
  m_tabs->setObjectName(u"layoutDetails"_s);
  m_tabs->setDocumentMode(true);
  m_arraysPage->setFrameShape(QFrame::NoFrame);
  m_arraysPage->setWidgetResizable(true);
  m_arraysPage->setWidget(m_arrays);
  const auto add = [this](QWidget* page, const QString& text, const QString& tip) {
    m_tabs->setTabToolTip(m_tabs->addTab(page, text), tip);
  };
  add(m_advice, u"Advice"_s, u"Why the fields lie where they do, and what would make the type smaller"_s);
  add(m_fields, u"Fields"_s, u"All fields and paddings as they lie now"_s);
  add(m_arraysPage, u"In arrays"_s, u"How elements of an array follow each other"_s);
  add(m_instance, u"An object"_s, u"The bytes of a real object of this type"_s);
}

void LayoutPanel::addParts() {
  m_toolbar->addAtEnd(m_chips);
  m_failure->setObjectName(u"layoutFailure"_s);
  m_failure->setContentsMargins(12, 0, 12, 6);
  addTabs();
  m_splitter->addWidget(addPicture());
  m_splitter->addWidget(m_tabs);
  m_splitter->setStretchFactor(0, 5);
  m_splitter->setStretchFactor(1, 3);
  m_splitter->setSizes(kPictureAndTabs);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_headline);
  column->addWidget(m_toolbar);
  column->addWidget(m_failure);
  column->addWidget(m_splitter, 1);
  column->addWidget(m_playground, 1);
  m_playground->hide();
}

void LayoutPanel::connectParts() {
  connect(m_toolbar, &LayoutToolbar::boxedChanged, this, &LayoutPanel::showNewType);
  connect(m_toolbar, &LayoutToolbar::textWanted, this, &LayoutPanel::copyText);
  connect(m_toolbar, &LayoutToolbar::playgroundWanted, this, [this](bool isWanted) {
    m_splitter->setVisible(!isWanted);
    m_playground->setVisible(isWanted);
  });
  for (SideBySideDiagram* diagram : {m_diagram, m_playground->diagram()}) {
    connect(m_toolbar, &LayoutToolbar::barChanged, diagram, &SideBySideDiagram::setBar);
    connect(m_toolbar, &LayoutToolbar::allOpenWanted, diagram, &SideBySideDiagram::setAllOpen);
    connect(m_toolbar, &LayoutToolbar::zoomWanted, diagram, &SideBySideDiagram::zoomBy);
  }
  m_diagram->canvas()->setStepsTypes();
  connect(m_diagram->canvas(), &SideBySideCanvas::typeStepWanted, this, &LayoutPanel::typeStepWanted);
  connect(m_chips, &ColumnChips::chosenChanged, this, &LayoutPanel::showChosen);
  connect(m_diagram, &SideBySideDiagram::picked, this, &LayoutPanel::select);
  connect(m_diagram, &SideBySideDiagram::openChanged, this, &LayoutPanel::followOpen);
  connect(m_advice, &AdvicePanel::fieldWanted, this, &LayoutPanel::selectField);
  connect(m_instance, &InstancePanel::spanPicked, this, &LayoutPanel::selectSpan);
  connect(m_instance, &InstancePanel::objectShown, this, [this](const ObjectPage& page) {
    if (m_picked) setLength(page.length);
  });
  connect(m_fields->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (!m_isFollowing) selectItem(m_model->itemOf(current));
          });
  const auto open = [this](const QModelIndex& index, bool isOpen) {
    if (m_isFollowing || !index.isValid()) return;
    m_diagram->setOpen(m_diagram->matches().fieldOf(m_inForce, m_model->itemOf(index)), isOpen);
  };
  connect(m_fields, &QTreeView::expanded, this, [open](const QModelIndex& index) { open(index, true); });
  connect(m_fields, &QTreeView::collapsed, this, [open](const QModelIndex& index) { open(index, false); });
}

void LayoutPanel::show(PreparedLayout layout) {
  m_advice->clear();
  const engine::Address picked = m_navigator.location().selection.object;
  const bool isOfSame =
      !m_shown.columns.empty() && picked == m_picked && layout.layout().methodTable == m_shown.layout().methodTable;
  layout.setLength(isOfSame ? m_shown.length : std::nullopt);
  m_picked = picked;
  m_shown = std::move(layout);
  m_headline->show(m_shown.layout(), m_shown.population);
  m_toolbar->setForValueType(m_shown.base().unboxed != nullptr);
  m_chips->show(m_shown);
  m_playground->show(m_shown);
  m_failure->hide();
  setTabShown(*m_tabs, m_instance, !m_bridge.isAssembly());
  if (!m_bridge.isAssembly()) showInstance();
  showNewType();
  askForColumns();
}

void LayoutPanel::follow(const Selection& selection) {
  if (m_shown.columns.empty() || m_bridge.isAssembly()) return;
  if (selection.methodTable != m_shown.layout().methodTable || selection.object == m_picked) return;
  m_picked = selection.object;
  if (isVisible()) showInstance();
}

// Objects of a type are listed for it, which nobody needs while they are picked elsewhere.
void LayoutPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_picked != m_instanceOf) showInstance();
}

void LayoutPanel::showInstance() {
  m_instanceOf = m_picked;
  if (!m_picked) setLength(std::nullopt);
  m_instance->show(m_shown.layout().methodTable, m_picked);
}

void LayoutPanel::setLength(std::optional<std::uint64_t> length) {
  if (m_shown.length == length) return;
  m_shown.setLength(length);
  showItems(false);
}

void LayoutPanel::clear() {
  m_bridge.stopAsking(this, "column");
  m_diagram->show({});
  m_feet->show({});
  m_playground->clear();
  m_advice->clear();
  m_columns.clear();
  m_shown = {};
  m_picked = {};
  m_instanceOf = {};
  m_model->show(nullptr);
  m_instance->clear();
  m_items.reset();
}

bool LayoutPanel::isUnboxed() const {
  return m_shown.base().unboxed && !m_toolbar->isBoxed();
}

bool LayoutPanel::hasColumn(const ColumnKey& key) const {
  return std::ranges::find(m_shown.columns, key, &LayoutColumn::key) != m_shown.columns.end();
}

void LayoutPanel::showItems(bool isOtherType) {
  if (m_shown.columns.empty()) return;
  m_items = isUnboxed() ? m_shown.base().unboxed : m_shown.base().object;
  m_isFollowing = true;
  m_model->show(m_items);
  m_isFollowing = false;
  showColumns(isOtherType);
}

void LayoutPanel::showColumns(bool isOtherType) {
  m_columns = arrangeColumns(m_shown, m_chips->chosen());
  const auto now = std::ranges::find(m_columns, true, &ShownColumn::isInForce);
  m_inForce = static_cast<std::size_t>(now - m_columns.begin());
  std::vector<DiagramColumn> drawn = diagramColumns(m_shown, m_columns, isUnboxed());
  std::vector<const LayoutItems*> pictures;
  for (const DiagramColumn& column : drawn) pictures.push_back(column.items.get());
  m_legend->showWhatIsIn(pictures);
  if (isOtherType) {
    m_diagram->show(std::move(drawn));
  } else {
    m_diagram->setColumns(std::move(drawn));
  }
  m_feet->show(columnFeet(m_shown, m_columns, isUnboxed()));
  m_toolbar->setCanOpen(m_diagram->canOpenAny());
  const std::vector<AlikeColumns> groups = alikeColumns(m_columns);
  m_advice->show(m_shown, groups);
  std::vector<ArrayLine> lines = arrayLines(groups);
  setTabShown(*m_tabs, m_arraysPage, !lines.empty());
  m_arrays->show(std::move(lines));
}

// Columns by Pack or another runtime are laid out when they are first chosen.
void LayoutPanel::askForColumns() {
  for (const ColumnKey& key : m_chips->chosen()) {
    const bool isExtra = key.pack > 0 || key.runtime > 0;
    if (!isExtra || hasColumn(key) || m_shown.type.isNone()) continue;
    m_bridge.ask(
        this, "column",
        [key, type = m_shown.type](const engine::DeclaredLayouts& layouts,
                                   std::stop_token) -> engine::Result<LayoutColumn> {
          HEAPSCAPE_TRY(engine::LayoutVariant variant, layouts.layout(type, questionFor(key)));
          return prepareColumn(key, std::move(variant));
        },
        [this, key](engine::Result<LayoutColumn> column) { takeColumn(key, std::move(column)); });
    break;  // one after the other: the next when this one has come
  }
}

void LayoutPanel::showChosen() {
  askForColumns();
  if (!m_shown.columns.empty()) showColumns(false);
}

void LayoutPanel::takeColumn(const ColumnKey& key, engine::Result<LayoutColumn> column) {
  if (!column) {
    m_failure->setText(u"%1 cannot be computed: %2"_s.arg(columnName(key), fromEngine(column.error().message())));
    m_failure->show();
    return;
  }
  m_shown.addColumn(std::move(*column));
  showChosen();
}

void LayoutPanel::followOpen() {
  if (!m_items || m_diagram->canvas()->columns().empty()) return;
  m_isFollowing = true;
  for (std::uint32_t item = 0; item < m_items->items.size(); ++item) {
    if (!(*m_items)[item].canOpen()) continue;
    m_fields->setExpanded(m_model->indexOf(item), m_diagram->isOpen(m_diagram->matches().fieldOf(m_inForce, item)));
  }
  m_isFollowing = false;
}

void LayoutPanel::select(std::uint32_t field) {
  const FieldMatches& matches = m_diagram->matches();
  const std::uint32_t item = matches.itemOf(m_inForce, field);
  m_isFollowing = true;
  const QModelIndex index = item == LayoutItem::kNoItem ? QModelIndex() : m_model->indexOf(item);
  if (index.isValid()) {
    m_fields->setCurrentIndex(index);
    m_fields->scrollTo(index);
  } else {
    m_fields->selectionModel()->clear();
  }
  m_diagram->select(field);
  m_isFollowing = false;
  if (item == LayoutItem::kNoItem) {
    m_instance->select({});
    return;
  }
  const LayoutItem& shown = (*m_items)[item];
  m_advice->showField(shown.declaringType, shown.part == LayoutPart::Field ? shown.name : std::string());
  const std::int64_t boxed = isUnboxed() ? 8 : 0;  // where the value begins in its box
  m_instance->select({shown.begin + boxed, shown.end + boxed});
}

void LayoutPanel::selectItem(std::uint32_t item) {
  select(item == LayoutItem::kNoItem ? FieldMatches::kNone : m_diagram->matches().fieldOf(m_inForce, item));
}

void LayoutPanel::selectField(const std::string& declaringType, const std::string& name) {
  const auto isIt = [&](const LayoutItem& item) { return item.name == name && item.declaringType == declaringType; };
  const auto found = std::ranges::find_if(m_items->items, isIt);
  if (found != m_items->items.end()) selectItem(static_cast<std::uint32_t>(found - m_items->items.begin()));
}

// The pointer was in the bytes of an object; those of a value type begin behind its box's method table.
void LayoutPanel::selectSpan(const ByteSpan& span) {
  if (!m_items) return;
  const std::int64_t boxed = isUnboxed() ? 8 : 0;
  const std::uint32_t item = itemOf(*m_items, span.begin - boxed, span.end - boxed);
  if (item == LayoutItem::kNoItem) return;
  for (std::uint32_t around = (*m_items)[item].parent; around != LayoutItem::kNoItem;
       around = (*m_items)[around].parent) {
    m_diagram->setOpen(m_diagram->matches().fieldOf(m_inForce, around), true);
  }
  selectItem(item);
}

void LayoutPanel::copyText() {
  if (!m_items) return;
  QStringList texts;
  const std::vector<AlikeColumns> groups = alikeColumns(m_columns);
  for (const AlikeColumns& alike : groups) {
    const LayoutColumn& column = *alike.front();
    const LayoutItems& items = isUnboxed() && column.unboxed ? *column.unboxed : *column.object;
    const QString heading = groups.size() > 1 ? columnNames(alike) + QLatin1Char('\n') : QString();
    texts << heading + layoutAsText(column.layout(), items, m_shown.population);
  }
  QGuiApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isWide = event->size().width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  const int lines = event->size().height() / fontMetrics().height();
  const bool isLow = lines < kRoomyLines;
  m_headline->setShown(lines >= kLinesForChips, !isLow);
  m_feet->setHasRoom(lines >= kLinesForChips);
  m_legend->setVisible(!isLow);  // the picture says it, too, where the pointer is
  m_splitter->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
  // The picture first: what is below it can be scrolled.
  m_tabs->setMinimumHeight(lines < kLinesForChips ? fontMetrics().height() * kFewestTabLines : 0);
  if (isLow == m_isLow) return;
  m_isLow = isLow;
  if (!isWide) m_splitter->setSizes(isLow ? QList{800, 100} : kPictureAndTabs);
}

}  // namespace heapscape::gui

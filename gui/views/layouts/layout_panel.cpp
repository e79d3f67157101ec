// SPDX-License-Identifier: MIT
#include "views/layouts/layout_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "models/layout_fields_model.h"
#include "models/name_delegate.h"
#include "models/rows_as_text.h"
#include "models/table_heading.h"
#include "models/table_setup.h"
#include "views/layouts/layout_headline.h"
#include "views/layouts/layout_text.h"
#include "views/layouts/layout_toolbar.h"
#include "widgets/layout_diagram/layout_diagram.h"
#include "widgets/layout_diagram/layout_legend.h"

namespace heapscape::gui {
namespace {

constexpr int kSideBySideLetters = 200;
constexpr std::size_t kOpenAtOnceUpTo = 64;  // fields, so that no giant opens by itself

}  // namespace

PreparedLayout prepareLayout(engine::TypeLayout layout, const TypePopulation& population) {
  PreparedLayout prepared{std::move(layout), population, nullptr, nullptr};
  prepared.object = std::make_shared<const LayoutItems>(buildLayoutItems(prepared.layout, false));
  if (prepared.layout.valueSize) {
    prepared.unboxed = std::make_shared<const LayoutItems>(buildLayoutItems(prepared.layout, true));
  }
  return prepared;
}

LayoutPanel::LayoutPanel(QWidget* parent)
    : QWidget(parent),
      m_headline(new LayoutHeadline(this)),
      m_toolbar(new LayoutToolbar(this)),
      m_diagram(new LayoutDiagram(this)),
      m_fields(new QTreeView(this)),
      m_model(new LayoutFieldsModel(this)),
      m_splitter(new QSplitter(Qt::Vertical, this)) {
  setUpFields();
  addParts();
  connectParts();
}

void LayoutPanel::setUpFields() {
  m_fields->setObjectName(QStringLiteral("layoutFields"));
  m_fields->setAccessibleName(tr("Fields"));
  m_fields->setModel(m_model);
  setUpTree(m_fields, new TableHeading(m_fields));
  m_fields->setTreePosition(LayoutFieldsModel::FieldColumn);
  m_fields->setItemDelegate(new NameDelegate(m_fields));
  m_fields->setContextMenuPolicy(Qt::ActionsContextMenu);
  const int letter = fontMetrics().averageCharWidth();
  QHeaderView* heading = m_fields->header();
  heading->setSectionsClickable(false);
  heading->resizeSection(LayoutFieldsModel::OffsetColumn, letter * 9);
  heading->resizeSection(LayoutFieldsModel::SizeColumn, letter * 9);
  heading->resizeSection(LayoutFieldsModel::FieldColumn, letter * 24);
  heading->resizeSection(LayoutFieldsModel::TypeColumn, letter * 26);
  rememberColumns(heading, QStringLiteral("fields"));
}

void LayoutPanel::addParts() {
  auto* picture = new QWidget(m_splitter);
  auto* pictureColumn = new QVBoxLayout(picture);
  pictureColumn->setContentsMargins(0, 0, 0, 0);
  pictureColumn->setSpacing(0);
  pictureColumn->addWidget(m_diagram, 1);
  pictureColumn->addWidget(makeLayoutLegend(picture));
  m_splitter->addWidget(picture);
  m_splitter->addWidget(m_fields);
  m_splitter->setStretchFactor(0, 5);
  m_splitter->setStretchFactor(1, 3);
  m_splitter->setSizes({620, 260});
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_headline);
  column->addWidget(m_toolbar);
  column->addWidget(m_splitter, 1);
}

void LayoutPanel::connectParts() {
  connect(m_toolbar, &LayoutToolbar::barChanged, m_diagram, &LayoutDiagram::setBar);
  connect(m_toolbar, &LayoutToolbar::boxedChanged, this, &LayoutPanel::showItems);
  connect(m_toolbar, &LayoutToolbar::allOpenWanted, this, &LayoutPanel::setAllOpen);
  connect(m_toolbar, &LayoutToolbar::zoomWanted, m_diagram, &LayoutDiagram::zoomBy);
  connect(m_toolbar, &LayoutToolbar::textWanted, this, &LayoutPanel::copyText);
  connect(m_diagram, &LayoutDiagram::picked, this, &LayoutPanel::select);
  connect(m_diagram, &LayoutDiagram::openWanted, this, &LayoutPanel::setOpen);
  connect(m_fields->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (!m_isFollowing) m_diagram->select(m_model->itemOf(current));
          });
  connect(m_fields, &QTreeView::expanded, this,
          [this](const QModelIndex& index) { setOpen(m_model->itemOf(index), true); });
  connect(m_fields, &QTreeView::collapsed, this,
          [this](const QModelIndex& index) { setOpen(m_model->itemOf(index), false); });
}

void LayoutPanel::show(PreparedLayout layout) {
  m_shown = std::move(layout);
  m_headline->show(m_shown.layout, m_shown.population);
  m_toolbar->setForValueType(m_shown.unboxed != nullptr);
  showItems();
}

void LayoutPanel::showItems() {
  m_items = m_shown.unboxed && !m_toolbar->isBoxed() ? m_shown.unboxed : m_shown.object;
  if (!m_items) return;
  m_isOpen.assign(m_items->items.size(), false);
  openWherePaddingIs();
  m_toolbar->setCanOpen(std::ranges::any_of(m_items->items, &LayoutItem::canOpen));
  m_isFollowing = true;
  m_model->show(m_items);
  m_diagram->show(m_items, m_isOpen);
  m_isFollowing = false;
  applyOpen();
}

// What the totals count shall be seen.
void LayoutPanel::openWherePaddingIs() {
  if (m_items->items.size() > kOpenAtOnceUpTo) return;
  for (std::uint32_t item = 0; item < m_items->items.size(); ++item) {
    m_isOpen[item] = (*m_items)[item].canOpen() && holdsPadding(*m_items, item);
  }
}

void LayoutPanel::setOpen(std::uint32_t item, bool isOpen) {
  if (m_isFollowing || item >= m_isOpen.size() || m_isOpen[item] == isOpen) return;
  m_isOpen[item] = isOpen;
  applyOpen();
}

void LayoutPanel::setAllOpen(bool isOpen) {
  if (!m_items) return;
  for (std::uint32_t item = 0; item < m_isOpen.size(); ++item) m_isOpen[item] = isOpen && (*m_items)[item].canOpen();
  applyOpen();
}

void LayoutPanel::applyOpen() {
  m_isFollowing = true;
  m_diagram->setOpen(m_isOpen);
  for (std::uint32_t item = 0; item < m_isOpen.size(); ++item) {
    if ((*m_items)[item].canOpen()) m_fields->setExpanded(m_model->indexOf(item), m_isOpen[item]);
  }
  m_isFollowing = false;
}

void LayoutPanel::select(std::uint32_t item) {
  m_isFollowing = true;
  const QModelIndex index = m_model->indexOf(item);
  if (index.isValid()) {
    m_fields->setCurrentIndex(index);
    m_fields->scrollTo(index);
  } else {
    m_fields->selectionModel()->clear();
  }
  m_diagram->select(item);
  m_isFollowing = false;
}

void LayoutPanel::copyText() {
  if (m_items) QGuiApplication::clipboard()->setText(layoutAsText(m_shown.layout, *m_items, m_shown.population));
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isWide = event->size().width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  m_splitter->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
}

}  // namespace heapscape::gui

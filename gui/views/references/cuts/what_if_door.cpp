// SPDX-License-Identifier: MIT
#include "views/references/cuts/what_if_door.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <utility>

#include "models/cells/item_painting.h"
#include "models/rows/table_setup.h"
#include "session/references/cuts.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr auto kRootsChannel = "largest roots";

enum DoorColumn { RootColumn, FreesColumn, ShareOfLiveColumn, ObjectsColumn, RefersToColumn, DoorColumnCount };

QTableWidgetItem* readOnlyCell(const QString& text, const QString& tip, bool isFigure) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(tip);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  if (isFigure) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

WhatIfDoor::WhatIfDoor(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_table(new QTableWidget(0, DoorColumnCount, this)),
      m_free(new QPushButton(this)),
      m_freePicked(new QPushButton(u"Free the picked object"_s, this)),
      m_state(makeNote(QString(), this)) {
  buildTable();
  m_free->setObjectName(u"whatIfFree"_s);
  m_state->setObjectName(u"whatIfDoorState"_s);
  connect(m_free, &QPushButton::clicked, this, [this] { Q_EMIT cutsWanted(chosen()); });
  m_freePicked->setObjectName(u"whatIfFreePicked"_s);
  m_freePicked->setToolTip(u"What would be freed if nothing referred to it any more"_s);
  connect(m_freePicked, &QPushButton::clicked, this,
          [this] { Q_EMIT cutsWanted({fromEngine(engine::cutOfObject(m_picked))}); });
  connect(m_table, &QTableWidget::itemChanged, this, &WhatIfDoor::showChoice);

  auto* heading = new QLabel(u"What would be freed?"_s, this);
  heading->setFont(scaledFont(font(), 1.25, QFont::DemiBold));
  auto* text = new QLabel(
      u"If something were released. Begin with what holds most, with what is picked, or with the menu of anything: "
      "arrows and nodes of the graph, steps of Why alive, roots, threads, types and objects in every list. Several "
      "cuts add up."_s,
      this);
  text->setWordWrap(true);
  auto* line = new QHBoxLayout;
  line->addWidget(m_free);
  line->addWidget(m_freePicked);
  line->addWidget(m_state, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 8);
  column->setSpacing(8);
  column->addWidget(heading);
  column->addWidget(text);
  column->addSpacing(8);
  column->addLayout(line);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
  clear();
}

void WhatIfDoor::buildTable() {
  m_table->setObjectName(u"whatIfRoots"_s);
  m_table->setAccessibleName(u"What holds most, to be released"_s);
  m_table->setHorizontalHeaderLabels(
      {u"Root or object"_s, u"Would free"_s, u"Of live"_s, u"Objects"_s, u"Refers to"_s});
  QHeaderView* headings = m_table->horizontalHeader();
  headings->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (const int figures : {FreesColumn, ShareOfLiveColumn, ObjectsColumn})
    m_table->horizontalHeaderItem(figures)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_table->horizontalHeaderItem(FreesColumn)->setToolTip(u"What no other root leads to"_s);
  m_table->setItemDelegate(new NameDelegate(m_table));
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*m_table));
  headings->setSectionResizeMode(RootColumn, QHeaderView::Stretch);
  headings->setHighlightSections(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(FreesColumn, letter * 14);
  m_table->setColumnWidth(ShareOfLiveColumn, letter * 10);
  m_table->setColumnWidth(ObjectsColumn, letter * 13);
  m_table->setColumnWidth(RefersToColumn, letter * 36);
}

void WhatIfDoor::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Retained)) return;
  m_isToAsk = true;
  if (isVisible()) ask();
}

void WhatIfDoor::clear() {
  m_bridge.stopAsking(this, kRootsChannel);
  m_isToAsk = false;
  m_state->setText({});
  setPicked({});
  show({});
}

void WhatIfDoor::setPicked(engine::Address object) {
  m_picked = object;
  m_freePicked->setVisible(bool(object));
}

void WhatIfDoor::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isToAsk) ask();
}

void WhatIfDoor::ask() {
  m_isToAsk = false;
  m_state->setText(u"Looking for what holds most"_s);
  m_bridge.ask(
      this, kRootsChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::largestCuts(snapshot, kMostRoots, std::move(stop));
      },
      [this](const engine::Outcome<std::vector<engine::CutOffer>>& offers) {
        if (offers) {
          m_state->setText(offers->empty() ? u"Nothing is live."_s : QString());
          show(*offers);
        } else if (!offers.error().isCancelled()) {
          m_state->setText(fromEngine(offers.error().error().message()));
        }
      });
}

void WhatIfDoor::show(const std::vector<engine::CutOffer>& offers) {
  const QSignalBlocker quiet(m_table);
  const engine::Snapshot* snapshot = m_bridge.snapshot();
  const std::uint64_t live = snapshot ? snapshot->retainedTotals().reachableBytes : 0;
  m_cuts.clear();
  m_table->setRowCount(static_cast<int>(offers.size()));
  for (const engine::CutOffer& offer : offers) {
    const auto row = static_cast<int>(m_cuts.size());
    m_cuts << fromEngine(offer.cut);
    const QString name = offer.isShared ? u"%1 (shared)"_s.arg(offer.name.empty() ? shortTypeName(offer.typeName)
                                                                                  : givenNameText(offer.name))
                                        : givenNameText(offer.name);
    auto* root = readOnlyCell(name, name, false);
    root->setFlags(root->flags() | Qt::ItemIsUserCheckable);
    root->setCheckState(Qt::Unchecked);
    m_table->setItem(row, RootColumn, root);
    m_table->setItem(row, FreesColumn,
                     readOnlyCell(bytesText(offer.frees.bytes), exactBytesText(offer.frees.bytes), true));
    m_table->setItem(row, ShareOfLiveColumn,
                     readOnlyCell(percentText(offer.frees.bytes, live), u"Of all that is live"_s, true));
    m_table->setItem(row, ObjectsColumn, readOnlyCell(countText(offer.frees.objects), {}, true));
    m_table->setItem(row, RefersToColumn,
                     readOnlyCell(offer.typeName.empty() ? u"several objects"_s : shortTypeName(offer.typeName),
                                  fromEngine(offer.typeName), false));
  }
  showChoice();
}

QStringList WhatIfDoor::chosen() const {
  QStringList checked;
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const QTableWidgetItem* root = m_table->item(row, RootColumn);
    if (root && root->checkState() == Qt::Checked) checked << m_cuts[row];
  }
  return checked.isEmpty() ? m_cuts : checked;
}

void WhatIfDoor::showChoice() {
  const qsizetype count = chosen().size();
  const bool isAll = count == m_cuts.size() && count != 1;
  m_free->setText(count == 1 ? u"What if it goes"_s
                             : (isAll ? u"What if all %1 go"_s : u"What if these %1 go"_s).arg(count));
  m_free->setToolTip(u"What would be freed if %1 were released"_s.arg(isAll ? u"all of these together"_s
                                                                            : u"those that are checked"_s));
  m_free->setVisible(!m_cuts.isEmpty());
}

}  // namespace heapscape::gui

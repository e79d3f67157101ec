// SPDX-License-Identifier: MIT
#include "models/rows/picked_line.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "base/progress.h"
#include "models/rows/picked_sets.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_search.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kPickRestMs = 150;
constexpr auto kSumChannel = "sum";
constexpr auto kSetChannel = "set";

QToolButton* makePickedButton(const QString& name, const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setText(text);
  button->setMinimumHeight(std::max(24, button->fontMetrics().height() * 8 / 5));
  return button;
}

}  // namespace

PickedLine::PickedLine(EngineBridge& bridge, Navigator& navigator, RowsTable& table, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_table(table),
      m_text(new ElidedText(this)),
      m_search(makePickedButton(table.objectName() + u"PickedSet"_s, u"These objects"_s, this)),
      m_rest(new QTimer(this)) {
  setObjectName(table.objectName() + u"Picked"_s);
  m_text->setObjectName(table.objectName() + u"PickedText"_s);
  m_text->setElideMode(Qt::ElideRight);
  m_search->setToolTip(u"Search among the objects that are picked: they become a set that queries know"_s);
  m_search->setPopupMode(QToolButton::MenuButtonPopup);
  connect(m_search, &QToolButton::clicked, this,
          [this] { takeOn([this](const QString& name) { m_navigator.showObjectsOf(queryOfSet(name)); }); });
  auto* menu = new QMenu(m_search);
  menu->setObjectName(m_search->objectName() + u"Menu"_s);
  addSetLinks(*menu, navigator, [this](const auto& use) { takeOn(use); });
  m_search->setMenu(menu);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 4, 12, 4);
  line->setSpacing(8);
  line->addWidget(m_text, 1);
  line->addWidget(m_search);
  if (auto* formats = table.findChild<QMenu*>(u"copyRowsAs"_s)) {
    auto* copy = makePickedButton(table.objectName() + u"PickedCopy"_s, u"Copy as"_s, this);
    copy->setMenu(formats);
    copy->setPopupMode(QToolButton::InstantPopup);
    line->addWidget(copy);
  }
  if (QAction* pin = pinActionAround(&table)) {
    auto* button = makePickedButton(table.objectName() + u"PickedPin"_s, u"Pin"_s, this);
    button->setToolTip(u"Pin these rows to the review"_s);
    connect(button, &QToolButton::clicked, pin, &QAction::trigger);
    line->addWidget(button);
  }
  m_rest->setSingleShot(true);
  m_rest->setInterval(kPickRestMs);
  connect(m_rest, &QTimer::timeout, this, &PickedLine::ask);
  connect(table.selectionModel(), &QItemSelectionModel::selectionChanged, this, &PickedLine::follow);
  connect(&table.rows(), &QAbstractItemModel::modelReset, this, &PickedLine::follow);
  // Retained sizes may have come, or come from other roots.
  connect(&bridge, &EngineBridge::stageReady, this, [this] {
    if (!isHidden()) m_rest->start();
  });
  follow();
}

bool PickedLine::isAbout(const QModelIndex& index) const {
  return m_table.pickedCount() > 1 && m_table.selectionModel()->isSelected(index);
}

void PickedLine::addLinks(QMenu& menu) {
  menu.addSection(u"%1 picked"_s.arg(countText(m_table.pickedCount())));
  addSetLinks(menu, m_navigator, [this](const std::function<void(const QString&)>& use) { takeOn(use); });
}

bool PickedLine::openMenu(const QModelIndex& index, const QPoint& position) {
  if (!isAbout(index)) return false;
  const ContextMenu opened(&m_table);
  QMenu& menu = *opened;
  addLinks(menu);
  menu.addSeparator();
  menu.addActions(m_table.actions());
  menu.exec(m_table.viewport()->mapToGlobal(position));
  return true;
}

QString PickedLine::text() const {
  return m_text->text();
}

void PickedLine::follow() {
  const std::uint64_t picked = m_table.pickedCount();
  setVisible(picked > 1);
  setOld(true);
  if (picked > 1) {
    m_rest->start();
    if (m_text->text().isEmpty()) m_text->setText(u"%1 picked"_s.arg(countText(picked)));
    return;
  }
  m_rest->stop();
  m_bridge.stopAsking(this, kSumChannel);
  m_text->setText({});
}

PickedLine::ReadSet PickedLine::readPicked() const {
  const RowsModel& rows = m_table.rows();
  const std::vector<LineRange> ranges = m_table.pickedRanges();
  if (const auto paged = rows.paged()) {
    return [paged, ranges](const engine::Snapshot&, const std::stop_token& stop) {
      engine::ObjectSet set;
      const std::vector<std::uint32_t> lines = linesIn(ranges);
      set.objects.reserve(lines.size());
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i % engine::kStopInterval == 0 && stop.stop_requested()) break;
        set.objects.push_back(paged->identity(lines[i]));
      }
      return set;
    };
  }
  std::vector<std::uint32_t> picked;
  for (const std::uint32_t line : linesIn(ranges)) picked.push_back(rows.rowAt(static_cast<int>(line)));
  return [list = rows.list(), picked = std::move(picked)](const engine::Snapshot& snapshot, const std::stop_token&) {
    engine::ObjectSet set;
    for (const std::uint32_t row : picked) {
      const RowLink link = list->target(row);
      const engine::Address type = link.object      ? engine::Address{}
                                   : link.isEmpty() ? list->identity(row)
                                                    : link.methodTable;
      if (link.object) set.objects.push_back(link.object);
      const engine::TypeId known = type ? snapshot.typeOf(type) : engine::TypeId{};
      if (!known.isNone()) set.types.push_back(known);
    }
    return set;
  };
}

void PickedLine::ask() {
  if (m_table.pickedCount() < 2 || !m_bridge.snapshot()) return;
  m_bridge.askLong(
      this, kSumChannel,
      [read = readPicked()](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                            std::stop_token stop) -> engine::Outcome<Figures> {
        Figures figures;
        if (!snapshot.has(engine::Stage::Objects)) return figures;
        const engine::ObjectSet set = read(snapshot, stop);
        HEAPSCAPE_TRY(figures.all, engine::sizeOfSet(snapshot, set, stop));
        if (figures.all.objects == 0 || !snapshot.has(engine::Stage::Retained)) return figures;
        HEAPSCAPE_TRY(const engine::RetainedSet freed, engine::retainedOfSet(snapshot, set, progress, stop));
        figures.freed = freed.retained;
        return figures;
      },
      [](const engine::Progress&) {},
      [this](const engine::Outcome<Figures>& figures) {
        if (figures) show(*figures);
      });
}

void PickedLine::show(const Figures& figures) {
  const std::uint64_t picked = m_table.pickedCount();
  QStringList parts{u"%1 picked"_s.arg(countText(picked))};
  QStringList exact;
  if (figures.all.objects > 0) {
    if (figures.all.objects != picked) parts << countedText(figures.all.objects, u"object"_s);
    parts << bytesText(figures.all.bytes);
    exact << u"They take up %1."_s.arg(exactBytesText(figures.all.bytes));
  }
  if (figures.freed) {
    parts << u"would free %1 together"_s.arg(bytesText(figures.freed->bytes));
    exact << u"Without them %1 could not be reached any more: %2."_s.arg(
        countedText(figures.freed->objects, u"object"_s), exactBytesText(figures.freed->bytes));
  }
  m_text->setText(parts.join(u" · "_s));
  m_text->setDetail(exact.join(QLatin1Char('\n')));
  m_search->setVisible(figures.all.objects > 0);
  setOld(false);
}

void PickedLine::setOld(bool isOld) {
  m_isOld = isOld;
  m_text->setDimmed(isOld);
}

void PickedLine::takeOn(const std::function<void(const QString& name)>& use) {
  m_bridge.ask(
      this, kSetChannel,
      [read = readPicked()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::idsOfSet(snapshot, read(snapshot, stop), stop);
      },
      [this, use](engine::Outcome<std::vector<std::uint32_t>> ids) {
        if (ids && !ids->empty()) use(PickedSets::of(m_bridge).add(std::move(*ids)));
      });
}

void PickedLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) setOld(m_isOld);
}

}  // namespace heapscape::gui

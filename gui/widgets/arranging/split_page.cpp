// SPDX-License-Identifier: MIT
#include "widgets/arranging/split_page.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {
namespace {

constexpr int kFewestRows = 6;  // where there are as many

}  // namespace

PartTabs::PartTabs(const QString& name, QWidget* parent) : QTabBar(parent) {
  setObjectName(name);
  setDocumentMode(true);
  setExpanding(false);
  setDrawBase(false);
  hide();
  connect(this, &QTabBar::currentChanged, this, &PartTabs::showParts);
}

void PartTabs::addPart(const QString& title, std::vector<QWidget*> widgets) {
  m_parts.push_back(std::move(widgets));
  addTab(title);
}

void PartTabs::setOneAtATime(bool isOneAtATime) {
  if (std::exchange(m_isOneAtATime, isOneAtATime) == isOneAtATime) return;
  showParts();
}

void PartTabs::showParts() {
  setVisible(m_isOneAtATime);
  const auto current = static_cast<std::size_t>(std::max(0, currentIndex()));
  for (const auto& part : m_parts) {
    for (QWidget* widget : part) {
      const bool isShown = !m_isOneAtATime || std::ranges::count(m_parts[current], widget) > 0;
      if (isShown == widget->isHidden()) widget->setVisible(isShown);
    }
  }
}

FittedSplit::FittedSplit(QWidget* list, QAbstractItemView* rows, QWidget* below, double most, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_list(list), m_rows(rows), m_most(most), m_fitting(new QTimer(this)) {
  addWidget(list);
  addWidget(below);
  setChildrenCollapsible(false);
  setHandleWidth(1);
  // Once what has changed is laid out.
  m_fitting->setSingleShot(true);
  connect(m_fitting, &QTimer::timeout, this, &FittedSplit::fit);
  const auto fitSoon = [this] { m_fitting->start(0); };
  const QAbstractItemModel* model = rows->model();
  connect(model, &QAbstractItemModel::modelReset, this, fitSoon);
  connect(model, &QAbstractItemModel::rowsInserted, this, fitSoon);
  connect(model, &QAbstractItemModel::rowsRemoved, this, fitSoon);
  connect(model, &QAbstractItemModel::layoutChanged, this, fitSoon);
  connect(this, &QSplitter::splitterMoved, this, [this] { m_isUsers = true; });
  list->installEventFilter(this);
}

bool FittedSplit::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) m_fitting->start(0);
  return QSplitter::eventFilter(watched, event);
}

void FittedSplit::resizeEvent(QResizeEvent* event) {
  QSplitter::resizeEvent(event);
  m_fitting->start(0);
}

void FittedSplit::showEvent(QShowEvent* event) {
  QSplitter::showEvent(event);
  m_fitting->start(0);
}

int FittedSplit::heightFor(int mostRows) const {
  const int rows = m_rows->isVisible() ? m_rows->model()->rowCount() : 0;
  if (rows == 0) return 0;
  const int around = m_list->height() - m_rows->viewport()->height();
  return around + std::min(rows, mostRows) * m_rows->visualRect(m_rows->model()->index(0, 0)).height();
}

void FittedSplit::fit() {
  if (m_isUsers || !isVisible() || m_list->isHidden()) return;
  const int wanted = heightFor(height());
  const int most = std::max(static_cast<int>(std::lround(height() * m_most)), heightFor(kFewestRows));
  const int first = wanted > 0 ? std::min(wanted, most) : most;
  if (first != sizes().front()) setSizes({first, height() - handleWidth() - first});
}

SplitPage::SplitPage(QWidget* head, QWidget* first, QWidget* second, Shares shares, QWidget* parent)
    : QWidget(parent), m_shares(shares), m_split(new QSplitter(Qt::Vertical, this)) {
  m_split->addWidget(first);
  m_split->addWidget(second);
  m_split->setStretchFactor(0, 3);
  m_split->setStretchFactor(1, 2);
  m_split->setChildrenCollapsible(false);
  m_split->setHandleWidth(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  if (head) column->addWidget(head);
  column->addWidget(m_split, 1);
}

void SplitPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const auto [needOfFirst, needOfSecond] = m_needs ? m_needs() : std::pair(0, 0);
  const int letters = fontMetrics().averageCharWidth() * m_shares.besideFrom;
  const bool isWide = width() >= std::max(letters, needOfFirst + needOfSecond);
  if (m_needs) m_split->widget(0)->setMinimumWidth(isWide ? needOfFirst : 0);
  const Qt::Orientation orientation = isWide ? Qt::Horizontal : Qt::Vertical;
  if (orientation == m_split->orientation() && m_isArranged) return;
  m_isArranged = true;
  m_split->setOrientation(orientation);
  if (m_needs) layout()->setGeometry(rect());  // so that it is known what the head leaves
  const int whole = isWide ? width() : m_needs ? m_split->height() : height();
  const int share = static_cast<int>(std::lround(whole * (isWide ? m_shares.beside : m_shares.above)));
  const int first = isWide ? std::min(share, whole - needOfSecond) : share;
  m_split->setSizes({first, whole - first});
}

}  // namespace heapscape::gui

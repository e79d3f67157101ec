// SPDX-License-Identifier: MIT
#include "widgets/arranging/fitted_split.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {

namespace {

constexpr int kFewestRows = 6;  // where there are as many

}  // namespace

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

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/review/page_list.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "views/review/page_delegate.h"
#include "views/review/review_model.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"

namespace heapscape::gui {

namespace {

constexpr int kUndoMs = 20'000;  // until the offer goes; the keys still do it

}  // namespace

PageList::PageList(ReviewModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_list(new QListView(this)),
      m_undo(new QWidget(this)),
      m_removed(makeNote({}, m_undo)),
      m_undoing(new QTimer(this)) {
  m_list->setObjectName(QStringLiteral("reviewPages"));
  m_list->setAccessibleName(QStringLiteral("Pages of the review"));
  m_list->setModel(model);
  m_list->setItemDelegate(new PageDelegate(m_list));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setDragDropMode(QAbstractItemView::InternalMove);
  m_list->setDefaultDropAction(Qt::MoveAction);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  addActions();

  auto* note = new QPushButton(symbolIcon(QStringLiteral("review")), QStringLiteral("New note page"), this);
  note->setObjectName(QStringLiteral("newNote"));
  note->setToolTip(QStringLiteral("A page of text alone, to begin with or to sum up"));
  auto* buttons = new QVBoxLayout;
  buttons->setContentsMargins(8, 8, 8, 8);
  buttons->addWidget(note);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_list, 1);
  column->addWidget(buildUndo());
  column->addLayout(buttons);
  setMinimumWidth(fontMetrics().averageCharWidth() * 34);
  setFocusProxy(m_list);

  connect(note, &QPushButton::clicked, this, &PageList::noteWanted);
  connect(m_list, &QWidget::customContextMenuRequested, this, &PageList::openMenu);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) { Q_EMIT pagePicked(current.row()); });
}

void PageList::addActions() {
  const auto add = [this](const char* name, const QString& text, const QKeySequence& keys,
                          const std::function<void()>& run) {
    auto* action = new QAction(text, m_list);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    m_list->addAction(action);
  };
  add("renamePage", QStringLiteral("Rename"), QKeySequence(Qt::Key_F2),
      [this] { m_list->edit(m_list->currentIndex()); });
  add("movePageUp", QStringLiteral("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
  add("movePageDown", QStringLiteral("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
  add("deletePage", QStringLiteral("Delete"), QKeySequence::Delete, [this] { removeCurrent(); });
  add("restorePage", QStringLiteral("Bring back what was deleted"), QKeySequence::Undo, [this] { restore(); });
}

QWidget* PageList::buildUndo() {
  auto* undo = new QPushButton(QStringLiteral("Undo"), m_undo);
  undo->setObjectName(QStringLiteral("undoDelete"));
  auto* line = new QHBoxLayout(m_undo);
  line->setContentsMargins(12, 8, 8, 0);
  line->addWidget(m_removed, 1);
  line->addWidget(undo);
  m_undo->hide();
  m_undoing->setSingleShot(true);
  m_undoing->setInterval(kUndoMs);
  connect(undo, &QPushButton::clicked, this, &PageList::restore);
  connect(m_undoing, &QTimer::timeout, m_undo, &QWidget::hide);
  connect(m_model, &QAbstractItemModel::modelReset, m_undo, &QWidget::hide);
  return m_undo;
}

void PageList::removeCurrent() {
  if (currentPage() < 0) return;
  m_model->removePage(currentPage());
  m_removed->setText(QStringLiteral("“%1” is deleted").arg(m_model->removedPage().value_or(QString())));
  m_undo->show();
  m_undoing->start();
}

void PageList::restore() {
  m_undo->hide();
  const int row = m_model->restorePage();
  if (row < 0) return;
  setCurrentPage(row);
  m_list->setFocus();
}

int PageList::currentPage() const {
  return m_list->currentIndex().row();
}

void PageList::setCurrentPage(int row) {
  m_list->setCurrentIndex(m_model->index(row));
}

void PageList::moveCurrent(int by) {
  const int row = currentPage();
  if (row >= 0) m_model->movePage(row, row + by);
}

void PageList::openMenu(const QPoint& position) {
  if (!m_list->indexAt(position).isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  menu.addActions(m_list->actions());
  menu.exec(m_list->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui

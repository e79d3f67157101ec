// SPDX-License-Identifier: MIT
#include "views/review/page_list.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "bridge/literals.h"
#include "views/review/review_model.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"

namespace heapscape::gui {

namespace {

/// A page of a review: its number, what it shows in small, its title, and what it is and where it comes from.
class PageDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;
};

constexpr int kPadding = 8;

void PageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem ground = option;
  QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
  const bool isSelected = (option.state & QStyle::State_Selected) != 0;
  const QPalette& palette = option.palette;
  const QColor ink = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
  const QColor dimmed = isSelected ? ink : Colours(palette).dimmedText();

  const QFontMetrics metrics = option.fontMetrics;
  const int line = metrics.lineSpacing();
  const QRect inner = option.rect.adjusted(kPadding, kPadding, -kPadding, -kPadding);
  const int top = inner.center().y() - line;  // of the words, in the middle beside the picture
  const QString number = QString::number(index.row() + 1);
  const int numberWidth = metrics.horizontalAdvance(u"88"_s);
  painter->save();
  painter->setFont(option.font);
  painter->setPen(dimmed);
  painter->drawText(QRect(inner.left(), top, numberWidth, line), Qt::AlignRight, number);
  const QRect thumbnail(QPoint(inner.left() + numberWidth + kPadding, inner.top()), kThumbnailSize);
  painter->drawPixmap(thumbnail.topLeft(), index.data(Qt::DecorationRole).value<QPixmap>());
  painter->setPen(Colours(palette).outline());
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(QRectF(thumbnail).adjusted(-0.5, -0.5, 0.5, 0.5));
  const int left = thumbnail.right() + kPadding + 2;
  const int room = inner.right() - left;
  painter->setPen(ink);
  painter->drawText(QRect(left, top, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data().toString(), Qt::ElideRight, room));
  painter->setPen(dimmed);
  painter->drawText(QRect(left, top + line, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data(ReviewModel::kSubtitleRole).toString(), Qt::ElideRight, room));
  painter->restore();
}

QSize PageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {160, std::max(option.fontMetrics.lineSpacing() * 2, kThumbnailSize.height()) + 2 * kPadding};
}

void PageDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(kPadding, kPadding / 2, -kPadding, -kPadding / 2));
}

constexpr int kUndoMs = 20'000;  // until the offer goes; the keys still do it

}  // namespace

PageList::PageList(ReviewModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_list(new QListView(this)),
      m_undo(new QWidget(this)),
      m_removed(makeNote({}, m_undo)),
      m_undoing(new QTimer(this)) {
  m_list->setObjectName(u"reviewPages"_s);
  m_list->setAccessibleName(u"Pages of the review"_s);
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

  auto* note = new QPushButton(symbolIcon(u"review"_s), u"New note page"_s, this);
  note->setObjectName(u"newNote"_s);
  note->setToolTip(u"A page of text alone, to begin with or to sum up"_s);
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
  add("renamePage", u"Rename"_s, QKeySequence(Qt::Key_F2), [this] { m_list->edit(m_list->currentIndex()); });
  add("movePageUp", u"Move up"_s, QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
  add("movePageDown", u"Move down"_s, QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
  add("copyPageMarkdown", u"Copy as Markdown issue"_s, QKeySequence(),
      [this] { Q_EMIT markdownWanted(currentPage()); });
  add("deletePage", u"Delete"_s, QKeySequence::Delete, [this] { removeCurrent(); });
  add("restorePage", u"Bring back what was deleted"_s, QKeySequence::Undo, [this] { restore(); });
}

QWidget* PageList::buildUndo() {
  auto* undo = new QPushButton(u"Undo"_s, m_undo);
  undo->setObjectName(u"undoDelete"_s);
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
  m_removed->setText(u"“%1” is deleted"_s.arg(m_model->removedPage().value_or(QString())));
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

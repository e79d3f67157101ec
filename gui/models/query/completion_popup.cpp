// SPDX-License-Identifier: MIT
#include "models/query/completion_popup.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include "widgets/drawing/colours.h"
#include "widgets/popup.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kHelpRole = Qt::UserRole;
constexpr int kMargin = 10;
constexpr int kMostRows = 10;
constexpr int kLetters = 56;

/// Paints what is inserted, then dimmed what it means; the meaning gives way first.
class CompletionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, qMax(24, qRound(option.fontMetrics.height() * 1.6))};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours colours(option.palette);
    const bool isSelected = option.state & QStyle::State_Selected;
    if (isSelected) painter->fillRect(option.rect, option.palette.highlight());
    const bool isError = !(index.flags() & Qt::ItemIsEnabled);
    const QColor ink = option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QRect rect = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    const QString text = index.data().toString();
    const QString shown = option.fontMetrics.elidedText(text, Qt::ElideMiddle, rect.width());
    painter->setPen(isError ? colours.warning() : ink);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
    const int room = rect.width() - option.fontMetrics.horizontalAdvance(shown) - 2 * kMargin;
    painter->setPen(isSelected ? ink : colours.dimmedText());
    if (room > 0) {
      painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                        option.fontMetrics.elidedText(index.data(kHelpRole).toString(), Qt::ElideRight, room));
    }
  }
};

}  // namespace

CompletionPopup::CompletionPopup(QWidget* window) : QListWidget(window) {
  setObjectName(u"completions"_s);
  setAccessibleName(u"What may be written here"_s);
  setItemDelegate(new CompletionDelegate(this));
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setUpPopup(this);
  hide();
  connect(this, &QListWidget::itemClicked, this, [this] {
    if (const engine::Completion* item = current(false)) Q_EMIT picked(engine::Completion(*item));
  });
}

void CompletionPopup::setItems(const engine::Completions& completions, const QString& error) {
  m_completions = completions;
  m_hasError = !error.isEmpty();
  clear();
  if (m_hasError) {
    auto* item = new QListWidgetItem(u"⚠ "_s + error, this);
    item->setToolTip(error);
    item->setFlags(Qt::NoItemFlags);
  }
  for (const engine::Completion& completion : m_completions.items) {
    auto* item = new QListWidgetItem(fromEngine(completion.text), this);
    item->setData(kHelpRole, fromEngine(completion.help));
    item->setToolTip(fromEngine(completion.help.empty() ? completion.text : completion.text + "\n" + completion.help));
  }
  setCurrentRow(-1);
}

void CompletionPopup::showUnder(const QWidget* line) {
  const int rows = qMin(count(), kMostRows);
  if (rows == 0) {
    hide();
    return;
  }
  const QSize wanted(qMax(line->width(), fontMetrics().averageCharWidth() * kLetters),
                     rows * sizeHintForRow(0) + 2 * frameWidth());
  showPopup(this, line, wanted);
}

void CompletionPopup::moveCurrent(int rows) {
  if (count() <= firstItem()) return;
  const int from = currentRow() < 0 ? (rows > 0 ? firstItem() - 1 : count()) : currentRow();
  setCurrentRow(qBound(firstItem(), from + rows, count() - 1));
}

const engine::Completion* CompletionPopup::current(bool orFirst) const {
  const int row = currentRow() < 0 && orFirst ? firstItem() : currentRow();
  const int item = row - firstItem();
  if (row < 0 || item < 0 || item >= static_cast<int>(m_completions.items.size())) return nullptr;
  return &m_completions.items[static_cast<std::size_t>(item)];
}

}  // namespace heapscape::gui

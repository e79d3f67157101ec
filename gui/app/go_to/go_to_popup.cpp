// SPDX-License-Identifier: MIT
#include "app/go_to/go_to_popup.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <utility>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr int kDetailRole = Qt::UserRole;
constexpr int kMargin = 10;
constexpr int kMostRows = 12;

/// Icon, title, and the detail dimmed at the right end; the title gives way first, in its middle.
class EntryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, qMax(28, qRound(option.fontMetrics.height() * 1.8))};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours colours(option.palette);
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, option.palette.highlight());
    const int side = qRound(option.fontMetrics.height() * 1.1);
    const QRect icon(option.rect.x() + kMargin, option.rect.center().y() - side / 2, side, side);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);

    const QRect text = option.rect.adjusted(kMargin * 2 + side, 0, -kMargin, 0);
    const QString detail = index.data(kDetailRole).toString();
    const QString shownDetail = option.fontMetrics.elidedText(detail, Qt::ElideRight, text.width() / 2);
    const int detailWidth = option.fontMetrics.horizontalAdvance(shownDetail);
    painter->setPen(colours.dimmedText());
    painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, shownDetail);
    const bool isAnswer = option.widget && option.widget->isEnabled();
    // A line that cannot be picked is read all the same.
    painter->setPen(isAnswer ? option.palette.color(QPalette::Active, QPalette::Text) : colours.dimmedText());
    const int titleWidth = text.width() - detailWidth - kMargin;
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, titleWidth));
  }
};

}  // namespace

GoToPopup::GoToPopup(QWidget* window) : QListWidget(window) {
  setItemDelegate(new EntryDelegate(this));
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::StyledPanel);
  setObjectName(QStringLiteral("popup"));
  setAccessibleName(QStringLiteral("Where to go"));
  hide();
  connect(this, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) { setCurrentItem(item); });
  connect(this, &QListWidget::itemClicked, this, [this] { runCurrent(); });
}

void GoToPopup::setEntries(std::vector<GoToEntry> entries) {
  m_entries = std::move(entries);
  clear();
  for (const GoToEntry& entry : m_entries) {
    auto* item = new QListWidgetItem(symbolIcon(entry.symbol), entry.title, this);
    item->setData(kDetailRole, entry.detail);
    item->setToolTip(entry.detail.isEmpty() ? entry.title : entry.title + QLatin1Char('\n') + entry.detail);
    if (!entry.run) item->setFlags(Qt::NoItemFlags);
  }
  setCurrentRow(m_entries.empty() || !m_entries.front().run ? -1 : 0);
}

void GoToPopup::showUnder(const QWidget* box) {
  const int rows = qMin(count(), kMostRows);
  if (rows == 0) {
    hide();
    return;
  }
  const QPoint corner = box->mapTo(parentWidget(), QPoint(0, box->height() + 2));
  const int height = rows * sizeHintForRow(0) + 2 * frameWidth() + 8;
  setGeometry(corner.x(), corner.y(), box->width(), qMin(height, parentWidget()->height() - corner.y() - kMargin));
  raise();
  show();
}

void GoToPopup::moveCurrent(int rows) {
  if (count() > 0) setCurrentRow(qBound(0, currentRow() + rows, count() - 1));
}

bool GoToPopup::runCurrent() {
  const int row = currentRow();
  if (row < 0 || row >= static_cast<int>(m_entries.size())) return false;
  const auto run = m_entries[static_cast<std::size_t>(row)].run;  // a copy: running may fill the list anew
  if (!run) return false;
  hide();
  run();
  return true;
}

}  // namespace heapscape::gui

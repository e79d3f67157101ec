// SPDX-License-Identifier: MIT
#include "app/go_to/go_to_popup.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <utility>

#include "models/names/type_name.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/popup.h"
#include "widgets/text/elided_name.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

namespace {

constexpr int kDetailRole = Qt::UserRole;
constexpr int kIsTypeRole = Qt::UserRole + 1;
constexpr int kMargin = 10;
constexpr int kMostRows = 12;
constexpr int kLeastLetters = 64;

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
    const QString title = index.data().toString();
    const bool isType = index.data(kIsTypeRole).toBool();
    const std::string name = isType ? title.toStdString() : std::string();
    const ElidedName shown = elideName(title, isType ? namespaceLength(name) : 0, text.width() - detailWidth - kMargin,
                                       option.font, shortTypeName(name));
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, shown.prefix + shown.rest);
  }
};

}  // namespace

GoToPopup::GoToPopup(QWidget* window) : QListWidget(window) {
  setItemDelegate(new EntryDelegate(this));
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setUpPopup(this);
  setObjectName(QStringLiteral("popup"));
  setAccessibleName(QStringLiteral("Where to go"));
  hide();
  connect(this, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) { setCurrentItem(item); });
  connect(this, &QListWidget::itemClicked, this, &GoToPopup::picked);
}

void GoToPopup::setEntries(std::vector<GoToEntry> entries) {
  m_entries = std::move(entries);
  clear();
  for (const GoToEntry& entry : m_entries) {
    auto* item = new QListWidgetItem(symbolIcon(entry.symbol), entry.title, this);
    item->setData(kDetailRole, entry.detail);
    item->setData(kIsTypeRole, entry.isType);
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
  const QSize wanted(qMax(box->width(), fontMetrics().averageCharWidth() * kLeastLetters),
                     rows * sizeHintForRow(0) + 2 * frameWidth());
  showPopup(this, box, wanted);
}

void GoToPopup::moveCurrent(int rows) {
  if (count() > 0) setCurrentRow(qBound(0, currentRow() + rows, count() - 1));
}

bool GoToPopup::canRunCurrent() const {
  const int row = currentRow();
  return row >= 0 && row < static_cast<int>(m_entries.size()) && m_entries[static_cast<std::size_t>(row)].run;
}

void GoToPopup::runCurrent() {
  if (!canRunCurrent()) return;
  const auto run = m_entries[static_cast<std::size_t>(currentRow())].run;  // a copy: running may fill the list anew
  hide();
  run();
}

}  // namespace heapscape::gui

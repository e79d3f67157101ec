// SPDX-License-Identifier: MIT
#include "widgets/filter_line.h"

#include <QAbstractItemView>
#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QWidget>
#include <algorithm>
#include <climits>
#include <optional>

#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr auto kIsFilter = "isFilter";

bool isFilter(const QWidget* widget) {
  return widget && widget->property(kIsFilter).toBool();
}

template <class Widget>
QList<Widget*> visible(QWidget* part) {
  QList<Widget*> shown;
  for (Widget* widget : part->findChildren<Widget*>()) {
    if (widget->isVisible() && widget->isEnabled()) shown << widget;
  }
  return shown;
}

QRect placeOn(const QWidget* page, const QWidget* widget) {
  return {widget->mapTo(page, QPoint(0, 0)), widget->size()};
}

// How far the one lies above the other; nothing if it does not.
std::optional<int> heightAbove(const QWidget* page, const QWidget* upper, const QWidget* lower) {
  const QRect above = placeOn(page, upper);
  const QRect below = placeOn(page, lower);
  const bool isAbove = above.bottom() <= below.top() && above.left() <= below.right() && below.left() <= above.right();
  return isAbove ? std::optional(below.top() - above.bottom()) : std::nullopt;
}

void goToList(QWidget* filter) {
  QAbstractItemView* nearest = nullptr;
  int smallest = INT_MAX;
  for (QAbstractItemView* list : visible<QAbstractItemView>(filter->window())) {
    const auto height = qobject_cast<QHeaderView*>(list) ? std::nullopt : heightAbove(filter->window(), filter, list);
    if (height && *height < smallest) nearest = list;
    if (height) smallest = std::min(smallest, *height);
  }
  if (!nearest) return;
  nearest->setFocus(Qt::TabFocusReason);
  if (!nearest->currentIndex().isValid() && nearest->model()) nearest->setCurrentIndex(nearest->model()->index(0, 0));
}

}  // namespace

void setUpFilter(QLineEdit* line) {
  line->setProperty(kIsFilter, true);
  line->setClearButtonEnabled(true);
  line->setMinimumHeight(std::max(28, line->fontMetrics().height() * 8 / 5));
  line->addAction(symbolIcon(u"search"_s), QLineEdit::LeadingPosition);
}

QLineEdit* filterOf(QWidget* page, QWidget* focused) {
  QList<QLineEdit*> filters = visible<QLineEdit>(page);
  filters.removeIf([](const QLineEdit* line) { return !isFilter(line); });
  if (filters.isEmpty()) return nullptr;
  if (filters.contains(focused)) return static_cast<QLineEdit*>(focused);
  QLineEdit* nearest = *std::ranges::min_element(filters, {}, [&](const QLineEdit* line) {
    const QPoint place = placeOn(page, line).topLeft();
    return std::pair(place.y(), place.x());
  });
  if (!focused || !page->isAncestorOf(focused)) return nearest;
  int smallest = INT_MAX;
  for (QLineEdit* line : filters) {
    const auto height = heightAbove(page, line, focused);
    if (height && *height < smallest) nearest = line;
    if (height) smallest = std::min(smallest, *height);
  }
  return nearest;
}

bool leaveFilter(QWidget* focused, const QKeyEvent& key) {
  const bool isEscape = key.key() == Qt::Key_Escape;
  if (!isFilter(focused) || (!isEscape && key.key() != Qt::Key_Down)) return false;
  if (isEscape) static_cast<QLineEdit*>(focused)->clear();
  goToList(focused);
  return true;
}

void addFindActions(QWidget* part, std::function<void(int step)> find) {
  const auto add = [&](const QString& text, QKeySequence::StandardKey key, int step) {
    auto* action = new QAction(text, part);
    action->setShortcuts(key);
    QObject::connect(action, &QAction::triggered, part, [find, step] { find(step); });
    part->addAction(action);
  };
  add(u"Find next"_s, QKeySequence::FindNext, 1);
  add(u"Find previous"_s, QKeySequence::FindPrevious, -1);
}

}  // namespace heapscape::gui

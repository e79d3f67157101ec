// SPDX-License-Identifier: MIT
#include "widgets/find_actions.h"

#include <QAction>
#include <QWidget>

namespace heapscape::gui {

void addFindActions(QWidget* part, std::function<void(int step)> find) {
  const auto add = [&](const QString& text, QKeySequence::StandardKey key, int step) {
    auto* action = new QAction(text, part);
    action->setShortcuts(key);
    QObject::connect(action, &QAction::triggered, part, [find, step] { find(step); });
    part->addAction(action);
  };
  add(QStringLiteral("Find next"), QKeySequence::FindNext, 1);
  add(QStringLiteral("Find previous"), QKeySequence::FindPrevious, -1);
}

}  // namespace heapscape::gui

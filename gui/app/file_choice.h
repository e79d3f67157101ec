// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QMenu;
class QWidget;

namespace heapscape::gui {

/// Which file to open, beginning in the folder of the newest of `recent`; empty if the user would rather not.
QString chooseDump(QWidget* window, const QStringList& recent);
QString chooseReview(QWidget* window, const QStringList& recent);
QString chooseAssembly(QWidget* window, const QStringList& recent);

/// An entry for each; those that are gone cannot be picked.
void fillRecentMenu(QMenu* menu, const QStringList& recent, const std::function<void(const QString&)>& open);

}  // namespace heapscape::gui

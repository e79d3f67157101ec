// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace heapscape::gui {

/// Which file to open, beginning in the folder of the newest of `recent`; empty if the user would rather not.
QString chooseDump(QWidget* window, const QStringList& recent);
QString chooseReview(QWidget* window, const QStringList& recent);
QString chooseAssembly(QWidget* window, const QStringList& recent);

}  // namespace heapscape::gui

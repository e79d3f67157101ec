// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <functional>

class QMenu;

namespace heapscape::gui {

/// An entry for each file that was open of late; those that are gone cannot be picked.
void addRecent(QMenu& menu, const QStringList& paths, const std::function<void(const QString&)>& open);

}  // namespace heapscape::gui

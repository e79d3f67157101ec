// SPDX-License-Identifier: MIT
#pragma once

#include <QPoint>

class QMenu;

namespace heapscape::gui {

class QueryEdit;

/// Views that were saved, queries that were asked, and what can be asked of this list.
void fillQueryMenu(QMenu& menu, QueryEdit& edit);
void runQueryMenu(QueryEdit& edit, const QPoint& position);

}  // namespace heapscape::gui

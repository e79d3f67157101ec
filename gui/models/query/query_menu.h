// SPDX-License-Identifier: MIT
#pragma once

#include <QPoint>
#include <QString>

#include "query/schema.h"

class QMenu;

namespace heapscape::gui {

class QueryEdit;

/// The fields of a list and examples of queries, as rich text.
QString queryHelpText(const engine::QuerySchema& schema);
/// In a window of its own beside the line.
void showQueryHelp(QueryEdit& edit);

/// Views that were saved, queries that were asked, and what can be asked of this list.
void fillQueryMenu(QMenu& menu, QueryEdit& edit);
void runQueryMenu(QueryEdit& edit, const QPoint& position);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "query/schema.h"

namespace heapscape::gui {

class QueryEdit;

/// The fields of a list and examples of queries, as rich text.
QString queryHelpText(const engine::QuerySchema& schema);
/// In a window of its own beside the line.
void showQueryHelp(QueryEdit& edit);

}  // namespace heapscape::gui

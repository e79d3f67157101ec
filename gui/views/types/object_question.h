// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "views/types/object_rows.h"

namespace heapscape::gui {

/// On the engine thread. Sorts by size in place of what is known with retained sizes only, as long as these are not.
/// Fails with BadQuery for a wrong text.
engine::Outcome<std::shared_ptr<const FoundObjectList>> searchObjects(const engine::Snapshot& snapshot,
                                                                      const std::string& text,
                                                                      engine::ObjectSearch search,
                                                                      engine::ProgressSink* progress,
                                                                      std::stop_token stop);

/// "Searching… 12%", then "Sorting… 45%".
QString searchProgressText(const engine::Progress& progress);

/// "1,234 objects · 56 KB", with what could not be compared.
QString objectTotals(const engine::FoundObjects& found);
QString objectTotalsTip(const engine::FoundObjects& found);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "models/rows/row_list.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::gui {

/// Activities of the runtime's threads, by address.
using ThreadActivities = std::map<engine::Address, QString>;
RowSchema<engine::ThreadRow> threadSchema();
RowSchema<engine::LockRow> lockSchema();

/// "threadPoolWorker" as people read it: "thread pool worker".
QString stateWords(const std::string& name);
/// "5 worker": the managed id and the name, if there is one. A managed id of 0 is "–".
QString threadText(std::uint32_t managedId, const std::string& name);

}  // namespace heapscape::gui

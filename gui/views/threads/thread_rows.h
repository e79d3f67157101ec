// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "models/rows/row_list.h"
#include "session/async/async_query.h"
#include "session/async/http_requests.h"
#include "session/details/exceptions_query.h"
#include "session/threads/local_values.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "tables/async_tables.h"

namespace heapscape::gui {

/// Activities of the runtime's threads, by address.
using ThreadActivities = std::map<engine::Address, QString>;
RowSchema<engine::ThreadRow> threadSchema();
RowSchema<engine::LockRow> lockSchema();

/// "threadPoolWorker" as people read it: "thread pool worker".
QString stateWords(const std::string& name);
/// "5 worker": the managed id and the name, if there is one. A managed id of 0 is "–".
QString threadText(std::uint32_t managedId, const std::string& name);

// Lists of what threads and flows of async methods have to do with, as tabs beside the stacks.

RowSchema<engine::ExceptionRow> exceptionSchema();
RowSchema<engine::LocalValueRow> localValueSchema();
RowSchema<engine::HttpRequestRow> httpSchema();

/// Managed ids of threads as words of a cell.
QString idsText(const std::vector<std::uint32_t>& threads);

RowSchema<engine::ListedChains> asyncSchema();

/// "waits for Task.Delay", "runs on thread 7".
QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain);

}  // namespace heapscape::gui

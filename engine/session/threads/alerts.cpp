// SPDX-License-Identifier: MIT
#include "session/threads/alerts.h"

#include <algorithm>

#include "memory/elf/redaction.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"
#include "session/threads/thread_waits.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {

Outcome<Alerts> findAlerts(const Snapshot& snapshot, std::stop_token stop) {
  Alerts alerts;
  if (const Redaction* redaction = snapshot.contents().memory->redaction(); redaction && !redaction->hasContents) {
    alerts.isWithoutContents = true;
    alerts.redactedOn = redaction->date;
  }
  HEAPSCAPE_TRY(const FinalizerList finalizers, listFinalizers(snapshot, stop));
  alerts.readyFinalizers = static_cast<std::uint64_t>(std::ranges::count_if(
      finalizers.objects, [](const FinalizerRow& row) { return row.queue != FinalizerQueueKind::Registered; }));
  HEAPSCAPE_TRY(const auto stacks, keptStacksInWords(snapshot, stop));
  HEAPSCAPE_TRY(const LockList locks, listLocks(snapshot, stop));
  HEAPSCAPE_TRY(BlockedThreads blocked, listBlockedThreads(snapshot, *stacks, locks, std::move(stop)));
  alerts.deadlocks = std::move(blocked.deadlocks);
  return alerts;
}

}  // namespace heapscape::engine

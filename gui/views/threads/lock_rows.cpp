// SPDX-License-Identifier: MIT
#include <QObject>

#include "tables/thread_tables.h"
#include "views/threads/thread_rows.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::LockKind;
using engine::LockRow;

QString whereText(const LockRow& lock) {
  if (lock.kind == LockKind::Thin) return QStringLiteral("Header");
  if (!engine::isMonitor(lock.kind)) return QStringLiteral("Fields");
  return QStringLiteral("Sync block %1").arg(countText(lock.syncBlockIndex));
}

QString whereDetail(const LockRow& lock) {
  if (lock.kind == LockKind::Thin)
    return QStringLiteral("A thin lock: owner and recursion lie in the object's header.");
  if (!engine::isMonitor(lock.kind)) return QStringLiteral("No monitor: a lock that keeps its state in its fields.");
  QString detail = QStringLiteral("Sync block %1 at %2").arg(lock.syncBlockIndex).arg(addressText(lock.syncBlock));
  if (lock.hashCode != 0) detail += QLatin1Char('\n') + QStringLiteral("Keeps the hash code %1").arg(lock.hashCode);
  if (lock.hasInterop) detail += QLatin1Char('\n') + QStringLiteral("Holds data of COM or of a wrapper");
  return detail;
}

QString ownerText(const LockRow& lock) {
  if (!lock.isHeld) return {};
  if (lock.hasOwnerEnded && lock.ownerManagedId == 0) return QStringLiteral("a thread that has ended");
  return lock.ownerManagedId == 0 ? QStringLiteral("unknown") : threadText(lock.ownerManagedId, lock.ownerName);
}

}  // namespace

RowSchema<LockRow> lockSchema() {
  RowSchema<LockRow> schema{.table = &engine::locksTable()};
  schema.columns = {
      {.setup = {.field = "object"}, .object = &LockRow::object, .type = &LockRow::methodTable},
      {.setup = {.field = "type", .letters = 28}, .type = &LockRow::methodTable},
      {.setup = {.field = "ownerManagedId", .isInWords = true, .letters = 22},
       .words = ownerText,
       .detail =
           [](const LockRow& lock) {
             return lock.ownerOsId == 0 ? QString()
                                        : QStringLiteral("Thread %1 of the operating system").arg(lock.ownerOsId);
           }},
      {.setup = {.field = "ownerDoing", .letters = 28, .stretches = true}},
      {.setup = {.field = "entered", .letters = 8}},
      {.setup = {.field = "waiting", .letters = 8}, .isWarning = [](const LockRow& lock) { return lock.waiting > 0; }},
      {.setup = {.field = "kind", .title = QStringLiteral("Kept in"), .letters = 15},
       .words = whereText,
       .detail = whereDetail},
  };
  schema.kinds = {{.name = QStringLiteral("Contended"), .tip = QStringLiteral("Threads wait for it.")},
                  {.name = QStringLiteral("Held"), .tip = QStringLiteral("A thread is inside; nobody waits.")},
                  {.name = QStringLiteral("Free"), .tip = QStringLiteral("A sync block that nobody holds.")}};
  schema.kindOf = [](const LockRow& lock) { return static_cast<std::size_t>(engine::standingOf(lock)); };
  schema.identity = [](const LockRow& lock) { return lock.syncBlock ? lock.syncBlock : lock.object; };
  return schema;
}

}  // namespace heapscape::gui

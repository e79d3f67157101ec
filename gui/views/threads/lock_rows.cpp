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
  if (lock.kind == LockKind::Thin) return u"Header"_s;
  if (!engine::isMonitor(lock.kind)) return u"Fields"_s;
  return u"Sync block %1"_s.arg(countText(lock.syncBlockIndex));
}

QString whereDetail(const LockRow& lock) {
  if (lock.kind == LockKind::Thin) return u"A thin lock: owner and recursion lie in the object's header."_s;
  if (!engine::isMonitor(lock.kind)) return u"No monitor: a lock that keeps its state in its fields."_s;
  QString detail = u"Sync block %1 at %2"_s.arg(lock.syncBlockIndex).arg(addressText(lock.syncBlock));
  if (lock.hashCode != 0) detail += QLatin1Char('\n') + u"Keeps the hash code %1"_s.arg(lock.hashCode);
  if (lock.hasInterop) detail += QLatin1Char('\n') + u"Holds data of COM or of a wrapper"_s;
  return detail;
}

QString ownerText(const LockRow& lock) {
  if (!lock.isHeld) return {};
  if (lock.hasOwnerEnded && lock.ownerManagedId == 0) return u"a thread that has ended"_s;
  return lock.ownerManagedId == 0 ? u"unknown"_s : threadText(lock.ownerManagedId, lock.ownerName);
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
             return lock.ownerOsId == 0 ? QString() : u"Thread %1 of the operating system"_s.arg(lock.ownerOsId);
           }},
      {.setup = {.field = "ownerDoing", .letters = 28, .stretches = true}},
      {.setup = {.field = "entered", .letters = 8}},
      {.setup = {.field = "waiting", .letters = 8}, .isWarning = [](const LockRow& lock) { return lock.waiting > 0; }},
      {.setup = {.field = "kind", .title = u"Kept in"_s, .letters = 15}, .words = whereText, .detail = whereDetail},
  };
  schema.kinds = {{.name = u"Contended"_s, .tip = u"Threads wait for it."_s},
                  {.name = u"Held"_s, .tip = u"A thread is inside; nobody waits."_s},
                  {.name = u"Free"_s, .tip = u"A sync block that nobody holds."_s}};
  schema.kindOf = [](const LockRow& lock) { return static_cast<std::size_t>(engine::standingOf(lock)); };
  schema.identity = [](const LockRow& lock) { return lock.syncBlock ? lock.syncBlock : lock.object; };
  return schema;
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include <QObject>

#include "views/threads/thread_rows.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::LockKind;
using engine::LockRow;

enum LockGroup : std::size_t { Contended, Held, Free };

LockGroup kindOf(const LockRow& lock) {
  if (lock.waiting > 0) return Contended;
  return lock.isHeld ? Held : Free;
}

QString whereText(const LockRow& lock) {
  if (lock.kind == LockKind::Thin) return QObject::tr("Header");
  return QObject::tr("Sync block %1").arg(countText(lock.syncBlockIndex));
}

QString whereDetail(const LockRow& lock) {
  if (lock.kind == LockKind::Thin) return QObject::tr("A thin lock: owner and recursion lie in the object's header.");
  QString detail = QObject::tr("Sync block %1 at %2").arg(lock.syncBlockIndex).arg(addressText(lock.syncBlock));
  if (lock.hashCode != 0) detail += QLatin1Char('\n') + QObject::tr("Keeps the hash code %1").arg(lock.hashCode);
  if (lock.hasInterop) detail += QLatin1Char('\n') + QObject::tr("Holds data of COM or of a wrapper");
  return detail;
}

// The two kinds of locks count differently.
std::uint64_t entersOf(const LockRow& lock) {
  if (!lock.isHeld) return 0;
  return lock.kind == LockKind::Thin ? std::uint64_t{lock.recursion} + 1 : std::uint64_t{lock.recursion};
}

QString ownerText(const LockRow& lock) {
  if (!lock.isHeld) return {};
  return lock.ownerManagedId == 0 ? QObject::tr("unknown") : threadText(lock.ownerManagedId, lock.ownerName);
}

void addLockColumns(RowSchema<LockRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Object"), .look = ColumnLook::Address, .isSearched = true},
           .number = [](const LockRow& lock) { return lock.object.value; },
           .link =
               [](const LockRow& lock) {
                 return RowLink{lock.object, lock.methodTable};
               }},
          {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .letters = 28, .isSearched = true},
           .words = [](const LockRow& lock) { return fromEngine(lock.typeName); },
           .link =
               [](const LockRow& lock) {
                 return RowLink{{}, lock.methodTable};
               }},
          {.setup = {.title = QObject::tr("Held by"), .letters = 22, .isSearched = true, .holdsContents = false},
           .words = ownerText,
           .detail =
               [](const LockRow& lock) {
                 return lock.ownerOsId == 0 ? QString()
                                            : QObject::tr("Thread %1 of the operating system").arg(lock.ownerOsId);
               }},
          {.setup = {.title = QObject::tr("Doing"),
                     .tip = QObject::tr("What the thread that holds it does, as its stack tells"),
                     .letters = 28,
                     .stretches = true,
                     .isSearched = true,
                     .holdsContents = false},
           .words = [](const LockRow& lock) { return fromEngine(lock.ownerDoing); }},
          {.setup = {.title = QObject::tr("Entered"),
                     .tip = QObject::tr("How many times its owner has entered it"),
                     .look = ColumnLook::Count,
                     .letters = 8,
                     .hidesZero = true},
           .number = entersOf},
          {.setup = {.title = QObject::tr("Waiting"),
                     .tip = QObject::tr("Threads that wait to enter"),
                     .look = ColumnLook::Count,
                     .letters = 8,
                     .hidesZero = true},
           .number = [](const LockRow& lock) { return std::uint64_t{lock.waiting}; },
           .isWarning = [](const LockRow& lock) { return lock.waiting > 0; }},
          {.setup = {.title = QObject::tr("Kept in"), .letters = 15, .holdsContents = false},
           .words = whereText,
           .detail = whereDetail},
      });
}

}  // namespace

RowSchema<LockRow> lockSchema() {
  RowSchema<LockRow> schema;
  addLockColumns(schema);
  schema.kinds = {
      {.name = QObject::tr("Contended"), .tip = QObject::tr("Threads wait for it.")},
      {.name = QObject::tr("Held"), .tip = QObject::tr("A thread is inside; nobody waits.")},
      {.name = QObject::tr("Free"), .tip = QObject::tr("A sync block that nobody holds.")},
  };
  schema.kindOf = [](const LockRow& lock) { return static_cast<std::size_t>(kindOf(lock)); };
  schema.identity = [](const LockRow& lock) { return lock.syncBlock ? lock.syncBlock : lock.object; };
  return schema;
}

}  // namespace heapscape::gui

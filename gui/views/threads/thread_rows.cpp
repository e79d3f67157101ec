// SPDX-License-Identifier: MIT
#include "views/threads/thread_rows.h"

#include <QObject>
#include <QStringList>

#include "models/cells/words_delegate.h"
#include "models/rows/retained_column.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::ThreadRow;

enum ThreadGroup : std::size_t { Foreground, Background, Pool, Finalizer, Gc, Dead };

ThreadGroup kindOf(const ThreadRow& thread) {
  if (!thread.isAlive) return Dead;
  if (thread.isFinalizer) return Finalizer;
  if (thread.isGc) return Gc;
  if (thread.isThreadPool) return Pool;
  return thread.isBackground ? Background : Foreground;
}

std::vector<RowKind> threadKinds() {
  return {
      {.name = QObject::tr("Foreground"), .tip = QObject::tr("The program ends when the last of these ends.")},
      {.name = QObject::tr("Background"), .tip = QObject::tr("Do not keep the program from ending.")},
      {.name = QObject::tr("Thread pool"), .tip = QObject::tr("Do the work items of the thread pool.")},
      {.name = QObject::tr("Finalizer"), .tip = QObject::tr("The one thread that runs finalizers.")},
      {.name = QObject::tr("GC"), .tip = QObject::tr("Threads of the garbage collector itself.")},
      {.name = QObject::tr("Dead"), .tip = QObject::tr("Have ended; the runtime still knows them.")},
  };
}

// What nearly every thread is says little, so it comes last.
bool isUsual(const std::string& state) {
  return state == "legalToJoin" || state == "weOwn" || state == "fullyInitialized" || state.starts_with("inMta");
}

QString stateText(const ThreadRow& thread) {
  QStringList words;
  if (thread.isFinalizer) words << QObject::tr("finalizer");
  if (thread.isGc) words << QObject::tr("GC");
  QStringList usual;
  for (const std::string& state : thread.state) {
    (isUsual(state) ? usual : words) << stateWords(state);
  }
  return (words + usual).join(wordSeparator());
}

QString contextText(const ThreadRow& thread) {
  if (thread.allocationContext.isEmpty()) return QObject::tr("No allocation context.");
  return QObject::tr("%1 to %2: %3 left")
      .arg(addressText(thread.allocationContext.start), addressText(thread.allocationContext.end),
           exactBytesText(thread.allocationContext.sizeBytes()));
}

QString stackText(const ThreadRow& thread) {
  if (thread.stack.isEmpty()) return QObject::tr("The limits of its stack are unknown.");
  return QObject::tr("Stack %1 to %2, %3")
      .arg(addressText(thread.stack.start), addressText(thread.stack.end), bytesText(thread.stack.sizeBytes()));
}

RowColumn<ThreadRow> doingColumn(std::shared_ptr<const ThreadActivities> activities) {
  return {.setup = {.title = QObject::tr("Doing"),
                    .tip = QObject::tr("What it was doing, or where it was, as its stack tells"),
                    .letters = 36,
                    .stretches = true,
                    .isSearched = true,
                    .holdsContents = false},
          .words = [activities = std::move(activities)](const ThreadRow& thread) {
            if (!activities) return QString();
            const auto found = activities->find(thread.address);
            return found == activities->end() ? QString() : found->second;
          }};
}

void addWhoColumns(RowSchema<ThreadRow>& schema, std::shared_ptr<const ThreadActivities> activities) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Id"),
                     .tip = QObject::tr("Managed id"),
                     .look = ColumnLook::Id,
                     .letters = 6,
                     .isSearched = true},
           .number = [](const ThreadRow& thread) { return std::uint64_t{thread.managedId}; },
           .link =
               [](const ThreadRow& thread) {
                 return RowLink{thread.managedThread, {}};
               }},
          {.setup = {.title = QObject::tr("OS id"),
                     .tip = QObject::tr("Id of the operating system's thread; none once the thread has ended"),
                     .look = ColumnLook::Id,
                     .letters = 9,
                     .hidesZero = true,
                     .isSearched = true},
           .number = [](const ThreadRow& thread) { return std::uint64_t{thread.osId}; },
           .detail = [](const ThreadRow& thread) { return QString::number(thread.osId); }},
          {.setup = {.title = QObject::tr("Name"), .letters = 20, .isSearched = true},
           .words = [](const ThreadRow& thread) { return fromEngine(thread.name); },
           .detail = stackText},
          doingColumn(std::move(activities)),
          {.setup = {.title = QObject::tr("State"),
                     .look = ColumnLook::Words,
                     .letters = 24,
                     .isSearched = true,
                     .holdsContents = false},
           .words = stateText,
           .detail =
               [](const ThreadRow& thread) {
                 return QObject::tr("%1\nState bits 0x%2")
                     .arg(stateText(thread))
                     .arg(thread.stateBits, 8, 16, QLatin1Char('0'));
               }},
      });
}

void addWhatColumns(RowSchema<ThreadRow>& schema) {
  schema.columns.insert(
      schema.columns.end(),
      {
          {.setup = {.title = QObject::tr("Locks"),
                     .tip = QObject::tr("Monitors that it holds"),
                     .look = ColumnLook::Count,
                     .letters = 6,
                     .hidesZero = true},
           .number = [](const ThreadRow& thread) { return std::uint64_t{thread.locks}; }},
          retainedColumn<ThreadRow>(QObject::tr("What its stack and its statics hold, and nothing else does"),
                                    [](const ThreadRow& thread) { return thread.isAlive; }),
          {.setup = {.title = QObject::tr("Waits for"),
                     .tip = QObject::tr("Managed id of the thread that holds the lock that it waits for"),
                     .look = ColumnLook::Id,
                     .letters = 9,
                     .hidesZero = true},
           .number = [](const ThreadRow& thread) { return std::uint64_t{thread.waitsForManagedId}; },
           .isWarning = [](const ThreadRow& thread) { return thread.waitsForManagedId != 0; }},
          {.setup =
               {.title = QObject::tr("Exception"), .look = ColumnLook::TypeName, .letters = 24, .isSearched = true},
           .words = [](const ThreadRow& thread) { return fromEngine(thread.exceptionType); },
           .link =
               [](const ThreadRow& thread) {
                 return RowLink{thread.exception, {}};
               }},
          {.setup = {.title = QObject::tr("To allocate"),
                     .tip = QObject::tr("What is left of the piece of the heap that it allocates from"),
                     .look = ColumnLook::Bytes,
                     .hidesZero = true},
           .number = [](const ThreadRow& thread) { return thread.allocationContext.sizeBytes(); },
           .detail = contextText},
          {.setup = {.title = QObject::tr("Thread"),
                     .tip = QObject::tr("Address of the runtime's Thread"),
                     .look = ColumnLook::Address,
                     .isSearched = true},
           .number = [](const ThreadRow& thread) { return thread.address.value; }},
      });
}

}  // namespace

QString stateWords(const std::string& name) {
  QString words;
  const QString camelCase = fromEngine(name);
  for (const QChar letter : camelCase) {
    if (letter.isUpper() && !words.isEmpty()) words += QLatin1Char(' ');
    words += letter.toLower();
  }
  return words;
}

QString threadText(std::uint32_t managedId, const std::string& name) {
  if (managedId == 0) return QStringLiteral("–");
  const QString id = QString::number(managedId);
  return name.empty() || HiddenContents::areWanted() ? id : QStringLiteral("%1 %2").arg(id, fromEngine(name));
}

RowSchema<ThreadRow> threadSchema(std::shared_ptr<const ThreadActivities> activities) {
  RowSchema<ThreadRow> schema;
  addWhoColumns(schema, std::move(activities));
  addWhatColumns(schema);
  schema.kinds = threadKinds();
  schema.kindOf = [](const ThreadRow& thread) { return static_cast<std::size_t>(kindOf(thread)); };
  schema.identity = [](const ThreadRow& thread) { return thread.address; };
  return schema;
}

}  // namespace heapscape::gui

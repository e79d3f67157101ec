// SPDX-License-Identifier: MIT
#include "views/threads/thread_rows.h"

#include <QObject>
#include <QStringList>

#include "models/cells/words_delegate.h"
#include "models/rows/retained_column.h"
#include "tables/thread_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::ThreadRow;

// In the order of ThreadRole.
std::vector<RowKind> threadKinds() {
  return {
      {.name = u"Foreground"_s, .tip = u"The program ends when the last of these ends."_s},
      {.name = u"Background"_s, .tip = u"Do not keep the program from ending."_s},
      {.name = u"Thread pool"_s, .tip = u"Do the work items of the thread pool."_s},
      {.name = u"Finalizer"_s, .tip = u"The one thread that runs finalizers."_s},
      {.name = u"GC"_s, .tip = u"Threads of the garbage collector itself."_s},
      {.name = u"Dead"_s, .tip = u"Have ended; the runtime still knows them."_s},
  };
}

// What nearly every thread is says little, so it comes last.
bool isUsual(const std::string& state) {
  return state == "legalToJoin" || state == "weOwn" || state == "fullyInitialized" || state.starts_with("inMta");
}

QString stateText(const ThreadRow& thread) {
  QStringList words;
  if (thread.isFinalizer) words << u"finalizer"_s;
  if (thread.isGc) words << u"GC"_s;
  QStringList usual;
  for (const std::string& state : thread.state) {
    (isUsual(state) ? usual : words) << stateWords(state);
  }
  return (words + usual).join(wordSeparator());
}

QString contextText(const ThreadRow& thread) {
  if (thread.allocationContext.isEmpty()) return u"No allocation context."_s;
  return u"%1 to %2: %3 left"_s.arg(addressText(thread.allocationContext.start),
                                    addressText(thread.allocationContext.end),
                                    exactBytesText(thread.allocationContext.sizeBytes()));
}

QString stackText(const ThreadRow& thread) {
  if (thread.stack.isEmpty()) return u"The limits of its stack are unknown."_s;
  return u"Stack %1 to %2, %3"_s.arg(addressText(thread.stack.start), addressText(thread.stack.end),
                                     bytesText(thread.stack.sizeBytes()));
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
  if (managedId == 0) return u"–"_s;
  const QString id = QString::number(managedId);
  return name.empty() || HiddenContents::areWanted() ? id : u"%1 %2"_s.arg(id, fromEngine(name));
}

RowSchema<ThreadRow> threadSchema() {
  RowSchema<ThreadRow> schema{.table = &engine::threadsTable()};
  schema.columns = {
      {.setup = {.field = "managedId", .letters = 6}, .object = &ThreadRow::managedThread},
      {.setup = {.field = "osId", .letters = 9},
       .detail = [](const ThreadRow& thread) { return QString::number(thread.osId); }},
      {.setup = {.field = "name", .letters = 20}, .detail = stackText},
      {.setup = {.field = "doing", .letters = 36, .stretches = true}},
      {.setup = {.field = "state", .letters = 24},
       .words = stateText,
       .detail =
           [](const ThreadRow& thread) {
             return u"%1\nState bits 0x%2"_s.arg(stateText(thread)).arg(thread.stateBits, 8, 16, QLatin1Char('0'));
           }},
      {.setup = {.field = "locks", .letters = 6}},
      retainedColumn<ThreadRow>([](const ThreadRow& thread) { return thread.isAlive; }),
      {.setup = {.field = "waitsFor", .letters = 9},
       .isWarning = [](const ThreadRow& thread) { return thread.waitsForManagedId != 0; }},
      {.setup = {.field = "exceptionType", .letters = 24}, .object = &ThreadRow::exception},
      {.setup = {.field = "toAllocate"}, .detail = contextText},
      {.setup = {.field = "address"}},
  };
  schema.kinds = threadKinds();
  schema.kindOf = [](const ThreadRow& thread) { return static_cast<std::size_t>(engine::roleOf(thread)); };
  schema.identity = [](const ThreadRow& thread) { return thread.address; };
  return schema;
}

}  // namespace heapscape::gui

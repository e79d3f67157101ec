// SPDX-License-Identifier: MIT
#include "views/threads/thread_rows.h"

#include <QStringList>

#include "models/cells/item_painting.h"
#include "models/rows/retained_column.h"
#include "tables/exception_tables.h"
#include "tables/http_tables.h"
#include "tables/local_value_tables.h"
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

using engine::ExceptionRow;

enum ExceptionGroup : std::size_t { InFlight, Thrown, NotThrown };

ExceptionGroup kindOf(const ExceptionRow& row) {
  if (!row.threads.empty()) return InFlight;
  return row.isThrown ? Thrown : NotThrown;
}

QString thrownInText(const ExceptionRow& row) {
  if (!row.isThrown) return u"not thrown"_s;
  return row.method.empty() ? u"not known"_s : fromEngine(row.method);
}

QString thrownInDetail(const ExceptionRow& row) {
  if (!row.isThrown) return u"It was only made, or its stack trace is gone."_s;
  QStringList lines{thrownInText(row)};
  if (!row.file.empty()) lines << u"%1:%2"_s.arg(fromEngine(row.file)).arg(row.line);
  if (row.frames > 0) lines << u"%1 in its trace"_s.arg(countedText(row.frames, u"frame"_s));
  return lines.join(QLatin1Char('\n'));
}

std::vector<RowKind> exceptionKinds() {
  return {
      {.name = u"In flight"_s,
       .tip = u"A thread is not done with them: they are on their way, or their handlers run."_s},
      {.name = u"Thrown"_s, .tip = u"Were thrown and caught, and are still on the heap."_s},
      {.name = u"Not thrown"_s, .tip = u"Were only made, or their traces are gone."_s},
  };
}

using engine::HttpRequestRow;
using engine::HttpSide;
using engine::HttpState;

QString sideText(const HttpRequestRow& row) {
  return row.side == HttpSide::Client ? u"Client"_s : u"Server"_s;
}

QString httpStateText(const HttpRequestRow& row) {
  switch (row.state) {
    case HttpState::WaitsForConnection:
      return u"waits for a connection"_s;
    case HttpState::WaitsForHeaders:
      return u"waits for an answer"_s;
    case HttpState::ReadsResponse:
      return u"reads the answer"_s;
    case HttpState::Handled:
      return u"is worked on"_s;
    case HttpState::Answering:
      break;
  }
  return u"is answered"_s;
}

using engine::LocalKind;
using engine::LocalValueRow;

QString localKindText(const LocalValueRow& row) {
  return row.kind == LocalKind::ThreadLocal ? u"ThreadLocal"_s : u"AsyncLocal"_s;
}

QString threadsText(const LocalValueRow& row) {
  return row.hasThreadEnded ? u"ended"_s : idsText(row.threads);
}

QString threadsDetail(const LocalValueRow& row) {
  if (row.hasThreadEnded)
    return u"The thread has ended; the ThreadLocal tracks the values of all threads and keeps this one."_s;
  if (row.kind == LocalKind::ThreadLocal) return u"The thread that has the value."_s;
  return row.threads.empty() ? u"No thread runs in the context now."_s : u"Threads that run in the context."_s;
}

QString nameDetail(const LocalValueRow& row) {
  return row.name.empty() ? u"No static field refers to it, as far as is known."_s : fromEngine(row.name);
}

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

using engine::AsyncState;
using engine::ListedChains;

enum AsyncGroup : std::size_t { Suspended, Queued, Running, Circle, Garbage };

AsyncGroup kindOf(const ListedChains& row) {
  if (!row.isReachable) return Garbage;
  switch (row.state) {
    case AsyncState::Queued:
      return Queued;
    case AsyncState::Running:
      return Running;
    case AsyncState::Circle:
      return Circle;
    case AsyncState::Suspended:
      break;
  }
  return Suspended;
}

std::vector<RowKind> asyncKinds() {
  return {
      {.name = u"Waiting"_s, .tip = u"At an await, for something that has not ended yet."_s},
      {.name = u"Queued"_s, .tip = u"What they awaited has ended; they go on when it is their turn."_s},
      {.name = u"Running"_s, .tip = u"On a thread."_s},
      {.name = u"In a circle"_s, .tip = u"They wait for each other, for ever."_s},
      {.name = u"Garbage"_s, .tip = u"Nobody can complete them: only garbage leads to them."_s},
  };
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
      {.setup = {.field = "doing", .letters = 28, .stretches = true}},
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
      {.setup = {.field = "toAllocate", .isExtra = true}, .detail = contextText},
      {.setup = {.field = "address", .isExtra = true}},
  };
  schema.kinds = threadKinds();
  schema.kindOf = [](const ThreadRow& thread) { return static_cast<std::size_t>(engine::roleOf(thread)); };
  schema.identity = [](const ThreadRow& thread) { return thread.address; };
  return schema;
}

QString idsText(const std::vector<std::uint32_t>& threads) {
  QStringList words;
  for (const std::uint32_t thread : threads) words << QString::number(thread);
  return words.join(wordSeparator());
}

RowSchema<ExceptionRow> exceptionSchema() {
  RowSchema<ExceptionRow> schema{.table = &engine::exceptionsTable()};
  schema.columns = {
      {.setup = {.field = "count", .letters = 8}},
      {.setup = {.field = "type", .letters = 30}, .type = &ExceptionRow::methodTable},
      {.setup = {.field = "message", .letters = 34, .stretches = true}},
      {.setup = {.field = "method", .letters = 38}, .words = thrownInText, .detail = thrownInDetail},
      {.setup = {.field = "threads", .letters = 12},
       .words = [](const ExceptionRow& row) { return idsText(row.threads); }},
      {.setup = {.field = "innerType", .letters = 22}},
      {.setup = {.field = "unreachable", .letters = 11}},
      {.setup = {.field = "object"}, .object = &ExceptionRow::object, .type = &ExceptionRow::methodTable},
  };
  schema.kinds = exceptionKinds();
  schema.kindOf = [](const ExceptionRow& row) { return static_cast<std::size_t>(kindOf(row)); };
  schema.identity = [](const ExceptionRow& row) { return row.object; };
  return schema;
}

RowSchema<HttpRequestRow> httpSchema() {
  RowSchema<HttpRequestRow> schema{.table = &engine::httpTable()};
  schema.columns = {
      {.setup = {.field = "side", .letters = 8}, .words = sideText},
      {.setup = {.field = "state", .letters = 25}, .words = httpStateText},
      {.setup = {.field = "method", .letters = 8}},
      {.setup = {.field = "host", .letters = 22}},
      {.setup = {.field = "path", .letters = 26, .stretches = true}},
      {.setup = {.field = "status", .letters = 7, .hidesZero = true}},
      {.setup = {.field = "milliseconds", .letters = 12, .hidesZero = true}},
      {.setup = {.field = "threads", .letters = 9},
       .words = [](const HttpRequestRow& row) { return idsText(row.threads); }},
      {.setup = {.field = "chain", .letters = 28},
       .words = [](const HttpRequestRow& row) { return wordsText(row.chain); }},
      {.setup = {.field = "waitsFor", .letters = 24}},
      {.setup = {.field = "endpoint", .letters = 22}},
      {.setup = {.field = "object"}, .object = &HttpRequestRow::object},
  };
  schema.kinds = {
      {.name = u"Client"_s, .tip = u"The program has asked, by HttpClient."_s},
      {.name = u"Server"_s, .tip = u"The program is asked, by Kestrel."_s},
  };
  schema.kindOf = [](const HttpRequestRow& row) { return static_cast<std::size_t>(row.side); };
  schema.identity = [](const HttpRequestRow& row) { return row.object; };
  return schema;
}

RowSchema<LocalValueRow> localValueSchema() {
  RowSchema<LocalValueRow> schema{.table = &engine::localsTable()};
  schema.columns = {
      {.setup = {.field = "kind", .letters = 12}, .words = localKindText},
      {.setup = {.field = "name", .letters = 26}, .detail = nameDetail},
      {.setup = {.field = "threads", .letters = 10}, .words = threadsText, .detail = threadsDetail},
      {.setup = {.field = "holders", .letters = 28},
       .words = [](const LocalValueRow& row) { return wordsText(row.holders); }},
      {.setup = {.field = "value", .letters = 30, .stretches = true},
       .isWarning = [](const LocalValueRow& row) { return !row.damage.empty(); }},
      {.setup = {.field = "valueObject"}, .object = &LocalValueRow::valueObject},
      {.setup = {.field = "object"}, .object = &LocalValueRow::object, .type = &LocalValueRow::methodTable},
      {.setup = {.field = "type", .letters = 26}},
  };
  schema.kinds = {
      {.name = u"ThreadLocal"_s, .tip = u"A value for each thread."_s},
      {.name = u"AsyncLocal"_s, .tip = u"A value for each flow of async methods."_s},
  };
  schema.kindOf = [](const LocalValueRow& row) { return static_cast<std::size_t>(row.kind); };
  schema.identity = [](const LocalValueRow& row) { return row.object; };
  return schema;
}

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

RowSchema<ListedChains> asyncSchema() {
  RowSchema<ListedChains> schema{.table = &engine::chainsTable()};
  schema.columns.push_back({.setup = {.field = "count", .letters = 9}});
  schema.columns.push_back({.setup = {.field = "innermost", .stretches = true},
                            .object = [](const ListedChains& row) { return row.objects.front(); }});
  schema.columns.push_back({.setup = {.field = "waitsFor", .letters = 34}});
  schema.columns.push_back({.setup = {.field = "outermost", .letters = 32}});
  schema.columns.push_back({.setup = {.field = "calls", .letters = 7}});
  schema.columns.push_back(retainedColumn<ListedChains>([](const ListedChains&) { return true; }));
  schema.columns.back().detail = [](const ListedChains& row) {
    if (!row.retainedBytes) return u"Retained sizes are not known yet."_s;
    const QString exact = exactBytesText(*row.retainedBytes);
    return row.isRetainedExact ? exact : u"At least %1"_s.arg(exact);
  };
  schema.kinds = asyncKinds();
  schema.kindOf = [](const ListedChains& row) { return static_cast<std::size_t>(kindOf(row)); };
  schema.identity = [](const ListedChains& row) { return row.objects.front(); };
  return schema;
}

QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain) {
  const QString waitsFor = fromEngine(std::string(list.nameOf(chain.waitsFor)));
  const std::uint32_t thread = list.framesOf(chain).front().thread;
  switch (chain.state) {
    case AsyncState::Running:
      return thread == 0 ? u"runs"_s : u"runs on thread %1"_s.arg(thread);
    case AsyncState::Queued:
      return u"goes on when it is its turn"_s;
    case AsyncState::Circle:
      return u"waits for itself, through %1"_s.arg(waitsFor);
    case AsyncState::Suspended:
      break;
  }
  return chain.milliseconds ? u"waits for %1 of %2 ms"_s.arg(waitsFor, countText(*chain.milliseconds))
                            : u"waits for %1"_s.arg(waitsFor);
}

}  // namespace heapscape::gui

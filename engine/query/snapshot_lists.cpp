// SPDX-License-Identifier: MIT
#include "query/snapshot_lists.h"

#include <algorithm>

#include "session/objects/strings_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/held_roots.h"
#include "session/roots/statics_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {
namespace {

using Kind = QueryKind;

// A field of rows by a member of theirs.
template <class Row, class Of>
ListColumn<Row> text(std::string name, std::string help, Of of, bool isPlain = true, bool holdsContents = false) {
  return {{.name = std::move(name),
           .kind = Kind::Text,
           .help = std::move(help),
           .isPlain = isPlain,
           .holdsContents = holdsContents},
          [of](const Row& row) { return QueryValue::ofText(std::string(of(row))); }};
}
template <class Row, class Of>
ListColumn<Row> number(std::string name, QueryKind kind, std::string help, Of of) {
  return {{.name = std::move(name), .kind = kind, .help = std::move(help)}, [of](const Row& row) {
            const std::optional<std::uint64_t> value(of(row));
            return value ? QueryValue::ofNumber(*value) : QueryValue();
          }};
}
template <class Row, class Of>
ListColumn<Row> address(std::string name, std::string help, Of of) {
  return {{.name = std::move(name), .kind = Kind::Address, .help = std::move(help), .isPlain = true},
          [of](const Row& row) {
            const Address value = of(row);
            return value ? QueryValue::ofAddress(value.value) : QueryValue::ofNull();
          }};
}
template <class Row, class Of>
ListColumn<Row> flag(std::string name, std::string help, Of of) {
  return {{.name = std::move(name), .kind = Kind::Flag, .help = std::move(help)},
          [of](const Row& row) { return QueryValue::ofFlag(of(row)); }};
}
template <class Row, class Of, class Kinds>
ListColumn<Row> choice(std::string name, std::string help, const Kinds& kinds, Of of) {
  QueryField field{.name = std::move(name), .kind = Kind::Choice, .help = std::move(help), .isPlain = true};
  for (const auto kind : kinds) field.choices.emplace_back(toString(kind));
  return {std::move(field), [of](const Row& row) { return QueryValue::ofText(toString(of(row))); }};
}

Outcome<QueryList> stringList(const Snapshot& snapshot, std::stop_token stop) {
  using Row = StringGroup;
  HEAPSCAPE_TRY(StringList strings, listStrings(snapshot, {}, SIZE_MAX, std::move(stop)));
  return makeQueryList<Row>(
      "strings", std::move(strings.groups),
      {text<Row>(
           "value", "Characters, the first 200.", [](const Row& r) { return r.value; }, true, true),
       number<Row>("length", Kind::Number, "UTF-16 units of one of them.", [](const Row& r) { return r.length; }),
       number<Row>("count", Kind::Number, "Strings with these characters.", [](const Row& r) { return r.count; }),
       number<Row>("bytes", Kind::Bytes, "What all of them take up.", [](const Row& r) { return r.bytes; }),
       number<Row>("wasted", Kind::Bytes, "What all but one take up.", [](const Row& r) { return r.wastedBytes; }),
       address<Row>("example", "The first of them.", [](const Row& r) { return r.example; })});
}

Outcome<QueryList> rootList(const Snapshot& snapshot, std::stop_token stop) {
  using Row = HeldRoot;
  constexpr std::array kKinds{
      RootKind::StrongHandle,   RootKind::PinnedHandle, RootKind::RefCountedHandle, RootKind::AsyncPinnedHandle,
      RootKind::SizedRefHandle, RootKind::Static,       RootKind::ThreadStatic,     RootKind::FinalizerReady,
      RootKind::Stack,          RootKind::Given};
  HEAPSCAPE_TRY(HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
  return makeQueryList<Row>(
      "roots", std::move(held.roots),
      {choice<Row>("kind", "What holds it.", kKinds, [](const Row& r) { return r.root.kind; }),
       text<Row>("name", "Name of the root.", [](const Row& r) { return r.root.name; }),
       address<Row>("address", "Of the slot; null for a register.", [](const Row& r) { return r.root.address; }),
       address<Row>("object", "What it leads to.", [](const Row& r) { return r.root.object; }),
       text<Row>("type", "Type of that object.", [](const Row& r) { return r.typeName; }),
       flag<Row>("exact", "Surely a reference.", [](const Row& r) { return r.root.isExact; }),
       number<Row>("alone", Kind::Bytes, "What no other root holds.", [](const Row& r) { return r.alone.bytes; }),
       number<Row>("retained", Kind::Bytes, "What the object retains.",
                   [](const Row& r) { return r.objectRetainedBytes; })});
}

Outcome<QueryList> handleList(const Snapshot& snapshot, std::stop_token stop) {
  using Row = HandleRow;
  std::vector<HandleKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(HandleKind::CrossReference); ++kind)
    kinds.push_back(static_cast<HandleKind>(kind));
  HEAPSCAPE_TRY(HandleList handles, listHandles(snapshot, false, std::move(stop)));
  return makeQueryList<Row>(
      "handles", std::move(handles.handles),
      {choice<Row>("kind", "Kind of the handle.", kinds, [](const Row& r) { return r.kind; }),
       address<Row>("address", "Of its slot.", [](const Row& r) { return r.address; }),
       number<Row>("heap", Kind::Number, "The GC's heap that has it.", [](const Row& r) { return r.heap; }),
       address<Row>("object", "What it refers to.", [](const Row& r) { return r.object; }),
       text<Row>("type", "Type of that object.", [](const Row& r) { return r.typeName; }),
       number<Row>("retained", Kind::Bytes, "What the object retains.", [](const Row& r) { return r.retainedBytes; }),
       address<Row>("dependent", "What lives as long as the object.", [](const Row& r) { return r.dependent; }),
       text<Row>(
           "dependentType", "Type of that.", [](const Row& r) { return r.dependentType; }, false)},
      std::move(handles.findings));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += text.empty() ? word : " " + word;
  return text;
}

Outcome<QueryList> threadList(const Snapshot& snapshot, std::stop_token stop) {
  using Row = ThreadRow;
  HEAPSCAPE_TRY(ThreadList threads, listThreads(snapshot, std::move(stop)));
  return makeQueryList<Row>(
      "threads", std::move(threads.threads),
      {number<Row>("managedId", Kind::Number, "The runtime's number.", [](const Row& r) { return r.managedId; }),
       number<Row>("osId", Kind::Number, "The system's number.", [](const Row& r) { return r.osId; }),
       text<Row>(
           "name", "What the program calls it.", [](const Row& r) { return r.name; }, true, true),
       text<Row>("state", "Names of its state's bits.", [](const Row& r) { return joined(r.state); }),
       flag<Row>("alive", "It has not ended.", [](const Row& r) { return r.isAlive; }),
       flag<Row>("background", "It does not keep the process alive.", [](const Row& r) { return r.isBackground; }),
       flag<Row>("finalizer", "It runs finalizers.", [](const Row& r) { return r.isFinalizer; }),
       flag<Row>("threadPool", "It belongs to the thread pool.", [](const Row& r) { return r.isThreadPool; }),
       text<Row>("exception", "Type of what it has thrown.", [](const Row& r) { return r.exceptionType; }),
       number<Row>("locks", Kind::Number, "Monitors that it holds.", [](const Row& r) { return r.locks; }),
       number<Row>("retained", Kind::Bytes, "What it holds alone.", [](const Row& r) { return r.retainedBytes; })},
      std::move(threads.findings));
}

Outcome<QueryList> staticList(const Snapshot& snapshot, std::stop_token stop) {
  using Row = StaticRow;
  constexpr std::array kKinds{StaticKind::Normal, StaticKind::Thread, StaticKind::Rva};
  HEAPSCAPE_TRY(StaticList statics, listStatics(snapshot, {}, std::move(stop)));
  return makeQueryList<Row>(
      "statics", std::move(statics.statics),
      {text<Row>("type", "The type that declares it.", [](const Row& r) { return r.typeName; }),
       text<Row>("field", "Its name.", [](const Row& r) { return r.field; }),
       choice<Row>("kind", "Where it is kept.", kKinds, [](const Row& r) { return r.kind; }),
       text<Row>(
           "fieldType", "Its own type.", [](const Row& r) { return r.fieldType; }, false),
       number<Row>("threadId", Kind::Number, "Managed id of a thread static's thread.",
                   [](const Row& r) { return r.threadId; }),
       text<Row>(
           "assembly", "File name of the assembly.", [](const Row& r) { return r.assembly; }, false),
       flag<Row>("initialised", "It has been set.", [](const Row& r) { return r.isInitialised; }),
       address<Row>("address", "Of its slot.", [](const Row& r) { return r.address; }),
       text<Row>(
           "value", "What it holds.", [](const Row& r) { return r.value.value.text; }, true, true),
       address<Row>("object", "What it refers to.", [](const Row& r) { return r.value.value.object; }),
       number<Row>("retained", Kind::Bytes, "What that object retains.", [](const Row& r) { return r.retainedBytes; })},
      std::move(statics.findings));
}

}  // namespace

const char* toString(QueryListKind kind) {
  constexpr const char* kNames[] = {"types", "strings", "roots", "handles", "threads", "statics"};
  return kNames[static_cast<std::size_t>(kind)];
}

Outcome<QueryList> queryListOf(const Snapshot& snapshot, QueryListKind kind, std::stop_token stop) {
  switch (kind) {
    case QueryListKind::Strings:
      return stringList(snapshot, std::move(stop));
    case QueryListKind::Roots:
      return rootList(snapshot, std::move(stop));
    case QueryListKind::Handles:
      return handleList(snapshot, std::move(stop));
    case QueryListKind::Threads:
      return threadList(snapshot, std::move(stop));
    case QueryListKind::Statics:
      return staticList(snapshot, std::move(stop));
    case QueryListKind::Types:
      break;
  }
  return typeList(snapshot, snapshot.typeCounts());
}

}  // namespace heapscape::engine

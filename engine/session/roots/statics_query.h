// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "runtime/runtime_readers.h"
#include "runtime/threads/threads.h"
#include "session/snapshot/snapshot.h"
#include "values/value.h"

namespace heapscape::engine {

/// Returns what a static field of a type of the core library refers to, by name: "System.Threading.ThreadPool",
/// "s_workQueue". Null if nothing is stored. Fails with NotFound if the runtime has no such field or has not loaded its
/// type, with NotInDump or Damaged if it cannot be read.
Result<Address> readLibraryStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field);
/// Returns what a [ThreadStatic] field refers to on one of the runtime's threads; null if the thread has not used it.
Result<Address> readLibraryThreadStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field,
                                        Address thread);

/// Kind of a static field. Context statics, a fourth kind of the .NET Framework, do not exist in CoreCLR.
enum class StaticKind : std::uint8_t { Normal, Thread, Rva };

template <>
inline constexpr auto kEnumNames<StaticKind> = std::to_array<EnumName<StaticKind>>({{StaticKind::Normal, "normal"},
                                                                                    {StaticKind::Thread, "thread"},
                                                                                    {StaticKind::Rva, "rva"}});

/// One static field of one type, or of one thread for a thread static.
struct StaticRow {
  std::string typeName;  // closed: "Zoo.Cache<System.String>"
  Address methodTable;
  std::string field;
  std::string fieldType;
  StaticKind kind = StaticKind::Normal;
  std::uint32_t threadId = 0;  // Thread: managed id
  std::string assembly;
  std::string loadContext = {};  // as TypeRow has it
  bool isInitialised = false;  // the type's constructor has run (for Thread: this thread has it), or a value is stored
  Address address;             // of the slot; 0 if it does not exist
  bool isBoxed = false;        // a value type whose slot holds a reference to a box
  FieldValue value;            // without `name`; Damaged with a reason if it cannot be read
  /// By the object that it refers to, a box too; known from the Retained stage on.
  std::optional<std::uint64_t> retainedBytes = {};
};

struct StaticsFilter {
  std::string typeText = {};  // part of the type's name; empty for all
  Address methodTable = {};   // only of this type; 0 for all
  bool includeUninitialised = true;
  /// Only those that hold an object, boxes too: of their values that, and nothing of where their types are from.
  bool objectsAlone = false;
};

/// An object that holds static fields, where these lie on the heap.
struct StaticsHolderRow {
  std::string name;  // "<statics shop+0x1a2b30>": by where the reference to it lies in the program
  Address cell;
  Address object;
  Address methodTable;                  // of the object
  std::optional<RuntimeThread> thread;  // of thread statics
  std::string typeName = {};  // of the one class whose fields these are; empty if nothing tells, or of several
  Address type = {};          // its method table; 0 if there is none
};

struct StaticList {
  std::vector<StaticRow> statics;  // by type name, those made by compilers last, then field, then thread
  /// Of a program compiled ahead of time. Each of their references is a row among the statics, too. Where nothing tells
  /// its name it has its place in the holder, "+8", and where nothing tells its type the holder's name.
  std::vector<StaticsHolderRow> holders = {};
  FindingList findings;
};

/// Static fields of all loaded types, generic instantiations each for themselves, with their values.
Outcome<StaticList> listStatics(const Snapshot& snapshot, const StaticsFilter& filter, std::stop_token stop);

}  // namespace heapscape::engine

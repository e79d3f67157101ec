// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

enum class LocalKind : std::uint8_t { ThreadLocal, AsyncLocal };

template <>
inline constexpr auto kEnumNames<LocalKind> = std::to_array<EnumName<LocalKind>>(
    {{LocalKind::ThreadLocal, "threadLocal"}, {LocalKind::AsyncLocal, "asyncLocal"}});

/// A value that a ThreadLocal has on one thread, or an AsyncLocal in one execution context.
struct LocalValueRow {
  LocalKind kind = LocalKind::ThreadLocal;
  Address object;        // the ThreadLocal or AsyncLocal
  std::string typeName;  // its type
  Address methodTable;
  std::string name = {};  // of a static field that refers to it: "Shop.Request.current"; known from the
                          // Retained stage on, empty where there is none
  /// Managed ids: of the thread that has the value, or of all that run in the context.
  std::vector<std::uint32_t> threads = {};
  bool hasThreadEnded = false;            // a ThreadLocal that tracks all values keeps those of threads that have ended
  Address context = {};                   // AsyncLocal: the ExecutionContext
  std::vector<std::string> holders = {};  // AsyncLocal: what goes on in the context, but for threads: "Shop.PayAsync",
                                          // or a type; each once, with " ×3" behind what does so several times
  std::string value = {};                 // on one line
  Address valueObject = {};               // that the value refers to, boxes too; 0 for null and for values in place
  std::string valueType = {};             // of that object
  std::string damage = {};                // why the value cannot be read
};

struct LocalValueList {
  std::vector<LocalValueRow> values;  // by kind, object, thread, context
  FindingList findings;
};

/// All values of ThreadLocal<T> by thread, and of AsyncLocal<T> in each execution context that a thread runs in or that
/// something keeps to go on in: async methods, tasks, timers, work items. From the Retained stage on what only garbage
/// keeps is left out. `only`: of this ThreadLocal or AsyncLocal. From the Objects stage on.
Outcome<LocalValueList> listLocalValues(const Snapshot& snapshot, std::optional<Address> only, std::stop_token stop);

}  // namespace heapscape::engine

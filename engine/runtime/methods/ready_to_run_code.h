// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// An entry of an image's table of functions and funclets; offsets are from the image's start.
struct RuntimeFunction {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t unwindData = 0;
};

/// The entry at a place of such a table, in an image at `imageBase`; nullopt if the dump lacks it. On arm64 the table
/// has no ends: the unwind information tells, and nullopt also where that is missing.
std::optional<RuntimeFunction> readRuntimeFunction(const ClrRuntime& runtime, Address entry, Address imageBase);

/// Code that assemblies were compiled to ahead of time (ReadyToRunInfo, src/coreclr/vm/readytoruninfo.h). Of the images
/// a dump holds but some pages; what the runtime itself noted about methods that it has prepared is always there.
class ReadyToRunCode {
 public:
  explicit ReadyToRunCode(const ClrRuntime& runtime) : m_runtime(runtime) {}

  using EntryMap = std::map<Address, Address>;  // start of code → MethodDesc
  /// All methods of a module, and of those compiled together with it, that were prepared to run and that the dump has.
  std::shared_ptr<const EntryMap> entriesOf(Address module) const;

  struct Entry {
    Address start;
    Address methodDesc;
    bool isNearest = true;  // false where the dump lacks some methods, of which one may begin in between
  };
  /// The last method prepared to run that begins at or before an address of a module's code.
  std::optional<Entry> entryAtOrBefore(Address module, Address address) const;

  struct FunctionSearch {
    std::optional<RuntimeFunction> function;
    std::uint32_t index = 0;  // of the function in the table
    bool isWhole = true;      // the whole table is in the dump: what is not found does not exist
  };
  /// The function or funclet that holds a place in the module's image, which begins at `imageBase`.
  FunctionSearch functionAt(Address module, Address imageBase, std::uint32_t rva) const;

 private:
  struct Entries {
    EntryMap map = {};
    bool isWhole = true;
  };
  std::shared_ptr<const Entries> entriesIn(Address module) const;
  Entries readEntries(Address info) const;
  void readBucket(Address bucket, EntryMap& entries) const;

  const ClrRuntime& m_runtime;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<Address, std::shared_ptr<const Entries>> m_entries;
};

}  // namespace heapscape::engine

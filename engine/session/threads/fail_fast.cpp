// SPDX-License-Identifier: MIT
#include "session/threads/fail_fast.h"

#include <algorithm>

#include "runtime/managed_string.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/protected_references.h"
#include "values/exception_details.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostMessage = 100'000;  // UTF-16 units

/// The runtime's code of .NET 8 protects message, exception and source of the error, as one structure in that order
/// (SystemNative::GenericFailFast, src/coreclr/classlibnative/bcltype/system.cpp).
constexpr std::uint32_t kProtectedArguments = 3;

bool isFailFast(const FrameRow& frame) {
  return frame.type == "System.Environment" && frame.method == "FailFast";
}

class CallReader {
 public:
  CallReader(const Snapshot& snapshot, const ThreadStackRow& stack)
      : m_readers(*snapshot.contents().readers), m_values({.readers = m_readers}), m_stack(stack) {}

  std::optional<FailFastCall> read() const {
    const auto first = std::ranges::find_if(m_stack.frames, isFailFast);
    if (first == m_stack.frames.end()) return std::nullopt;
    const auto end = std::find_if_not(first, m_stack.frames.end(), isFailFast);
    FailFastCall call;
    call.caller = static_cast<std::uint32_t>(end - m_stack.frames.begin());
    if (readProtected(first->stackPointer, call)) return call;
    readRoots(static_cast<std::uint32_t>(first - m_stack.frames.begin()), call);
    return call;
  }

 private:
  std::optional<std::string> textOf(Address string) const {
    auto text = readManagedString(m_readers.runtime, string, kMostMessage);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  }

  bool isException(Address object) const {
    const auto methodTable = m_readers.runtime.memory().readPointer(object);
    if (!methodTable) return false;
    const Address type{methodTable->value & ~m_readers.runtime.contract().constant("ObjectToMethodTableUnmask")};
    if (!m_readers.methodTables.isMethodTable(type)) return false;
    const auto read = m_readers.methodTables.read(type);
    return read && readException(m_values, *read, object);
  }

  // The group that was protected right above the managed frame.
  bool readProtected(Address failFast, FailFastCall& call) const {
    const ProtectedGroup* arguments = nullptr;
    const std::vector<ProtectedGroup> groups = protectedGroups(m_readers.runtime, m_stack.thread);
    for (const ProtectedGroup& group : groups)
      if (group.frame < failFast && group.count == kProtectedArguments) arguments = &group;
    if (!arguments) return false;
    const AddressSpace& memory = m_readers.runtime.memory();
    const auto message = memory.readPointer(arguments->references);
    const auto exception = memory.readPointer(arguments->references + sizeof(Address));
    if (!message || !exception || (*exception && !isException(*exception))) return false;
    if (*message) call.message = textOf(*message);
    call.exception = *exception;
    return true;
  }

  // Since .NET 9 the managed part hands over pinned characters, of the message and of the source, and a place on the
  // stack that holds the exception (checked on 9.0.18 and 10.0.12: the message has the lower slot).
  void readRoots(std::uint32_t first, FailFastCall& call) const {
    Address lowest;
    for (const StackRootRow& root : m_stack.roots) {
      if (root.frame < first || root.frame >= call.caller || root.isProtected) continue;
      if (root.isPinned && root.slot && (!lowest || root.slot < lowest)) {
        const std::uint64_t characters = m_readers.runtime.contract().offset("String", "m_FirstChar");
        if (auto text = textOf(root.value - characters)) {
          call.message = std::move(text);
          lowest = root.slot;
        }
      } else if (!root.isInterior && !call.exception && isException(root.value)) {
        call.exception = root.value;
      }
    }
  }

  const RuntimeReaders& m_readers;
  const ValueReader m_values;
  const ThreadStackRow& m_stack;
};

}  // namespace

std::optional<FailFastCall> failFastCallOf(const Snapshot& snapshot, const ThreadStackRow& stack) {
  return CallReader(snapshot, stack).read();
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "session/async/continuations.h"
#include "session/snapshot/contents.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/frame_sources.h"

namespace heapscape::engine {

/// An async method at a place where the runtime itself has suspended it.
struct SuspendedMethod {
  std::string name;     // "Shop.Orders.PlaceAsync"; where it cannot be told, of which assembly it is
  std::string image;    // of ReadyToRun code whose method cannot be told: the assembly's file name
  std::string missing;  // what is missing to tell more; empty if nothing is
  Address methodDesc;   // 0 if it cannot be told
  const Module* module = nullptr;
  std::uint32_t row = 0;  // in the MethodDef table of the module
  std::optional<std::uint32_t> ilOffset;
  std::optional<SourceLine> line;
  std::shared_ptr<const DebugInfo> info;   // of its code; null if there is none
  const SuspensionPoint* point = nullptr;  // in `info`; null if that does not have it
};

/// Tells where continuations go on. The method, its IL offset and the locals come from the code that suspends it, on
/// whose address the runtime keeps hold. Of compiled images that note lies in the image's data, which heap dumps lack:
/// it is read from the file. Remembers what it has told; for one thread.
class SuspendedMethods {
 public:
  explicit SuspendedMethods(const Contents& contents);

  /// By Continuation::resumeInfo.
  const SuspendedMethod& of(Address resumeInfo);
  /// "Shop.Orders.PlaceAsync"; empty for an address that is no method's.
  std::string nameOfMethod(Address methodDesc);
  /// Names of the methods that wait for each other and end with a task, by its continuations: first the one that goes
  /// on first, last the one whose task it is. Of very many those in between are left out. Empty while it runs, and for
  /// other objects.
  std::vector<std::string> methodsOfTask(Address task);

  /// Whether a continuation belongs to the runtime's own ways to wait, rather than to a method that awaits.
  bool isHelper(Address object, const Continuation& continuation);

  const FrameSources& sources() const { return m_sources; }

 private:
  SuspendedMethod read(Address resumeInfo);
  std::optional<Address> codeOf(Address resumeInfo, std::string& missing) const;
  std::string imageAt(Address address) const;

  const RuntimeReaders& m_readers;
  ContinuationReader m_continuations;
  FrameNames m_names;
  FrameSources m_sources;
  std::unordered_map<Address, SuspendedMethod> m_known;  // by resumeInfo
};

}  // namespace heapscape::engine

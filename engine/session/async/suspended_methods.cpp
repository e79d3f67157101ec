// SPDX-License-Identifier: MIT
#include "session/async/suspended_methods.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "heap/object_head.h"
#include "memory/file_backed_memory.h"
#include "metadata/names/generated_names.h"
#include "runtime/managed_objects.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostContinuations = 1'000'000;  // of one task
constexpr std::size_t kMostNames = 1000;               // of these
constexpr std::string_view kHelpers = "System.Runtime.CompilerServices.AsyncHelpers.";

}  // namespace

SuspendedMethods::SuspendedMethods(const Contents& contents)
    : m_readers(*contents.readers),
      m_continuations(m_readers.runtime),
      m_names(m_readers),
      m_sources(m_readers, contents.file->path()) {}

const SuspendedMethod& SuspendedMethods::of(Address resumeInfo) {
  const auto [known, isNew] = m_known.try_emplace(resumeInfo);
  if (isNew) known->second = read(resumeInfo);
  return known->second;
}

// As of a state machine's type, which has the method's name in angle brackets.
std::string SuspendedMethods::nameOfMethod(Address methodDesc) {
  const FrameName& name = m_names.of(methodDesc);
  if (name.type.empty()) return name.method;
  const std::size_t arguments = name.method.ends_with('>') ? name.method.find('<', 1) : std::string::npos;
  const bool isMadeByCompiler = name.method.starts_with('<');  // of a lambda, or a local function
  if (!isMadeByCompiler)
    return asyncMethodName(fmt::format("{}+<{}>d{}", name.type, name.method.substr(0, arguments),
                                       arguments == std::string::npos ? "" : name.method.substr(arguments)));
  return asyncMethodName(fmt::format("{}+<{}>d", name.type, name.method));
}

std::vector<std::string> SuspendedMethods::methodsOfTask(Address task) {
  std::vector<std::string> names;
  const auto methodTable = m_readers.runtime.memory().readPointer(task);
  if (!methodTable || !isRuntimeAsyncTaskName(m_readers.names.nameOf({methodTable->value & kMethodTableMask})))
    return names;
  const auto first = readReferenceField(m_readers.methodTables, m_readers.fields, task, kFirstContinuationField);
  std::unordered_set<Address> seen;
  for (Address at = first.value_or(Address{}); at && seen.size() < kMostContinuations && seen.insert(at).second;) {
    const auto continuation = m_continuations.read(at);
    if (!continuation) break;
    // What the runtime puts in front of the methods has no name that would tell anything.
    if (!names.empty() || !continuation->next || !isHelper(at, *continuation)) {
      if (names.size() == kMostNames) names.pop_back();
      names.push_back(of(continuation->resumeInfo).name);
    }
    at = continuation->next;
  }
  return names;
}

bool SuspendedMethods::isHelper(Address object, const Continuation& continuation) {
  const auto methodTable = m_readers.runtime.memory().readPointer(object);
  if (!methodTable) return false;
  const auto type = m_readers.methodTables.read({methodTable->value & kMethodTableMask});
  return !type || !type->isContinuation || of(continuation.resumeInfo).name.starts_with(kHelpers);
}

SuspendedMethod SuspendedMethods::read(Address resumeInfo) {
  SuspendedMethod method;
  method.name = "an async method";
  const auto code = codeOf(resumeInfo, method.missing);
  method.image = imageAt(code ? *code : resumeInfo);
  if (!method.image.empty()) method.name = fmt::format("an async method of {}", method.image);
  if (!code) return method;
  const auto location = m_readers.code.find(*code);
  if (!location) {
    method.missing = "The dump does not tell to which method the code belongs at which it goes on.";
    return method;
  }
  method.image.clear();
  method.methodDesc = location->methodDesc;
  method.name = nameOfMethod(location->methodDesc);
  const FrameName& name = m_names.of(location->methodDesc);
  method.module = name.module;
  method.row = name.row;
  FrameSource source = m_sources.of(*location, *code, name.module, name.row);
  method.ilOffset = source.ilOffset;
  method.line = std::move(source.line);
  method.info = m_sources.debugInfo().of(*location);
  if (method.info) method.point = suspensionAt(*method.info, static_cast<std::uint32_t>(*code - location->start));
  if (!method.info) {
    method.missing = "There is no debug info of its code, which tells where in the method it waits.";
  } else if (!method.point) {
    // The compiler of ReadyToRun images leaves that part empty (DebugInfoTableNode.cs).
    method.missing =
        "The debug info of its code does not tell where the locals are that it keeps; that of ReadyToRun code never "
        "does.";
  }
  return method;
}

std::optional<Address> SuspendedMethods::codeOf(Address resumeInfo, std::string& missing) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address place = runtime.member(resumeInfo, "AsyncResumeInfo", "DiagnosticIP");
  Address code;
  if (runtime.memory().tryRead(place, code)) {
    if (!code) missing = "It is code of the runtime's own, which no method belongs to.";
    return code ? std::optional(code) : std::nullopt;
  }
  const FileBackedMemory* files = runtime.memory().files();
  if (const auto relocated = files ? files->relocatedPointer(place) : std::nullopt) return relocated;
  const std::string image = imageAt(resumeInfo);
  missing = image.empty()
                ? std::string("The dump does not hold what the runtime notes of the place at which it goes on.")
                : fmt::format(
                      "Which method it is stands in the data of {}, which neither the dump holds nor a file that "
                      "is proven to be the same.",
                      image);
  return std::nullopt;
}

/// The file name of the image with compiled code that an address lies in; empty for none.
std::string SuspendedMethods::imageAt(Address address) const {
  const auto range = findCodeRange(m_readers.runtime, address);
  const Module* module = range && range->module ? m_readers.modules.find(range->module) : nullptr;
  return module ? module->name : std::string();
}

}  // namespace heapscape::engine

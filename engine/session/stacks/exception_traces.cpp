// SPDX-License-Identifier: MIT
#include "session/stacks/exception_traces.h"

#include <vector>

#include "session/snapshot/contents.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

// Nobody reads further; the addresses of all of them are told.
constexpr std::size_t kMostCauses = 100;
constexpr std::size_t kDeepestCause = 32;

}  // namespace

ExceptionTraces::ExceptionTraces(const Snapshot& snapshot)
    : m_readers(*snapshot.contents().readers),
      m_values({.readers = m_readers, .heap = snapshot.contents().heap.get()}),
      m_names(m_readers, *snapshot.contents().owners),
      m_sources(m_readers, snapshot.contents().file->path()) {}

std::optional<ExceptionDetails> ExceptionTraces::of(Address exception) {
  auto details = alone(exception);
  if (!details) return std::nullopt;
  std::unordered_set<Address> seen{exception};
  addCauses(*details, seen, 0);
  return details;
}

std::optional<ExceptionDetails> ExceptionTraces::alone(Address exception) {
  return read(exception, ExceptionStack::All, true);
}

std::optional<ExceptionDetails> ExceptionTraces::brief(Address exception, bool isTraced) {
  return read(exception, ExceptionStack::InnermostUnnamed, isTraced);
}

std::optional<ExceptionDetails> ExceptionTraces::read(Address exception, ExceptionStack stack, bool isTraced) {
  const auto instance = Instance::at(m_values.instances(), exception);
  if (!instance) return std::nullopt;
  auto details = readException(m_values, instance->type(), exception, stack);
  if (!details) return std::nullopt;
  details->type = instance->shape().name;
  if (!isTraced) return details;
  for (ExceptionDetails::Frame& frame : details->stack) trace(frame);
  return details;
}

void ExceptionTraces::addCauses(ExceptionDetails& details, std::unordered_set<Address>& seen, std::size_t depth) {
  if (depth >= kDeepestCause) return;
  std::vector<Address> causes = details.innerExceptions;
  if (causes.empty() && details.inner) causes.push_back(details.inner);
  for (const Address cause : causes) {
    if (seen.size() > kMostCauses) return;
    if (!seen.insert(cause).second) continue;
    auto read = alone(cause);
    if (!read) continue;
    addCauses(*read, seen, depth + 1);
    details.causes.push_back(std::move(*read));
  }
}

void ExceptionTraces::trace(ExceptionDetails::Frame& frame) {
  if (!frame.methodDesc) return;
  const FrameName& name = m_names.of(frame.methodDesc);
  const std::string method = name.type.empty() ? name.method : name.type + "." + name.method;
  if (!method.empty()) frame.method = method + name.parameters;
  frame.isAsync = name.isAsync;
  const auto code = m_readers.code.find(frame.instruction);
  if (!code) return;
  FrameSource source = m_sources.of(*code, frame.instruction, name.module, name.row);
  frame.ilOffset = source.ilOffset;
  if (!source.line) return;
  frame.file = std::move(source.line->file);
  frame.line = source.line->line;
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "values/managed_array.h"

namespace heapscape::engine {
namespace {

struct Status {
  std::uint32_t flag;
  const char* words;
};

constexpr std::uint32_t kRanToCompletion = 0x1000000;
// In the order in which Task.Status asks for them (TaskStateFlags in Task.cs).
constexpr std::array<Status, 7> kStatuses{{
    {0x200000, "faulted"},
    {0x400000, "canceled"},
    {kRanToCompletion, "ran to completion"},
    {0x800000, "waiting for children to complete"},
    {0x20000, "running"},
    {0x10000, "waiting to run"},
    {0x2000000, "waiting for activation"},
}};
constexpr std::uint32_t kCompleted = 0x200000 | 0x400000 | kRanToCompletion;

std::string statusOf(std::uint32_t flags) {
  const auto found = std::ranges::find_if(kStatuses, [&](const Status& status) { return flags & status.flag; });
  return found == kStatuses.end() ? "created" : found->words;
}

/// The exceptions that the task has collected, each inside an ExceptionDispatchInfo.
Result<std::vector<ItemPlace>> exceptionsOf(const Instance& task, Address anyType) {
  std::vector<ItemPlace> items;
  HEAPSCAPE_TRY(const Address properties, task.reference("m_contingentProperties"));
  if (!properties) return items;
  HEAPSCAPE_TRY(const Instance contingent, Instance::at(task.sources(), properties));
  HEAPSCAPE_TRY(const Address holder, contingent.reference("m_exceptionsHolder"));
  if (!holder) return items;
  HEAPSCAPE_TRY(const Instance exceptions, Instance::at(task.sources(), holder));
  HEAPSCAPE_TRY(const Address faults, exceptions.reference("m_faultExceptions"));
  if (!faults) return items;
  HEAPSCAPE_TRY(const Instance list, Instance::at(task.sources(), faults));
  HEAPSCAPE_TRY(const ManagedArray infos, readArray(list, "_items"));
  HEAPSCAPE_TRY(const std::uint32_t count, list.count("_size"));
  for (std::uint32_t i = 0; i < count && i < infos.count && i < kLimits.taskExceptions; ++i) {
    HEAPSCAPE_TRY(const Address object, task.memory().readPointer(infos.element(i)));
    HEAPSCAPE_TRY(const Instance info, Instance::at(task.sources(), object));
    HEAPSCAPE_TRY(const FieldPlace exception, info.field("_exception"));
    items.push_back({{}, exception.address, "Exception", anyType});
  }
  return items;
}

}  // namespace

Result<std::unique_ptr<Collection>> makeTask(const Instance& task) {
  HEAPSCAPE_TRY(const auto flags, task.number<std::uint32_t>("m_stateFlags"));
  HEAPSCAPE_TRY(const FieldPlace continuation, task.field("m_continuationObject"));
  HEAPSCAPE_TRY(const Address next, task.reference("m_continuationObject"));
  HEAPSCAPE_TRY(const Address anyType, task.sources().readers.runtime.globalPointer("ObjectMethodTable"));
  CollectionFacts facts{.labels = ItemLabels::None, .state = statusOf(flags), .isHolder = true};
  std::vector<ItemPlace> items;
  // A task without a result is one of VoidTaskResult if it is made by an async method.
  const auto result = task.field("m_result");
  if (result && result->shape->slot.typeName != "System.Threading.Tasks.VoidTaskResult") {
    HEAPSCAPE_TRY(facts.valueType, task.typeArgument(0));
    if (flags & kRanToCompletion) items.push_back({{}, result->address, "Result"});
  }
  const auto exceptions = exceptionsOf(task, anyType);
  if (exceptions) items.insert(items.end(), exceptions->begin(), exceptions->end());
  if (!exceptions) facts.damage = exceptions.error().what;
  // A completed task has a mark there instead.
  if (next && !(flags & kCompleted)) items.push_back({{}, continuation.address, "Continuation", anyType});
  facts.count = items.size();
  return std::make_unique<FewItems>(std::move(facts), std::move(items));
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "session/async/async_types.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "metadata/names/generated_names.h"
#include "session/async/suspended_methods.h"

namespace heapscape::engine {
namespace {

// Roslyn's names of the fields of a state machine (GeneratedNames.cs).
constexpr std::string_view kStateField = "<>1__state";
constexpr std::string_view kAwaiterFields = "<>u__";
constexpr std::string_view kYieldAwaiter = "System.Runtime.CompilerServices.YieldAwaitable+YieldAwaiter";

/// Objects that only pass on that a task has ended (TaskContinuation.cs, AsyncMethodBuilderCore.cs).
struct ForwarderType {
  std::string_view name;
  std::string_view field;
};
constexpr std::array kForwarders{
    ForwarderType{"System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper", "_continuation"},
    ForwarderType{"System.Threading.Tasks.AwaitTaskContinuation", "m_action"},
    ForwarderType{"System.Threading.Tasks.ContinueWithTaskContinuation", "m_task"},
    ForwarderType{"System.Threading.Tasks.StandardTaskContinuation", "m_task"},
    ForwarderType{"System.Threading.Tasks.SynchronizationContextAwaitTaskContinuation", "m_action"},
    ForwarderType{"System.Threading.Tasks.TaskSchedulerAwaitTaskContinuation", "m_action"},
};
constexpr std::array<std::string_view, 2> kThreadWaits{
    "System.Threading.Tasks.Task+SetOnCountdownMres",
    "System.Threading.Tasks.Task+SetOnInvokeMres",
};

}  // namespace

bool isAsyncBoxName(std::string_view typeName) {
  if (!typeName.starts_with("System.Runtime.CompilerServices.") || typeName.ends_with(']')) return false;
  return typeName.find("AsyncStateMachineBox<") != std::string_view::npos ||
         typeName.find("+StateMachineBox<") != std::string_view::npos;
}

std::string asyncMethodOfBox(std::string_view boxTypeName) {
  constexpr std::string_view kBox = "StateMachineBox<";
  const std::size_t start = boxTypeName.find(kBox);
  if (start == std::string_view::npos) return {};
  const std::string_view machine = boxTypeName.substr(start + kBox.size());
  return asyncMethodName(machine.substr(0, machine.rfind('>')));
}

TypeHandle stateMachineOf(const RuntimeReaders& readers, const MethodTable& boxType) {
  // The last one of AsyncTaskMethodBuilder<TResult>.AsyncStateMachineBox<TStateMachine>.
  const auto arguments = readers.methodTables.typeArguments(boxType);
  return arguments && !arguments->empty() ? arguments->back() : TypeHandle{};
}

AsyncTypes::AsyncTypes(const Contents& contents)
    : m_contents(contents),
      m_shapes(*contents.readers),
      m_multicastDelegate(contents.readers->runtime.globalPointer("MulticastDelegateMethodTable").value_or(Address{})),
      m_types(contents.types->size()) {}

const AsyncType& AsyncTypes::of(TypeId type) {
  static const AsyncType kUnknown;
  if (type.value >= m_types.size()) return kUnknown;
  if (!m_types[type.value]) m_types[type.value] = read(type);
  return *m_types[type.value];
}

std::vector<std::uint8_t> AsyncTypes::boxesAndTasks() {
  std::vector<std::uint8_t> wanted(m_types.size());
  for (std::uint32_t i = 0; i < wanted.size(); ++i) {
    const AsyncType::Role role = of({i}).role;
    wanted[i] = role == AsyncType::Role::Box || role == AsyncType::Role::Task || role == AsyncType::Role::Promise;
  }
  return wanted;
}

AsyncType AsyncTypes::read(TypeId id) const {
  using Role = AsyncType::Role;
  const TypeRow& row = (*m_contents.types)[id.value];
  AsyncType type;
  const auto methodTable = m_contents.readers->methodTables.read(row.methodTable);
  if (!methodTable || row.isFree || methodTable->isArray || row.componentSize) return type;
  if (methodTable->parent && methodTable->parent == m_multicastDelegate) {
    type.role = Role::Delegate;
    return type;
  }
  if (methodTable->isContinuation) {
    type.role = Role::Suspended;
    return type;
  }
  const bool isBox = isAsyncBoxName(row.name);
  const bool isTask = isBox || this->isTask(row.methodTable);
  const auto* forwarder = std::ranges::find(kForwarders, row.name, &ForwarderType::name);
  const bool isList = row.name == "System.Collections.Generic.List<System.Object>";
  if (std::ranges::count(kThreadWaits, row.name)) type.role = Role::ThreadWait;
  const std::string_view awaitedField = awaitedFieldOf(row.name);
  if (!isTask && !isList && forwarder == kForwarders.end() && awaitedField.empty()) return type;
  const TypeShape* shape = m_shapes.find(row.methodTable);
  if (!shape) return type;
  type.flags = offsetOf(*shape, "m_stateFlags");
  type.continuation = offsetOf(*shape, "m_continuationObject");
  type.action = offsetOf(*shape, "m_action");
  if (isBox) {
    readBox(*shape, type);
  } else if (!awaitedField.empty()) {
    type.awaited = offsetOf(*shape, awaitedField);
    type.scheduler = offsetOf(*shape, "ContinuationContext");
    if (type.awaited) type.role = Role::Waiting;
  } else if (isTask) {
    if (type.flags && type.continuation) type.role = Role::Task;
    if (isRuntimeAsyncTaskName(row.name)) {
      type.next = offsetOf(*shape, kFirstContinuationField);
      if (type.next && type.role == Role::Task) type.role = Role::Promise;
    }
    if (row.name.ends_with("+ValueTaskSourceAsTask")) type.source = offsetOf(*shape, "_source");
  } else {
    type.role = isList ? Role::List : Role::Forwarder;
    type.next = offsetOf(*shape, isList ? "_items" : forwarder->field);
    type.count = isList ? offsetOf(*shape, "_size") : 0;
    if (!type.next || (isList && !type.count)) type.role = Role::None;
  }
  return type;
}

bool AsyncTypes::isTask(Address methodTable) const {
  bool isTask = false;
  std::vector<Address> chain;  // from the type up to the first one that is known
  while (methodTable && chain.size() < kLimits.parentDepth) {
    const auto known = m_isTask.find(methodTable);
    isTask = known != m_isTask.end() ? known->second
                                     : m_contents.readers->names.nameOf(methodTable) == "System.Threading.Tasks.Task";
    if (known == m_isTask.end()) chain.push_back(methodTable);
    if (isTask || known != m_isTask.end()) break;
    const auto type = m_contents.readers->methodTables.read(methodTable);
    methodTable = type ? type->parent : Address{};
  }
  for (const Address type : chain) m_isTask.emplace(type, isTask);
  return isTask;
}

std::uint64_t AsyncTypes::offsetOf(const TypeShape& shape, std::string_view field) const {
  const InstanceSources all = sources();
  const auto offset = Instance(all, shape, {}).offsetOf(field);
  return offset ? *offset + Instance::kFieldsOffset : 0;
}

void AsyncTypes::readBox(const TypeShape& shape, AsyncType& type) const {
  const InstanceSources all = sources();
  const auto machine = Instance(all, shape, {}).field("StateMachine");
  if (!machine) return;
  const TypeShape* machineShape = m_shapes.find(stateMachineOf(*m_contents.readers, shape.type));
  const FieldShape* state = machineShape ? machineShape->field(kStateField) : nullptr;
  if (!state) return;
  type.role = AsyncType::Role::Box;
  type.method = asyncMethodName(machineShape->name);
  type.machineType = machineShape->type.address;
  type.machine = machine->address.value + Instance::kFieldsOffset;
  type.isReference = machine->shape->slot.kind == Slot::Kind::Reference;
  type.context = offsetOf(shape, "Context");
  const std::uint64_t start = type.isReference ? Instance::kFieldsOffset : 0;
  type.state = start + state->offset;
  for (const FieldShape& field : machineShape->fields) {
    if (field.name.starts_with(kAwaiterFields)) addAwaiter(field, start, type);
  }
}

/// All references in an awaiter; the first one that is set is what it waits for.
void AsyncTypes::addAwaiter(const FieldShape& awaiter, std::uint64_t start, AsyncType& type) const {
  struct Part {
    const FieldShape* field;
    std::uint64_t start;
  };
  std::vector<Part> waiting{{&awaiter, start}};
  for (std::size_t parts = 0; !waiting.empty() && parts < kLimits.nestingDepth; ++parts) {
    const Part part = waiting.front();
    waiting.erase(waiting.begin());
    const Slot& slot = part.field->slot;
    const std::uint64_t offset = part.start + part.field->offset;
    if (slot.typeName == kYieldAwaiter) type.mayYield = true;
    if (slot.kind == Slot::Kind::Reference) type.awaiters.push_back(offset);
    const TypeShape* inner = slot.kind == Slot::Kind::ValueType ? m_shapes.find(slot.type) : nullptr;
    if (!inner) continue;
    for (const FieldShape& field : inner->fields) waiting.push_back({&field, offset});
  }
}

}  // namespace heapscape::engine

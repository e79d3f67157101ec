// SPDX-License-Identifier: MIT
#include "insight/detectors/async_machines.h"

#include <algorithm>

#include "base/limits.h"
#include "metadata/names/generated_names.h"
#include "session/async/async_types.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kStateField = "<>1__state";
constexpr std::string_view kAwaiterFields = "<>u__";

}  // namespace

AsyncMachines::AsyncMachines(const InsightInput& input, HeapObjects& heap, const Delegates& delegates)
    : m_heap(heap),
      m_delegates(delegates),
      m_methods(input.contents),
      m_continuations(input.contents.readers->runtime) {
  const std::vector<TypeRow>& rows = *input.contents.types;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (isAsyncBoxName(rows[i].name)) addType({i});
    if (!isRuntimeAsyncTaskName(rows[i].name)) continue;
    m_boxes.emplace(i, BoxType{.isSuspended = true});
    m_types.push_back({i});
  }
}

void AsyncMachines::addType(TypeId type) {
  const InstanceSources sources = m_heap.sources();
  const TypeShape* shape = sources.shapes.find((*m_heap.contents().types)[type.value].methodTable);
  const auto machine = shape ? Instance(sources, *shape, {}).field("StateMachine") : failure(ErrorCode::NotFound, {});
  if (!machine) return;
  const TypeShape* machineShape = sources.shapes.find(stateMachineOf(sources.readers, shape->type));
  const FieldShape* state = machineShape ? machineShape->field(kStateField) : nullptr;
  if (!state) return;
  BoxType box;
  box.method = asyncMethodName(machineShape->name);
  box.machine = machine->address.value + Instance::kFieldsOffset;
  box.isReference = machine->shape->slot.kind == Slot::Kind::Reference;
  const std::uint64_t start = box.isReference ? Instance::kFieldsOffset : 0;
  box.state = start + state->offset;
  box.awaiters = awaiterReferences(*machineShape, start);
  m_boxes.emplace(type.value, std::move(box));
  m_types.push_back(type);
}

std::vector<std::uint64_t> AsyncMachines::awaiterReferences(const TypeShape& machine, std::uint64_t start) const {
  std::vector<std::uint64_t> references;
  for (const FieldShape& field : machine.fields) {
    if (!field.name.starts_with(kAwaiterFields)) continue;
    if (field.slot.kind == Slot::Kind::Reference) references.push_back(start + field.offset);
    const bool isValue = field.slot.kind == Slot::Kind::ValueType;
    const TypeShape* shape = isValue ? m_heap.sources().shapes.find(field.slot.type) : nullptr;
    if (shape) addReferences(*shape, start + field.offset, references);
  }
  return references;
}

void AsyncMachines::addReferences(const TypeShape& shape, std::uint64_t start,
                                  std::vector<std::uint64_t>& references) const {
  struct Part {
    const TypeShape* shape;
    std::uint64_t start;
  };
  std::vector<Part> waiting{{&shape, start}};
  for (std::size_t parts = 0; !waiting.empty() && parts < kLimits.nestingDepth; ++parts) {
    const Part part = waiting.back();
    waiting.pop_back();
    for (const FieldShape& field : part.shape->fields) {
      if (field.slot.kind == Slot::Kind::Reference) references.push_back(part.start + field.offset);
      const bool isValue = field.slot.kind == Slot::Kind::ValueType;
      const TypeShape* inner = isValue ? m_heap.sources().shapes.find(field.slot.type) : nullptr;
      if (inner) waiting.push_back({inner, part.start + field.offset});
    }
  }
}

bool AsyncMachines::isBox(std::uint32_t object) const {
  return object != HeapObjects::kNone && m_boxes.contains(m_heap.typeOf(object).value);
}

std::optional<PendingMachine> AsyncMachines::read(std::uint32_t box) {
  // A method that has ended clears its state, so that only the task tells.
  if (!isBox(box) || isEndedTask(box)) return std::nullopt;
  const BoxType& type = m_boxes.at(m_heap.typeOf(box).value);
  if (type.isSuspended) return readSuspended(box);
  Address machine = m_heap.addressOf(box) + type.machine;
  if (type.isReference && (!m_heap.memory().tryRead(machine, machine) || !machine)) return std::nullopt;
  PendingMachine pending{.box = box};
  if (!m_heap.memory().tryRead(machine + type.state, pending.state) || pending.state < 0) return std::nullopt;
  // Only the awaiter of the current await is set; the first reference in one is what it waits for.
  for (const std::uint64_t offset : type.awaiters) {
    Address awaited;
    if (!m_heap.memory().tryRead(machine + offset, awaited) || !awaited) continue;
    pending.awaited = m_heap.objectAt(awaited);
    if (pending.awaited != HeapObjects::kNone) break;
  }
  return pending;
}

std::optional<PendingMachine> AsyncMachines::readSuspended(std::uint32_t task) {
  const std::uint32_t first = m_heap.reference(task, kFirstContinuationField);
  if (first == HeapObjects::kNone) return std::nullopt;
  const std::string_view field = awaitedFieldOf(m_heap.typeNameOf(first));
  const auto waiting = m_continuations.read(m_heap.addressOf(first));
  const auto innermost = waiting && waiting->next ? m_continuations.read(waiting->next) : std::nullopt;
  if (field.empty() || !innermost) return std::nullopt;
  return PendingMachine{.box = task, .awaited = m_heap.reference(first, field), .state = innermost->number};
}

std::string AsyncMachines::methodOf(std::uint32_t box) {
  return methodsOf(box).front();
}

std::vector<std::string> AsyncMachines::methodsOf(std::uint32_t box) {
  const BoxType& type = m_boxes.at(m_heap.typeOf(box).value);
  std::vector<std::string> methods;
  if (type.isSuspended) methods = m_methods.methodsOfTask(m_heap.addressOf(box));
  if (methods.empty()) methods.push_back(type.isSuspended ? "an async method" : type.method);
  return methods;
}

bool AsyncMachines::isEndedTask(std::uint32_t object) {
  return m_heap.number<std::uint32_t>(object, "m_stateFlags").value_or(0) & TaskFlags::kEnded;
}

std::uint32_t AsyncMachines::nextOf(std::uint32_t box) {
  std::uint32_t next = m_heap.reference(box, "m_continuationObject");
  if (next == HeapObjects::kNone || isBox(next)) return next;
  if (!awaitedFieldOf(m_heap.typeNameOf(next)).empty()) {
    next = m_heap.reference(next, "RuntimeAsyncTask");
    return isBox(next) ? next : HeapObjects::kNone;
  }
  // Where there is a context to go back to, an AwaitTaskContinuation holds a delegate whose target is the box.
  if (const std::uint32_t action = m_heap.reference(next, "m_action"); action != HeapObjects::kNone) next = action;
  next = m_delegates.targetOf(next);
  return isBox(next) ? next : HeapObjects::kNone;
}

}  // namespace heapscape::engine

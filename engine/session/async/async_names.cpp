// SPDX-License-Identifier: MIT
#include "session/async/async_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "heap/object_head.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostForwardings = 16;

// Where work items keep what they call (ThreadPoolWorkQueue.cs, Task.cs, Timer.cs).
constexpr std::array<std::string_view, 5> kDelegateFields{"_callback", "m_action", "_timerCallback", "_action",
                                                          "_continuation"};

}  // namespace

const AsyncType& CalledMethods::typeAt(Address object) {
  std::uint64_t word = 0;
  const bool isThere = object && m_contents.memory->tryRead(object, word);
  const TypeIndex::Slot* slot = isThere ? m_contents.heap->types.find(word & kMethodTableMask) : nullptr;
  return m_types.of(slot ? TypeId{slot->type} : TypeId{});
}

const std::string& CalledMethods::byCode(Address delegate) {
  const RuntimeReaders& readers = *m_contents.readers;
  // An open delegate goes through a thunk; its second pointer says where.
  Address code = readers.runtime.pointerAt(delegate, "Delegate", "_methodPtrAux").value_or(Address{});
  if (!code) code = readers.runtime.pointerAt(delegate, "Delegate", "_methodPtr").value_or(Address{});
  const auto [entry, isNew] = m_names.try_emplace(code);
  if (!isNew) return entry->second;
  if (const Address method = readers.code.methodAtEntry(code)) {
    const std::string name = readers.methodNames.nameOf(method);
    entry->second = name.substr(0, name.find('('));
  }
  return entry->second;
}

std::string CalledMethods::goesOnIn(Address task) {
  const std::vector<std::string> methods = m_suspended.methodsOfTask(task);
  return methods.empty() ? std::string() : methods.front();
}

std::string CalledMethods::ofDelegate(Address delegate) {
  const ClrRuntime& runtime = m_contents.readers->runtime;
  Address called = delegate;
  for (std::size_t step = 0; step < kMostForwardings; ++step) {
    const AsyncType& type = typeAt(called);
    if (type.role == AsyncType::Role::Box) return type.method;
    if (type.role == AsyncType::Role::Promise) return goesOnIn(called);
    if (type.role == AsyncType::Role::Forwarder) {
      if (!m_contents.memory->tryRead(called + type.next, called)) break;
    } else if (type.role == AsyncType::Role::Delegate) {
      delegate = called;
      if (runtime.pointerAt(called, "Delegate", "_methodPtrAux").value_or(Address{})) break;
      called = runtime.pointerAt(called, "Delegate", "_target").value_or(Address{});
    } else {
      break;
    }
  }
  return byCode(delegate);
}

std::string CalledMethods::ofWorkItem(Address object) {
  const AsyncType& type = typeAt(object);
  if (type.role == AsyncType::Role::Box) return type.method;
  if (type.role == AsyncType::Role::Promise) return goesOnIn(object);
  if (type.role == AsyncType::Role::Delegate || type.role == AsyncType::Role::Forwarder) return ofDelegate(object);
  const InstanceSources sources = m_types.sources();
  const auto item = Instance::at(sources, object);
  for (const std::string_view field : kDelegateFields) {
    const auto delegate = item ? item->reference(field) : failure(ErrorCode::NotFound, {});
    if (delegate && typeAt(*delegate).role == AsyncType::Role::Delegate) return ofDelegate(*delegate);
  }
  return {};
}

namespace {

constexpr std::uint32_t kForEver = 0xffffffff;  // Timeout.UnsignedInfinite

/// Types that say what is waited for (.NET 8 to 10); of generic ones without arguments.
struct AwaitedType {
  std::string_view name;
  std::string_view words;
};
constexpr std::string_view kContinueWith = "Task.ContinueWith";
constexpr std::array kAwaitedTypes{
    AwaitedType{"Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.Internal.SocketReceiver", "socket receive"},
    AwaitedType{"Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.Internal.SocketSender", "socket send"},
    AwaitedType{"Microsoft.Win32.SafeHandles.SafeFileHandle+ThreadPoolValueTaskSource", "file operation"},
    AwaitedType{"System.IO.Pipelines.Pipe+DefaultPipeReader", "PipeReader.ReadAsync"},
    AwaitedType{"System.IO.Pipelines.Pipe+DefaultPipeWriter", "PipeWriter.FlushAsync"},
    AwaitedType{"System.Threading.Channels.BlockedReadAsyncOperation", "ChannelReader.ReadAsync"},
    AwaitedType{"System.Threading.Channels.BlockedWriteAsyncOperation", "ChannelWriter.WriteAsync"},
    AwaitedType{"System.Threading.Channels.VoidAsyncOperationWithData", "ChannelWriter.WriteAsync"},
    AwaitedType{"System.Threading.Channels.WaitingReadAsyncOperation", "ChannelReader.WaitToReadAsync"},
    AwaitedType{"System.Threading.Channels.WaitingWriteAsyncOperation", "ChannelWriter.WaitToWriteAsync"},
    AwaitedType{"System.Threading.PeriodicTimer+State", "PeriodicTimer.WaitForNextTickAsync"},
    AwaitedType{"System.Threading.SemaphoreSlim+TaskNode", "SemaphoreSlim.WaitAsync"},
    AwaitedType{"System.Threading.Tasks.ContinuationResultTaskFromResultTask", kContinueWith},
    AwaitedType{"System.Threading.Tasks.ContinuationResultTaskFromTask", kContinueWith},
    AwaitedType{"System.Threading.Tasks.ContinuationTaskFromResultTask", kContinueWith},
    AwaitedType{"System.Threading.Tasks.ContinuationTaskFromTask", kContinueWith},
    AwaitedType{"System.Threading.Tasks.Task+CancellationPromise", "Task.WaitAsync"},
    AwaitedType{"System.Threading.Tasks.Task+DelayPromise", "Task.Delay"},
    AwaitedType{"System.Threading.Tasks.Task+DelayPromiseWithCancellation", "Task.Delay"},
    AwaitedType{"System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", "Task.WhenAny"},
    AwaitedType{"System.Threading.Tasks.Task+WhenAllPromise", "Task.WhenAll"},
    AwaitedType{"System.Threading.Tasks.TaskFactory+CompleteOnCountdownPromise", "TaskFactory.ContinueWhenAll"},
    AwaitedType{"System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise", "Task.WhenAny"},
    AwaitedType{"System.Threading.Tasks.UnwrapPromise", "Task.Unwrap"},
};
constexpr std::string_view kSocketOperation = "System.Net.Sockets.Socket+AwaitableSocketAsyncEventArgs";
constexpr std::string_view kChannelOperation = "System.Threading.Channels.AsyncOperation<";
constexpr std::string_view kChannelWait = "System.Threading.Channels.AsyncOperation<System.Boolean>";
constexpr std::string_view kPlainTask = "System.Threading.Tasks.Task";
constexpr std::string_view kCompletionSource = "System.Threading.Tasks.TaskCompletionSource";

// SocketAsyncOperation (System.Net.Sockets).
constexpr std::array kSocketWords{"operation", "accept",  "connect", "disconnect", "receive",
                                  "receive",   "receive", "send",    "send",       "send"};

// Fields of .NET 8 and 9, where operations do not say what they are for; lists go in a circle.
constexpr std::array kChannelFields{
    AwaitedType{"_waitingReader", "ChannelReader.WaitToReadAsync"},
    AwaitedType{"_waitingReadersTail", "ChannelReader.WaitToReadAsync"},
    AwaitedType{"_waitingWritersTail", "ChannelWriter.WaitToWriteAsync"},
};
constexpr std::size_t kWaitsOfChannel = 1'000'000;

const AwaitedType* findKnown(std::string_view typeName) {
  const std::string_view name = typeName.substr(0, typeName.find('<'));
  const auto* found = std::ranges::find(kAwaitedTypes, name, &AwaitedType::name);
  return found == kAwaitedTypes.end() ? nullptr : found;
}

}  // namespace

std::uint32_t AsyncNames::add(std::string name) {
  const auto [entry, isNew] = m_numbers.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
  if (isNew) m_names.push_back(std::move(name));
  return entry->second;
}

std::uint32_t AsyncNames::nameOf(const AsyncNode& node) {
  if (node.isSuspended) return add(nameOfSuspended(node));
  if (const auto known = m_byType.find(node.type.value); known != m_byType.end()) return known->second;
  if (node.type.isNone()) return add("an object without a type");
  const bool isMethod = node.kind == AsyncNode::Kind::Method;
  const AwaitedType* known = isMethod ? nullptr : findKnown((*m_contents.types)[node.type.value].name);
  if (!isMethod && (!known || known->words == kContinueWith)) return add(describe(node));
  const std::uint32_t name = add(isMethod ? m_types.of(node.type).method : std::string(known->words));
  m_byType.emplace(node.type.value, name);
  return name;
}

std::string AsyncNames::nameOfSuspended(const AsyncNode& node) {
  if (node.resumeInfo) return m_methods.of(node.resumeInfo).name;
  const std::string name = node.running ? m_methods.nameOfMethod(node.running) : std::string();
  return name.empty() ? "an async method" : name;
}

/// Text of a node: more than its type alone says.
std::string AsyncNames::describe(const AsyncNode& node) {
  const AsyncType& type = m_types.of(node.type);
  const std::string& typeName = (*m_contents.types)[node.type.value].name;
  const Address object = addressOf(node);
  if (typeName == kSocketOperation) return describeSocket(object);
  if (typeName == kChannelWait) return describeChannelWait(object);
  if (typeName.starts_with(kChannelOperation)) return "ChannelReader.ReadAsync";
  if (type.source) return "ValueTask.AsTask";
  if (type.role == AsyncType::Role::Promise) {
    const std::vector<std::string> methods = m_methods.methodsOfTask(object);
    return methods.empty() ? "an async method" : methods.back();
  }
  if (findKnown(typeName)) {
    Address action;
    const bool isTold = type.action && m_contents.memory->tryRead(object + type.action, action) && action;
    const std::string called = isTold ? calledBy(action) : std::string();
    return called.empty() ? std::string(kContinueWith) : fmt::format("{} {}", kContinueWith, called);
  }
  const bool isPlain =
      typeName == kPlainTask || (typeName.starts_with(fmt::format("{}<", kPlainTask)) && typeName.ends_with('>'));
  return isPlain ? describePlainTask(object, type, typeName) : typeName;
}

std::string AsyncNames::describePlainTask(Address task, const AsyncType& type, const std::string& typeName) {
  const AddressSpace& memory = *m_contents.memory;
  Address action;
  std::uint32_t flags = 0;
  if (type.action && memory.tryRead(task + type.action, action) && action) {
    if (!memory.tryRead(task + type.flags, flags)) flags = 0;
    const std::string called = calledBy(action);
    return fmt::format("task of {}, {}", called.empty() ? "unknown code" : called,
                       flags & TaskFlags::kDelegateInvoked ? "running"
                       : flags & TaskFlags::kStarted       ? "waiting to run"
                                                           : "not started");
  }
  // Others make tasks with a result this way, too: Task.FromAsync, and builders whose task was asked for early.
  if (typeName == kPlainTask) return "TaskCompletionSource";
  if (!m_completed) findCompletionSources();
  return std::ranges::binary_search(*m_completed, task) ? "TaskCompletionSource" : "TaskCompletionSource or the like";
}

std::string AsyncNames::describeSocket(Address operation) const {
  const InstanceSources sources = m_types.sources();
  const auto instance = Instance::at(sources, operation);
  const auto number =
      instance ? instance->number<std::uint32_t>("_completedOperation") : failure(ErrorCode::NotFound, {});
  return fmt::format("socket {}", number && *number < kSocketWords.size() ? kSocketWords[*number] : kSocketWords[0]);
}

std::string AsyncNames::describeChannelWait(Address operation) {
  if (!m_channelWaits) findChannelWaits();
  const auto found = m_channelWaits->find(operation);
  return found == m_channelWaits->end() ? "channel operation" : std::string(found->second);
}

std::optional<std::uint32_t> AsyncNames::millisecondsOf(const AsyncNode& node) {
  if (node.type.isNone()) return std::nullopt;
  const AwaitedType* known = findKnown((*m_contents.types)[node.type.value].name);
  if (!known || known->words != "Task.Delay") return std::nullopt;
  const InstanceSources sources = m_types.sources();
  const auto delay = Instance::at(sources, addressOf(node));
  const auto timer = delay ? delay->follow("_timer") : failure(ErrorCode::NotFound, {});
  const auto due = timer ? timer->number<std::uint32_t>("_dueTime") : failure(ErrorCode::NotFound, {});
  return due && *due != kForEver ? std::optional(*due) : std::nullopt;
}

void AsyncNames::findCompletionSources() {
  m_completed.emplace();
  std::vector<std::uint8_t> wanted(m_contents.types->size());
  for (std::uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string& name = (*m_contents.types)[i].name;
    wanted[i] = name.starts_with(kCompletionSource) && !name.ends_with(']');
  }
  const auto objects = objectsOfTypes(m_contents, wanted, m_stop);
  if (!objects) return;
  const InstanceSources sources = m_types.sources();
  std::unordered_map<std::uint32_t, std::uint64_t> fields;  // by TypeId; 0 for a type that has none
  for (const TypedObject& object : *objects) {
    const auto [field, isNew] = fields.try_emplace(object.type.value);
    const TypeShape* shape = isNew ? sources.shapes.find((*m_contents.types)[object.type.value].methodTable) : nullptr;
    if (const auto offset = shape ? Instance(sources, *shape, {}).offsetOf("_task") : failure(ErrorCode::NotFound, {}))
      field->second = *offset + Instance::kFieldsOffset;
    Address task;
    if (field->second && m_contents.memory->tryRead(m_contents.heap->index.addressOf(object.id) + field->second, task))
      m_completed->push_back(task);
  }
  std::ranges::sort(*m_completed);
}

void AsyncNames::findChannelWaits() {
  m_channelWaits.emplace();
  std::vector<std::uint8_t> wanted(m_contents.types->size());
  for (std::uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string& name = (*m_contents.types)[i].name;
    wanted[i] = name.starts_with("System.Threading.Channels.") && name.find("Channel<") != std::string::npos;
  }
  const auto objects = objectsOfTypes(m_contents, wanted, m_stop);
  const InstanceSources sources = m_types.sources();
  for (std::size_t i = 0; objects && i < objects->size() && !m_stop.stop_requested(); ++i) {
    if (const auto channel = Instance::at(sources, m_contents.heap->index.addressOf((*objects)[i].id)))
      addChannelWaits(*channel);
  }
}

void AsyncNames::addChannelWaits(const Instance& channel) {
  for (const AwaitedType& field : kChannelFields) {
    Address operation = channel.reference(field.name).value_or(Address{});
    for (std::size_t i = 0; operation && i < kWaitsOfChannel; ++i) {
      if (!m_channelWaits->emplace(operation, field.words).second) break;
      const auto instance = Instance::at(channel.sources(), operation);
      operation = instance ? instance->reference("<Next>k__BackingField").value_or(Address{}) : Address{};
    }
  }
}

}  // namespace heapscape::engine

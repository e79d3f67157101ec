// SPDX-License-Identifier: MIT
#include "redact/redacted_objects.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "layout/actual_layout.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kCharactersOffset = 12;

struct NamedField {
  std::string_view type;  // without type arguments; of a namespace, with the dot behind it, any; empty for all
  std::string_view field;
};

/// Fields that say what state an object of the runtime's library is in: who waits for what, and where an async method
/// stands, follow from them.
constexpr std::array kStates = std::to_array<NamedField>({
    {"", "<>1__state"},
    {"System.MulticastDelegate", "_invocationCount"},
    {"System.Exception", "_HResult"},
    {"System.Threading.TimerQueueTimer", "_dueTime"},
    {"System.Threading.TimerQueueTimer", "_period"},
    {"System.Threading.TimerQueueTimer", "_startTicks"},
    {"System.Threading.TimerQueue", "_currentTimerStartTicks"},
    {"System.Threading.Tasks.Task", "m_stateFlags"},
    {"System.Threading.Tasks.Task", "m_taskId"},
    {"System.Threading.Thread", "_managedThreadId"},
    {"System.Threading.ThreadLocal`1", "_idComplement"},
    {"System.Threading.Lock", "_state"},
    {"System.Threading.Lock", "_owningThreadId"},
    {"System.Threading.Lock", "_recursionCount"},
    {"System.Threading.ReaderWriterLockSlim", "_owners"},
    {"System.Threading.ReaderWriterLockSlim", "_lockID"},
    {"System.Threading.ReaderWriterLockSlim", "_writeLockOwnerId"},
    {"System.Threading.ReaderWriterLockSlim", "_upgradeLockOwnerId"},
    {"System.Threading.ReaderWriterLockSlim", "_numWriteWaiters"},
    {"System.Threading.ReaderWriterLockSlim", "_numReadWaiters"},
    {"System.Threading.ReaderWriterLockSlim", "_numWriteUpgradeWaiters"},
    {"System.Threading.ReaderWriterLockSlim", "_numUpgradeWaiters"},
    {"System.Threading.ReaderWriterCount", "lockID"},
    {"System.Threading.ReaderWriterCount", "readercount"},
    {"System.Threading.ReaderWriterCount", "writercount"},
    {"System.Threading.ReaderWriterCount", "upgradecount"},
    {"System.Threading.SemaphoreSlim", "m_currentCount"},
    {"System.Threading.SemaphoreSlim", "m_maxCount"},
    {"System.Threading.SemaphoreSlim", "m_waitCount"},
    {"System.Threading.SemaphoreSlim", "m_countOfWaitersPulsedToWake"},
    {"System.Threading.ManualResetEventSlim", "m_combinedState"},
    {"System.Threading.CountdownEvent", "_initialCount"},
    {"System.Threading.CountdownEvent", "_currentCount"},
    {"System.Threading.CancellationTokenSource", "_state"},
    {"System.Threading.PortableThreadPool", "_minThreads"},
    {"System.Threading.PortableThreadPool", "_maxThreads"},
    {"System.Threading.PortableThreadPool+ThreadCounts", "_data"},
    {"System.Net.Sockets.SocketAsyncEventArgs", "_completedOperation"},
    {"System.Net.Http.", "_responseCompletionState"},
    {"System.Net.Http.", "_responseHeadersReceived"},
    {"System.Net.Http.", "<StreamId>k__BackingField"},
    {"System.Net.Http.HttpResponseMessage", "_statusCode"},
    {"System.Version", "_Major"},
    {"System.Version", "_Minor"},
    {"Microsoft.AspNetCore.Server.Kestrel.Core.Internal.", "_requestProcessingStatus"},
    {"Microsoft.AspNetCore.Server.Kestrel.Core.Internal.", "_httpVersion"},
    {"Microsoft.AspNetCore.Server.Kestrel.Core.Internal.", "_completionState"},
    {"Microsoft.AspNetCore.Server.Kestrel.Core.Internal.", "_statusCode"},
    {"Microsoft.AspNetCore.Server.Kestrel.Core.Internal.", "<StreamId>k__BackingField"},
    {"System.Threading.ThreadPoolWorkQueue+WorkStealingQueue", "m_headIndex"},
    {"System.Threading.ThreadPoolWorkQueue+WorkStealingQueue", "m_tailIndex"},
    {"System.Threading.ThreadPoolWorkQueue+WorkStealingQueue", "m_mask"},
    {"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", "_completed"},
    {"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", "_version"},
    {"System.Threading.Tasks.ValueTask", "_token"},
    {"System.Threading.Tasks.ValueTask`1", "_token"},
    {"System.Runtime.CompilerServices.Continuation", "State"},
    {"System.Runtime.CompilerServices.Continuation", "Flags"},
});

/// Fields that say which part of a collection is in use.
constexpr std::array kCounts = std::to_array<NamedField>({
    {"System.Collections.Generic.List`1", "_size"},
    {"System.Collections.Generic.Dictionary`2", "_count"},
    {"System.Collections.Generic.Dictionary`2", "_freeCount"},
    {"System.Collections.Generic.Dictionary`2", "_freeList"},
    {"System.Collections.Generic.Dictionary`2+Entry", "next"},
    {"System.Collections.Generic.HashSet`1", "_count"},
    {"System.Collections.Generic.HashSet`1", "_freeCount"},
    {"System.Collections.Generic.HashSet`1", "_freeList"},
    {"System.Collections.Generic.HashSet`1+Entry", "Next"},
    {"System.Collections.Generic.Queue`1", "_size"},
    {"System.Collections.Generic.Queue`1", "_head"},
    {"System.Collections.Generic.Queue`1", "_tail"},
    {"System.Collections.Generic.Stack`1", "_size"},
    {"System.Collections.Generic.LinkedList`1", "count"},
    {"System.Collections.Generic.PriorityQueue`2", "_size"},
    {"System.Collections.Generic.SortedList`2", "_size"},
    {"System.Collections.Generic.SortedSet`1", "count"},
    {"System.Collections.ArrayList", "_size"},
    {"System.Collections.Queue", "_size"},
    {"System.Collections.Queue", "_head"},
    {"System.Collections.Queue", "_tail"},
    {"System.Collections.Stack", "_size"},
    {"System.Collections.Hashtable", "_count"},
    {"System.Collections.Hashtable", "_occupancy"},
    {"System.Collections.Concurrent.ConcurrentQueueSegment`1", "_slotsMask"},
    {"System.Collections.Concurrent.ConcurrentQueueSegment`1+Slot", "SequenceNumber"},
    {"System.Collections.Concurrent.PaddedHeadAndTail", "Head"},
    {"System.Collections.Concurrent.PaddedHeadAndTail", "Tail"},
    {"System.Text.StringBuilder", "m_ChunkLength"},
    {"System.Text.StringBuilder", "m_ChunkOffset"},
});

/// Collections of the runtime's library itself, whose counts say what threads and async methods wait for: the queues of
/// the thread pool, and many values that are local to an async method.
constexpr std::array kOwnCollections = std::to_array<std::string_view>(
    {"System.Collections.Concurrent.ConcurrentQueueSegment<System.Object>",
     "System.Threading.AsyncLocalValueMap+ManyElementAsyncLocalValueMap",
     "System.Collections.Generic.Dictionary<System.Threading.IAsyncLocal, System.Object>+Entry"});

/// "System.Collections.Generic.List`1" of "System.Collections.Generic.List<System.Int32>" is not needed: a name is held
/// against both with its arguments cut off and its arity counted.
std::string withoutArguments(std::string_view name) {
  std::string plain;
  std::size_t depth = 0;
  std::size_t arguments = 0;
  for (const char character : name) {
    if (character == '<' || character == '[') {
      if (depth++ == 0) arguments = 1;
    } else if (character == '>' || character == ']') {
      if (depth > 0 && --depth == 0) plain += '`' + std::to_string(arguments);
    } else if (depth == 0) {
      plain += character;
    } else if (character == ',' && depth == 1) {
      ++arguments;
    }
  }
  return plain;
}

template <std::size_t count>
bool isAmong(const std::array<NamedField, count>& fields, const std::string& type, const std::string& field) {
  return std::ranges::any_of(fields, [&](const NamedField& one) {
    if (one.field != field) return false;
    const bool isNamespace = one.type.empty() || one.type.ends_with('.');
    return isNamespace ? type.starts_with(one.type) : type == one.type || type.starts_with(std::string(one.type) + '`');
  });
}

constexpr auto kNumbers =
    std::to_array<std::string_view>({"System.Boolean", "System.Char", "System.SByte", "System.Byte", "System.Int16",
                                     "System.UInt16", "System.Int32", "System.UInt32", "System.Int64", "System.UInt64",
                                     "System.Single", "System.Double", "System.IntPtr", "System.UIntPtr"});

bool isNativeInteger(const std::string& name) {
  return name == "System.IntPtr" || name == "System.UIntPtr";
}

}  // namespace

/// Zeros that stand for a range of memory, into which pieces of it are copied.
class RedactedObjects::Target {
 public:
  Target(AddressRange range, std::span<std::byte> bytes) : m_range(range), m_bytes(bytes) {}

  const AddressRange& range() const { return m_range; }
  /// Copies as much of a piece of an object as lies in the range. `bytes`: of the object from its address on.
  void copy(Address object, Bytes bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size()) return;
    put(object + offset, bytes.subspan(offset, std::min<std::uint64_t>(size, bytes.size() - offset)));
  }
  void put(Address at, Bytes bytes) {
    const Address start = std::max(at, m_range.start);
    const Address end = std::min(at + bytes.size(), m_range.end);
    if (start < end) std::memcpy(m_bytes.data() + (start - m_range.start), bytes.data() + (start - at), end - start);
  }
  template <class T>
  void putValue(Address at, const T& value) {
    put(at, std::as_bytes(std::span(&value, 1)));
  }

 private:
  AddressRange m_range;
  std::span<std::byte> m_bytes;
};

RedactedObjects::RedactedObjects(const Snapshot& snapshot, const RedactOptions& options, const MappedAddresses& mapped)
    : m_contents(snapshot.contents()),
      m_options(options),
      m_mapped(mapped),
      m_references(*m_contents.readers, *m_contents.heap),
      m_segments(
          objectsOfAll(*m_contents.memory, m_contents.heap->index, m_contents.heap->types, snapshot.segments())) {
  const std::size_t count = m_contents.heap->types.size();
  m_plans.reserve(count);
  for (std::uint32_t type = 0; type < count; ++type) m_plans.push_back(planOf({type}));
}

RedactedObjects::Plan RedactedObjects::planOf(TypeId type) const {
  const ObjectShape& shape = m_contents.heap->types.shape(type);
  Plan plan{.isFree = shape.isFree, .componentSize = shape.componentSize, .baseSize = shape.baseSize};
  if (plan.isFree) return plan;
  const auto layout = readActualLayout(m_contents.layoutSources(), m_contents.heap->types.methodTable(type));
  if (!layout) return plan;
  plan.isString = layout->kind == TypeKind::String;
  plan.isArray = layout->kind == TypeKind::Array;
  plan.elementOffset = layout->elementOffset;
  plan.mayBeStackTrace = plan.isArray && layout->elementTypeName == "System.SByte";
  const bool keepsCounts = m_options.keepsCounts || std::ranges::any_of(kOwnCollections, [&](std::string_view own) {
                             return layout->typeName.starts_with(own);
                           });
  if (plan.isArray) {
    if (isNativeInteger(layout->elementTypeName) || layout->elementKind == FieldKind::Pointer)
      plan.fields.push_back({0, kPointerBytes, When::IfAddress});
    for (const TypeLayout& element : layout->elementLayout) addFields(element.fields, 0, keepsCounts, plan.fields);
  } else {
    addFields(layout->fields, kFieldsStart, keepsCounts, plan.fields);
  }
  return plan;
}

void RedactedObjects::addFields(const std::vector<LayoutField>& fields, std::uint32_t from, bool keepsCounts,
                                std::vector<Field>& plan) const {
  for (const LayoutField& field : fields) {
    if (field.kind == FieldKind::Reference) continue;
    const std::string declaring = withoutArguments(field.declaringType);
    const bool isState = isAmong(kStates, declaring, field.name);
    const bool isCount = keepsCounts && isAmong(kCounts, declaring, field.name);
    const bool isBoolean = m_options.keepsBooleans && field.typeName == "System.Boolean";
    if (isState || isCount || isBoolean) {
      plan.push_back({from + field.offset, field.sizeBytes * field.repeat, When::Always});
      continue;
    }
    if (field.kind == FieldKind::Pointer || isNativeInteger(field.typeName)) {
      for (std::uint32_t i = 0; i < field.repeat; ++i)
        plan.push_back({from + field.offset + i * field.sizeBytes, field.sizeBytes, When::IfAddress});
      continue;
    }
    // What is a number for the runtime and has no number's name is an enum, loaded or not.
    if (m_options.keepsEnums && field.kind == FieldKind::Primitive && field.nested.empty() &&
        std::ranges::count(kNumbers, field.typeName) == 0) {
      plan.push_back({from + field.offset, field.sizeBytes * field.repeat, When::Always});
      continue;
    }
    for (std::uint32_t i = 0; i < field.repeat; ++i)
      addFields(field.nested, from + i * field.sizeBytes, keepsCounts, plan);
  }
}

void RedactedObjects::fill(AddressRange range, std::span<std::byte> bytes) const {
  Target target(range, bytes);
  const std::vector<Segment>& segments = *m_contents.segments;
  for (std::uint32_t id = 0; id < segments.size(); ++id) {
    const AddressRange part{std::max(range.start, segments[id].objects.start),
                            std::min(range.end, segments[id].objects.end)};
    if (!part.isEmpty()) fillSegment({id}, part, target);
  }
}

void RedactedObjects::fillSegment(SegmentId segment, AddressRange range, Target& target) const {
  const ObjectIndex& index = m_contents.heap->index;
  // An object begins before the range that it reaches into; the header of one behind the range lies in it.
  const auto first = index.startAtOrBefore(range.start);
  const AddressRange starts{first && index.segmentOf(*first) == segment ? *first : range.start,
                            range.end + kPointerBytes};
  m_segments[segment.value].forEach(starts, [&](const ObjectFacts& facts) {
    Bytes bytes = m_segments[segment.value].bytesOf(facts);
    std::vector<std::byte> copied;
    if (bytes.empty()) {  // the dump does not hold the whole segment
      copied.resize(std::min<std::uint64_t>(facts.alignedBytes(), range.end - std::min(range.end, facts.address)));
      for (const AddressRange& part : m_contents.memory->present({facts.address, facts.address + copied.size()}))
        m_contents.memory->tryRead(part.start, std::span(copied).subspan(part.start - facts.address, part.sizeBytes()));
      bytes = copied;
    }
    fillObject(facts, bytes, target);
    return true;
  });
}

std::uint32_t RedactedObjects::shownComponents(const ObjectFacts& facts) const {
  const Plan& plan = m_plans[facts.type.value];
  const bool hasBounds = plan.isArray && plan.elementOffset > kElementsOffset;  // which say how many there are
  if (plan.isFree || m_options.keepsLengths || hasBounds || plan.componentSize >= kPointerBytes)
    return facts.components;
  const std::uint64_t most = (facts.alignedBytes() - plan.baseSize) / plan.componentSize;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(facts.components, most));
}

void RedactedObjects::fillObject(const ObjectFacts& facts, Bytes bytes, Target& target) const {
  const Plan& plan = m_plans[facts.type.value];
  target.copy(facts.address, bytes, 0, kPointerBytes);
  std::array<std::byte, kObjectHeaderBytes> header{};
  if (!plan.isFree && m_contents.memory->tryRead(facts.address - kObjectHeaderBytes, std::span<std::byte>(header)))
    target.put(facts.address - kObjectHeaderBytes, header);
  if (plan.componentSize) target.putValue(facts.address + kComponentsOffset, shownComponents(facts));
  if (plan.isFree) return;
  if (plan.isArray && plan.elementOffset > kElementsOffset)  // bounds of several dimensions
    target.copy(facts.address, bytes, kElementsOffset, plan.elementOffset - kElementsOffset);
  if (!m_references.hasNone(facts.type)) fillReferences(facts, bytes, target);
  if (plan.isString) fillString(facts, bytes, target);
  if (plan.mayBeStackTrace) fillStackTrace(facts, bytes, target);
  if (plan.fields.empty()) return;
  const auto copyFields = [&](std::uint64_t start) {
    for (const Field& field : plan.fields) {
      std::uint64_t word = 0;
      if (field.when == When::IfAddress && (!tryReadAt(bytes, start + field.offset, word) || !m_mapped.contains(word)))
        continue;
      target.copy(facts.address, bytes, start + field.offset, field.sizeBytes);
    }
  };
  if (!plan.isArray) {
    copyFields(0);
    return;
  }
  // Only the elements that reach into the range.
  const Address elements = facts.address + plan.elementOffset;
  const std::uint64_t before = target.range().start > elements ? target.range().start - elements : 0;
  for (std::uint64_t element = before / plan.componentSize; element < facts.components; ++element) {
    const std::uint64_t start = plan.elementOffset + element * plan.componentSize;
    if (facts.address + start >= target.range().end) break;
    copyFields(start);
  }
}

void RedactedObjects::fillReferences(const ObjectFacts& facts, Bytes bytes, Target& target) const {
  const GcDesc& places = m_references.placesOf(facts.type);
  const std::uint64_t aligned = facts.alignedBytes();
  if (aligned < 2 * GcDesc::kReferenceBytes) return;
  const std::uint64_t end = aligned - GcDesc::kReferenceBytes;
  for (const GcDesc::Series& one : places.series) {
    const std::int64_t size = one.sizeDifference + static_cast<std::int64_t>(aligned);
    if (size <= 0 || one.offset < GcDesc::kReferenceBytes || one.offset >= end) continue;
    const std::uint64_t last = std::min(end, one.offset + static_cast<std::uint64_t>(size));
    target.copy(facts.address, bytes, one.offset,
                (last - one.offset) / GcDesc::kReferenceBytes * GcDesc::kReferenceBytes);
  }
  if (places.runs.empty() || places.runsOffset < GcDesc::kReferenceBytes) return;
  std::uint64_t period = 0;
  for (const GcDesc::Run& run : places.runs) period += run.references * GcDesc::kReferenceBytes + run.skipBytes;
  if (period == 0) return;
  const std::uint64_t before =
      target.range().start > facts.address ? target.range().start - facts.address : std::uint64_t{0};
  const std::uint64_t skipped = before > places.runsOffset ? (before - places.runsOffset) / period : 0;
  for (std::uint64_t at = places.runsOffset + skipped * period; at < end && facts.address + at < target.range().end;) {
    for (const GcDesc::Run& run : places.runs) {
      const std::uint64_t size =
          std::min<std::uint64_t>(run.references * GcDesc::kReferenceBytes, end - std::min(at, end));
      target.copy(facts.address, bytes, at, size / GcDesc::kReferenceBytes * GcDesc::kReferenceBytes);
      at += run.references * GcDesc::kReferenceBytes + run.skipBytes;
    }
  }
}

void RedactedObjects::fillString(const ObjectFacts& facts, Bytes bytes, Target& target) const {
  Bytes characters;
  if (!trySlice(bytes, kCharactersOffset, std::uint64_t{facts.components} * sizeof(char16_t), characters)) return;
  const std::uint32_t count = shownComponents(facts);
  if (!m_options.hashesStrings && !m_options.areStringsHashed) {
    // One character for all, so that lengths show in any tool, and no text ends early.
    for (std::uint32_t i = 0; i < count; ++i)
      target.putValue(facts.address + kCharactersOffset + i * sizeof(char16_t), u'*');
    return;
  }
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
  if (m_options.areStringsHashed) {
    for (std::uint32_t i = 0; i < facts.components; ++i) {
      char16_t letter = 0;
      if (tryReadAt(characters, i * sizeof letter, letter) && letter < 0x80 &&
          kLetters.find(static_cast<char>(letter)) != kLetters.npos)
        target.putValue(facts.address + kCharactersOffset + i * sizeof letter, letter);
    }
    return;
  }
  // One digest after another, each of the one before, as far as the string is long.
  XXH128_hash_t hash =
      XXH3_128bits_withSecret(characters.data(), characters.size(), m_options.key.data(), m_options.key.size());
  constexpr std::uint32_t kLettersOfHash = 20;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0 && i % kLettersOfHash == 0)
      hash = XXH3_128bits_withSecret(&hash, sizeof hash, m_options.key.data(), m_options.key.size());
    const std::uint32_t digit = i % kLettersOfHash;
    const std::uint64_t half = digit < kLettersOfHash / 2 ? hash.low64 : hash.high64;
    const char16_t letter = static_cast<unsigned char>(kLetters[half >> digit % (kLettersOfHash / 2) * 6 & 63]);
    target.putValue(facts.address + kCharactersOffset + i * sizeof letter, letter);
  }
}

// The stack of an exception (StackTraceArray, src/coreclr/vm/object.h): a count; the thread or, on .NET 10, how many
// frames have code that may be unloaded; then of each frame where it was, its stack pointer, its method and flags.
void RedactedObjects::fillStackTrace(const ObjectFacts& facts, Bytes bytes, Target& target) const {
  const Contract& contract = m_contents.readers->runtime.contract();
  const std::uint64_t header = contract.sizeOf("StackTraceArrayHeader");
  const std::uint64_t element = contract.sizeOf("StackTraceElement");
  std::uint32_t frames = 0;
  std::uint64_t thread = 0;
  const std::uint64_t start = kElementsOffset;
  if (!tryReadAt(bytes, start, frames) || !tryReadAt(bytes, start + kPointerBytes, thread) || element == 0) return;
  if (facts.components < header || frames > (facts.components - header) / element) return;
  if (thread > frames && !m_mapped.contains(thread)) return;
  target.putValue(facts.address + start, frames);
  target.copy(facts.address, bytes, start + kPointerBytes, header - kPointerBytes);
  for (std::uint64_t at = start + header; at < start + header + frames * element; at += kPointerBytes) {
    std::uint64_t word = 0;
    // The last word of a frame: flags.
    const bool isFlags = (at - start - header) % element == element - kPointerBytes;
    if (tryReadAt(bytes, at, word) && (m_mapped.contains(word) || (isFlags && word <= 0xff)))
      target.putValue(facts.address + at, word);
  }
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/figures.h"
#include "base/limits.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/instance.h"
#include "values/primitive_values.h"

namespace heapscape::engine {

Result<std::unique_ptr<Collection>> makeLazy(const Instance& lazy) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(lazy, ItemLabels::None));
  HEAPSCAPE_TRY(const FieldPlace value, lazy.field("_value"));
  HEAPSCAPE_TRY(const Address state, lazy.reference("_state"));
  facts.isHolder = true;
  std::vector<ItemPlace> items;
  facts.state = "not created";
  if (!state) {  // it goes when the value comes
    facts.state = "created";
    items.push_back({{}, value.address, "Value"});
  } else {
    HEAPSCAPE_TRY(const Instance helper, Instance::at(lazy.sources(), state));
    HEAPSCAPE_TRY(const Address dispatch, helper.reference("_exceptionDispatch"));
    if (dispatch) {
      HEAPSCAPE_TRY(const Instance info, Instance::at(lazy.sources(), dispatch));
      HEAPSCAPE_TRY(const FieldPlace exception, info.field("_exception"));
      HEAPSCAPE_TRY(const Address anyType, lazy.sources().readers.runtime.globalPointer("ObjectMethodTable"));
      facts.state = "faulted";
      items.push_back({{}, exception.address, "Exception", anyType});
    }
  }
  facts.count = items.size();
  return std::make_unique<FewItems>(std::move(facts), std::move(items));
}

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
  HEAPSCAPE_TRY(const ManagedArray infos, readArray(list, kListArray.array));
  HEAPSCAPE_TRY(const std::uint32_t count, list.count(kListArray.count));
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

namespace {

constexpr std::uint64_t kShownUnits = 10'000;

/// Some of the characters, in an array of which maybe not all are used.
struct Chunk {
  ManagedArray characters;
  std::uint32_t length = 0;
  std::uint32_t offset = 0;  // of the first in the text
};

Result<Chunk> readChunk(const Instance& instance) {
  Chunk chunk;
  HEAPSCAPE_TRY(chunk.characters, readArray(instance, "m_ChunkChars"));
  HEAPSCAPE_TRY(chunk.length, instance.count("m_ChunkLength"));
  HEAPSCAPE_TRY(chunk.offset, instance.count("m_ChunkOffset"));
  if (chunk.length > chunk.characters.count || chunk.characters.elementSize != sizeof(char16_t)) {
    return failure(ErrorCode::Damaged, fmt::format("The chunk at {} claims {} of {} characters.",
                                                   toString(instance.object()), chunk.length, chunk.characters.count));
  }
  return chunk;
}

/// The part of the text that the chunk holds, as far as it belongs to the first `limit` characters.
Result<void> copyText(const AddressSpace& memory, const Chunk& chunk, std::u16string& text) {
  if (chunk.offset >= text.size()) return {};
  const std::size_t length = std::min<std::size_t>(chunk.length, text.size() - chunk.offset);
  const std::span<char16_t> target(text.data() + chunk.offset, length);
  if (!memory.tryRead(chunk.characters.data, std::as_writable_bytes(target)))
    return failure(ErrorCode::NotInDump, "Characters of the text are not in the dump.");
  return {};
}

}  // namespace

// The object is the last chunk; each refers to the one before it (StringBuilder.cs).
Result<std::unique_ptr<Collection>> makeStringBuilder(const Instance& builder) {
  HEAPSCAPE_TRY(Chunk chunk, readChunk(builder));
  const std::uint64_t length = std::uint64_t{chunk.offset} + chunk.length;
  CollectionFacts facts{
      .labels = ItemLabels::None, .count = 1, .capacity = chunk.offset + chunk.characters.count, .isHolder = true};
  facts.state = fmt::format("{}, room for {}", countOf(length, "character"), readableCount(facts.capacity));
  std::u16string text(std::min<std::uint64_t>(length, kShownUnits), u'\0');
  Instance instance = builder;
  std::uint32_t expectedEnd = chunk.offset + chunk.length;
  for (std::size_t chunks = 0;; ++chunks) {
    // Chunks follow each other without gaps, so that a circle cannot be one of them.
    if (chunk.offset + chunk.length != expectedEnd || chunks == kLimits.builderChunks) {
      facts.damage =
          fmt::format("The chunk at {} does not end where the next one begins.", toString(instance.object()));
      break;
    }
    HEAPSCAPE_CHECK(copyText(builder.memory(), chunk, text));
    HEAPSCAPE_TRY(const Address previous, instance.reference("m_ChunkPrevious"));
    if (!previous) break;
    expectedEnd = chunk.offset;
    HEAPSCAPE_TRY(instance, Instance::at(builder.sources(), previous));
    HEAPSCAPE_TRY(chunk, readChunk(instance));
  }
  ItemPlace item{{}, {}, "Text"};
  item.known = Value{.kind = ValueKind::Known, .text = quotedText(text), .isString = true};
  return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{std::move(item)});
}

Result<std::unique_ptr<Collection>> makeWeakReference(const Instance& reference) {
  CollectionFacts facts{.labels = ItemLabels::None, .state = "without target", .isHolder = true};
  HEAPSCAPE_TRY(const Address anyType, reference.sources().readers.runtime.globalPointer("ObjectMethodTable"));
  facts.valueType = reference.typeArgument(0).value_or(anyType);
  HEAPSCAPE_TRY(const WeakTarget target, weakTarget(reference));
  std::vector<ItemPlace> items;
  if (target.object) {
    facts.state = "alive";
    items.push_back({{}, target.place, "Target"});
  }
  facts.count = items.size();
  return std::make_unique<FewItems>(std::move(facts), std::move(items));
}

}  // namespace heapscape::engine

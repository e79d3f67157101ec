// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "base/limits.h"
#include "values/managed_array.h"
#include "values/quoted_text.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine

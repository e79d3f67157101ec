// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <utility>

#include "base/figures.h"
#include "base/large_array.h"
#include "base/unicode.h"
#include "heap/object_head.h"
#include "insight/heap_objects.h"
#include "insight/insight_groups.h"
#include "session/objects/strings_query.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kShownUnits = 200;

/// A text with several copies that cost enough to be told.
struct RepeatedText {
  Address first;  // of the copies the one with the lowest address
  std::uint32_t length = 0;
  std::vector<std::uint32_t> copies = {};  // ObjectIds; ascending
  std::uint32_t staying = 0;    // of these: the first literal, which is frozen and stays in any case, or else
                                // the first of all
  Ownership::Sums owners = {};  // of the others
  bool isFramework = true;      // which holds all of them

  /// Adds a copy that comes behind all others. The one that now goes for certain, if one does.
  std::optional<std::uint32_t> add(const InsightInput& input, std::uint32_t copy) {
    copies.push_back(copy);
    isFramework &= input.ownership.isHeldByFramework(copy);
    const bool isFirst = copies.size() == 1;
    if (!isFirst && (!input.isFrozen(copy) || input.isFrozen(staying))) return copy;
    const std::uint32_t before = std::exchange(staying, copy);
    return isFirst ? std::nullopt : std::optional(before);
  }
};

/// Notes of each string of the pass where its text is kept, so that copies need not be looked for again.
class StringComparison : public ObjectVisitor {
 public:
  StringComparison(const InsightInput& input, TypeId type, std::uint64_t charactersOffset)
      : m_input(input), m_type(type), m_offset(charactersOffset) {}

  std::vector<std::uint8_t> wantedTypes() const override {
    std::vector<std::uint8_t> isWanted(m_input.contents.types->size());
    isWanted[m_type.value] = 1;
    return isWanted;
  }

  void begin(std::span<const ScanPiece> pieces) override {
    m_pieces.resize(pieces.size());
    tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t piece) {
      const std::uint32_t end = piece + 1 < pieces.size() ? pieces[piece + 1].firstObject : m_input.objectTypes.size();
      m_pieces[piece].first = m_pieces[piece].next = pieces[piece].firstObject;
      m_pieces[piece].behind = countFrom(pieces[piece].firstObject, end);
    });
    std::size_t size = 0;
    for (Seen& seen : m_pieces) {
      seen.begin = size;
      size += std::exchange(seen.behind, size);
    }
    m_places = LargeArray<std::uint32_t>(size);
  }

  void visit(std::size_t piece, const ScannedObject& object) override {
    HashedStrings& local = m_cores.local();
    Seen& seen = m_pieces[piece];
    seen.strings = &local;
    for (; seen.next < object.id; ++seen.next) {
      if (isString(seen.next)) m_places[seen.behind++] = kNoPlace;  // the dump does not hold it
    }
    ++seen.next;
    Bytes characters;
    trySlice(object.bytes, m_offset, std::uint64_t{object.facts.components} * sizeof(char16_t), characters);
    m_places[seen.behind++] = local.add(hashOfCharacters(characters), object.facts.address, object.facts.components,
                                        object.isInPlace ? characters : Bytes());
  }

  Outcome<void> find(FoundInsights& found, StageProgress& progress, const std::stop_token& stop) {
    group(found, stop);
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    progress.report(kGroupedEnd);
    addCopies(stop);
    std::vector<std::optional<FoundInsight>> insights(m_texts.size());
    tbb::parallel_for(std::size_t{0}, m_texts.size(), [&](std::size_t i) {
      if (!stop.stop_requested()) insights[i] = insightOf(m_texts[i]);
    });
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    for (std::optional<FoundInsight>& insight : insights) {
      if (insight) found.insights.push_back(*std::move(insight));
    }
    return {};
  }

 private:
  static constexpr double kGroupedEnd = 0.4;
  static constexpr std::uint32_t kNoPlace = 0xffffffff;
  static constexpr std::uint32_t kNoText = 0xffffffff;

  static constexpr std::size_t kGivenBack = std::size_t{1} << 19;  // places at once: a huge page

  /// The strings of a piece, in their order.
  struct alignas(64) Seen {                  // a line of the cache each, since cores write to pieces side by side
    std::uint32_t first = 0, next = 0;       // ObjectIds: of the piece, and behind the last string seen
    const HashedStrings* strings = nullptr;  // that the places are in
    std::uint32_t firstPlace = 0;            // what their numbers go on from
    std::size_t begin = 0, behind = 0;       // where in m_places they are; there is room for all
  };
  /// Result of one part of the hashes.
  struct OfPart {
    std::vector<RepeatedText> texts;
    std::vector<std::uint32_t> numbers;  // by text: what stands for it in m_textOf until all are known
    std::uint64_t smallInsights = 0, smallBytes = 0;
  };

  bool isString(std::uint32_t object) const {
    return m_input.objectTypes[object] == m_type.value && m_input.isReachable(object);
  }

  /// How many objects are strings, those that cannot be reached among them.
  std::size_t countFrom(std::uint32_t first, std::uint32_t end) const {
    std::size_t count = 0;
    for (std::uint32_t object = first; object < end; ++object) count += m_input.objectTypes[object] == m_type.value;
    return count;
  }

  std::uint64_t bytesOf(std::uint32_t length) const {
    const ObjectShape& shape = m_input.contents.heap->types.shape(m_type);
    return alignUp(objectSize(shape.baseSize, shape.componentSize, length), 8);
  }

  void group(FoundInsights& found, const std::stop_token& stop) {
    std::vector<HashedStrings> strings;
    std::uint32_t places = 0;
    for (HashedStrings& core : m_cores) {
      for (Seen& seen : m_pieces) {
        if (seen.strings == &core) seen.firstPlace = places;
      }
      places += core.places();
      strings.push_back(std::move(core));
    }
    m_textOf.assign(places, kNoText);
    std::array<OfPart, HashedStrings::kParts> parts;
    const auto visit = [&](std::size_t part, const EqualStrings& equal, std::span<const StringPlace> of) {
      add(equal, of, parts[part]);
    };
    visitEqualStrings(*m_input.contents.memory, m_offset, strings, visit, stop);
    std::vector<std::uint32_t> indices(m_textCount);  // in m_texts, by number
    for (OfPart& part : parts) {
      found.smallInsights += part.smallInsights;
      found.smallBytes += part.smallBytes;
      for (std::size_t i = 0; i < part.texts.size(); ++i) {
        indices[part.numbers[i]] = static_cast<std::uint32_t>(m_texts.size());
        m_texts.push_back(std::move(part.texts[i]));
      }
    }
    for (std::uint32_t& text : m_textOf) {
      if (text != kNoText) text = indices[text];
    }
  }

  void add(const EqualStrings& equal, std::span<const StringPlace> places, OfPart& part) {
    const std::uint64_t wasted = (equal.count - 1) * bytesOf(equal.length);
    if (!wasted) return;
    if (wasted < m_input.minimumBytes) {
      ++part.smallInsights;
      part.smallBytes += wasted;
      return;
    }
    part.texts.push_back({equal.first, equal.length});
    part.texts.back().copies.reserve(equal.count);
    const std::uint32_t number = part.numbers.emplace_back(m_textCount.fetch_add(1));
    for (const StringPlace& place : places) m_textOf[place.number] = number;
  }

  /// In the order of the heap, where what holds neighbours lies together as a rule.
  void addCopies(const std::stop_token& stop) {
    std::vector<std::uint32_t> going, texts;  // what goes, and of which text it is
    std::size_t givenBack = 0;                // places: what is not needed any more makes room for copies
    for (const Seen& seen : m_pieces) {
      if (stop.stop_requested()) return;
      std::uint32_t object = seen.first;
      for (std::size_t i = seen.begin; i < seen.behind; ++i) {
        const std::uint32_t place = m_places[i];
        while (!isString(object)) ++object;
        const std::uint32_t copy = object++;
        const std::uint32_t text = place == kNoPlace ? kNoText : m_textOf[seen.firstPlace + place];
        const auto gone = text == kNoText ? std::nullopt : m_texts[text].add(m_input, copy);
        if (!gone) continue;
        going.push_back(*gone);
        texts.push_back(text);
        if (going.size() == Ownership::kTogether) addOwners(going, texts);
      }
      for (; seen.behind - givenBack >= kGivenBack; givenBack += kGivenBack) m_places.discard(givenBack, kGivenBack);
    }
    addOwners(going, texts);
    m_places = {};
    m_textOf = {};
  }

  void addOwners(std::vector<std::uint32_t>& going, std::vector<std::uint32_t>& texts) {
    Ownership::Owners owners;
    m_input.ownership.findOwnersOf(going, owners);
    for (std::size_t i = 0; i < going.size(); ++i)
      m_texts[texts[i]].owners.add(owners[i], bytesOf(m_texts[texts[i]].length));
    going.clear();
    texts.clear();
  }

  /// One copy stays, the first; it takes up the bytes that are not won back.
  std::optional<FoundInsight> insightOf(RepeatedText& text) const {
    const std::uint64_t size = std::uint64_t{text.length} * sizeof(char16_t);
    const auto view = m_input.contents.memory->view({text.first + m_offset, text.first + m_offset + size});
    if (text.copies.size() < 2 || (size && !view)) return std::nullopt;
    const std::uint64_t bytes = bytesOf(text.length);
    FoundInsight found;
    found.copies = {static_cast<std::uint32_t>(bytes / 8), text.staying};
    Insight& insight = found.insight;
    insight.kind = InsightKind::DuplicateStrings;
    insight.isFramework = text.isFramework;
    insight.bytes = bytes * (text.copies.size() - 1);
    insight.objects = text.copies.size();
    insight.owners = m_input.ownership.ownersOf(text.owners);
    const std::size_t itemCount = std::min(text.copies.size() - 1, Insight::kMaximumItems);
    insight.items.reserve(itemCount);
    for (std::size_t i = 0; insight.items.size() < itemCount; ++i) {
      if (text.copies[i] != text.staying) insight.items.push_back({m_input.addressOf(text.copies[i]), bytes});
    }
    insight.ids = std::move(text.copies);
    insight.title =
        fmt::format("{} equal strings of {}", readableCount(insight.objects), countOf(text.length, "character"));
    insight.methodTable = m_input.row(m_type).methodTable;
    insight.contents = shown(size ? view->bytes : Bytes(), text.length);
    insight.advice =
        "Keep one of them: read such texts through a table of those already seen (a Dictionary, or string.Intern for "
        "texts that live as long as the program), or an enum where there are few.";
    insight.facts = {{"Copies", readableCount(insight.objects)}, {"Bytes of one", readableCount(bytes)}};
    return found;
  }

  static std::string shown(Bytes characters, std::uint32_t length) {
    std::u16string units(std::min<std::size_t>(length, kShownUnits), u'\0');
    if (!units.empty()) std::memcpy(units.data(), characters.data(), units.size() * sizeof(char16_t));
    const bool endsInHalf = length > kShownUnits && units.back() >= 0xd800 && units.back() < 0xdc00;
    if (endsInHalf) units.pop_back();
    return toUtf8(units);
  }

  const InsightInput& m_input;
  TypeId m_type;
  std::uint64_t m_offset;
  tbb::enumerable_thread_specific<HashedStrings> m_cores;
  std::vector<Seen> m_pieces;
  LargeArray<std::uint32_t> m_places;  // by string, as far as a piece has them: what HashedStrings numbers it
  std::vector<RepeatedText> m_texts;
  std::vector<std::uint32_t> m_textOf;  // by place: its index in m_texts
  std::atomic<std::uint32_t> m_textCount = 0;
};

/// DuplicateStrings: an insight for each text that several reachable strings hold.
class DuplicateStrings : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DuplicateStrings}; }
  ObjectVisitor* visitor(const InsightInput& input) override;
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

 private:
  std::optional<StringComparison> m_comparison;
};

ObjectVisitor* DuplicateStrings::visitor(const InsightInput& input) {
  const ClrRuntime& runtime = input.contents.readers->runtime;
  const auto stringType = runtime.globalPointer("StringMethodTable");
  const TypeIndex::Slot* type = stringType ? input.contents.heap->types.find(stringType->value) : nullptr;
  if (!type) return nullptr;
  return &m_comparison.emplace(input, TypeId{type->type}, runtime.contract().offset("String", "m_FirstChar"));
}

Outcome<void> DuplicateStrings::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                     StageProgress& progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(input.contents.readers->runtime.globalPointer("StringMethodTable"));
  return m_comparison ? m_comparison->find(found, progress, stop) : Outcome<void>();
}

}  // namespace

std::unique_ptr<Detector> makeDuplicateStrings() {
  return std::make_unique<DuplicateStrings>();
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/count_text.h"
#include "base/utf16.h"
#include "heap/object_head.h"
#include "insight/insight_groups.h"
#include "insight/object_scan.h"
#include "session/objects/string_grouping.h"

namespace heapscape::engine {
namespace {

/// DuplicateStrings: an insight for each text that several reachable strings hold.
class DuplicateStrings : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DuplicateStrings}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

constexpr double kHashedEnd = 0.14;
constexpr double kGroupedEnd = 0.45;
constexpr std::size_t kShownUnits = 200;
constexpr std::uint32_t kLongest = 1 << 16;

/// A text with several copies that cost enough to be told.
struct Text {
  Bytes characters;
  std::uint32_t length = 0;
  std::vector<std::uint32_t> copies = {};
};

class StringComparison {
 public:
  StringComparison(const InsightInput& input, TypeId type, std::uint64_t charactersOffset, std::stop_token stop)
      : m_input(input),
        m_type(type),
        m_offset(charactersOffset),
        m_stop(std::move(stop)),
        m_isWanted(input.contents.types->size()) {
    m_isWanted[type.value] = 1;
  }

  Outcome<void> find(FoundInsights& found, StageProgress& progress) {
    HEAPSCAPE_CHECK(group(found, progress));
    progress.report(kGroupedEnd);
    if (m_texts.empty()) return {};
    HEAPSCAPE_CHECK(findCopies());
    for (Text& text : m_texts) addInsight(text, found);
    return {};
  }

 private:
  std::uint64_t bytesOf(std::uint32_t length) const {
    const ObjectShape& shape = m_input.contents.heap->types.shape(m_type);
    return alignUp(objectSize(shape.baseSize, shape.componentSize, length), 8);
  }

  Bytes charactersOf(const ScannedObject& object) const {
    Bytes characters;
    trySlice(object.bytes, m_offset, std::uint64_t{object.facts.components} * sizeof(char16_t), characters);
    return characters;
  }

  Outcome<void> group(FoundInsights& found, StageProgress& progress) {
    tbb::enumerable_thread_specific<HashedStrings> hashed;
    const auto add = [&](HashedStrings& local, const ScannedObject& object) {
      const Bytes characters = charactersOf(object);
      local.add({hashOfCharacters(characters), object.facts.address, object.facts.components},
                object.isInPlace ? characters : Bytes());
    };
    if (!scanObjects(m_input, m_isWanted, hashed, add, m_stop)) return tl::unexpected(Unfinished::cancelled());
    progress.report(kHashedEnd);
    const std::vector<HashedStrings> strings{std::make_move_iterator(hashed.begin()),
                                             std::make_move_iterator(hashed.end())};
    for (const EqualStrings& equal : groupEqualStrings(*m_input.contents.memory, m_offset, strings, m_stop)) {
      const std::uint64_t wasted = (equal.count - 1) * bytesOf(equal.length);
      if (wasted && wasted < m_input.minimumBytes) {
        ++found.smallInsights;
        found.smallBytes += wasted;
      } else if (wasted) {
        m_firsts.push_back(equal);
      }
    }
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return readTexts();
  }

  Outcome<void> readTexts() {
    for (const EqualStrings& equal : m_firsts) {
      const std::uint64_t size = std::uint64_t{equal.length} * sizeof(char16_t);
      auto view = m_input.contents.memory->view({equal.first + m_offset, equal.first + m_offset + size});
      if (size && !view) continue;
      if (size) m_views.push_back(std::move(*view));
      m_texts.push_back({size ? m_views.back().bytes : Bytes(), equal.length});
      m_byHash.emplace(hashOfCharacters(m_texts.back().characters), static_cast<std::uint32_t>(m_texts.size() - 1));
      m_hasLength[std::min(equal.length, kLongest)] = 1;
    }
    return {};
  }

  /// The grouping only counts; most strings are passed over for their length.
  Outcome<void> findCopies() {
    using Copies = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // text, ObjectId
    tbb::enumerable_thread_specific<Copies> copies;
    const auto match = [&](Copies& local, const ScannedObject& object) {
      if (!m_hasLength[std::min(object.facts.components, kLongest)]) return;
      const Bytes characters = charactersOf(object);
      const auto [from, to] = m_byHash.equal_range(hashOfCharacters(characters));
      for (auto candidate = from; candidate != to; ++candidate) {
        const Bytes text = m_texts[candidate->second].characters;
        if (text.size() == characters.size() &&
            (text.empty() || std::memcmp(text.data(), characters.data(), text.size()) == 0))
          local.emplace_back(candidate->second, object.id);
      }
    };
    if (!scanObjects(m_input, m_isWanted, copies, match, m_stop)) return tl::unexpected(Unfinished::cancelled());
    for (const Copies& some : copies) {
      for (const auto& [text, object] : some) m_texts[text].copies.push_back(object);
    }
    return {};
  }

  /// One copy stays, the first; it takes up the bytes that are not won back.
  void addInsight(Text& text, FoundInsights& found) const {
    if (text.copies.size() < 2) return;
    std::ranges::sort(text.copies);
    // A frozen one is a literal, which stays in any case.
    const auto literal = std::ranges::find_if(text.copies, [&](std::uint32_t copy) { return m_input.isFrozen(copy); });
    if (literal != text.copies.end()) std::swap(*literal, text.copies.front());
    const bool isFramework =
        std::ranges::all_of(text.copies, [&](std::uint32_t copy) { return m_input.ownership.isHeldByFramework(copy); });
    InsightGroup group({}, isFramework);
    const std::uint64_t bytes = bytesOf(text.length);
    for (const std::uint32_t copy : std::span(text.copies).subspan(1)) group.addAlone(copy, bytes);
    FoundInsight one = group.finish(m_input, InsightKind::DuplicateStrings, {});
    Insight& insight = one.insight;
    insight.objects = text.copies.size();
    std::ranges::sort(text.copies);
    insight.ids = std::move(text.copies);
    insight.title =
        fmt::format("{} equal strings of {}", readableCount(insight.objects), countOf(text.length, "character"));
    insight.methodTable = m_input.row(m_type).methodTable;
    insight.contents = shown(text);
    insight.advice =
        "Keep one of them: read such texts through a table of those already seen (a Dictionary, or string.Intern for "
        "texts that live as long as the program), or an enum where there are few.";
    insight.facts = {{"Copies", readableCount(insight.objects)}, {"Bytes of one", readableCount(bytes)}};
    found.insights.push_back(std::move(one));
  }

  static std::string shown(const Text& text) {
    std::u16string units(std::min<std::size_t>(text.length, kShownUnits), u'\0');
    if (!units.empty()) std::memcpy(units.data(), text.characters.data(), units.size() * sizeof(char16_t));
    const bool endsInHalf = text.length > kShownUnits && units.back() >= 0xd800 && units.back() < 0xdc00;
    if (endsInHalf) units.pop_back();
    return toUtf8(units);
  }

  const InsightInput& m_input;
  TypeId m_type;
  std::uint64_t m_offset;
  std::stop_token m_stop;
  std::vector<std::uint8_t> m_isWanted;  // by TypeId
  std::vector<EqualStrings> m_firsts;
  std::vector<MemoryView> m_views;  // keep the characters of the texts
  std::vector<Text> m_texts;
  std::unordered_multimap<std::uint64_t, std::uint32_t> m_byHash;  // index in m_texts
  // By length: whether a text has it; all long ones are one.
  std::vector<std::uint8_t> m_hasLength = std::vector<std::uint8_t>(kLongest + 1);
};

}  // namespace

Outcome<void> DuplicateStrings::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                     StageProgress& progress, std::stop_token stop) const {
  const ClrRuntime& runtime = input.contents.readers->runtime;
  HEAPSCAPE_TRY(const Address stringType, runtime.globalPointer("StringMethodTable"));
  const TypeIndex::Slot* type = input.contents.heap->types.find(stringType.value);
  if (!type) return {};
  return StringComparison(input, {type->type}, runtime.contract().offset("String", "m_FirstChar"), std::move(stop))
      .find(found, progress);
}

std::unique_ptr<Detector> makeDuplicateStrings() {
  return std::make_unique<DuplicateStrings>();
}

}  // namespace heapscape::engine

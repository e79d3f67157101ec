// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "insight/detectors/array_detector.h"
#include "insight/insight_groups.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kSmallestBytes = 64;  // of all elements
constexpr std::uint64_t kSparse = 4;          // at most one in so many is not zero

struct RepeatedGroups {
  GroupsByType uniform, sparse;
};

void describeUniform(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} of {} whose elements are all the same", countOf(insight.objects, "array"),
                              elementTypeName(insight.subject));
  insight.advice =
      "Allocate such an array when the first element differs, keep one value in its place, or share one array where "
      "nobody writes to it.";
}

void describeSparse(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} of {} of which three quarters or more are null or zero",
                              countOf(insight.objects, "array"), elementTypeName(insight.subject));
  insight.advice = "Keep only the elements that are there: a shorter array, a list, or a dictionary by index.";
}

class ElementReader {
 public:
  explicit ElementReader(const InsightInput& input) : m_input(input) {}

  void look(RepeatedGroups& groups, const ScannedObject& object) const {
    const TypeRow& type = m_input.row(object.facts.type);
    const std::uint64_t count = object.facts.components;
    const std::uint64_t size = count * type.componentSize;
    if (size < kSmallestBytes || count < 2 || m_input.collections.isStorage(object.id)) return;
    if (isRuntimesTable(object)) return;
    Bytes elements;

    if (!trySlice(object.bytes, type.baseSize - kTrailingBytes, size, elements)) return;
    const ElementPattern pattern = patternOf(elements, type.componentSize, count / kSparse);
    if (pattern.isUniform) {
      const std::uint64_t saved = m_input.bytesOf(object.id) - arrayBytes(type, 1);
      groups.uniform.of(m_input, object.facts.type, object.id).addAlone(object.id, saved);
    } else if (pattern.other <= count / kSparse) {
      const std::uint64_t saved = m_input.bytesOf(object.id) - arrayBytes(type, pattern.other);
      groups.sparse.of(m_input, object.facts.type, object.id).addAlone(object.id, saved);
    }
  }

  std::string textOf(std::uint32_t array) const {
    std::uint32_t count = 0;
    if (!m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, count)) return {};
    return countOf(count, "element");
  }

 private:
  /// Arrays of statics and literals, which handles of the runtime hold.
  bool isRuntimesTable(const ScannedObject& object) const {
    return m_input.ownership.isRooted(object.id) && m_input.ownership.isHeldByFramework(object.id) &&
           m_input.row(object.facts.type).name == "System.Object[]";
  }

  static constexpr std::uint64_t kTrailingBytes = 8;  // of the base size: the header, in front of the object

  const InsightInput& m_input;
};

/// UniformArrays and SparseArrays, one for each type of array. What a collection keeps its items in is left to it.
class RepeatedElements : public ArrayDetector<RepeatedGroups> {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::UniformArrays, InsightKind::SparseArrays}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

 private:
  void look(const InsightInput& input, RepeatedGroups& noted, const ScannedObject& array) const override {
    ElementReader(input).look(noted, array);
  }
};

}  // namespace

Outcome<void> RepeatedElements::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                     std::stop_token) {
  std::vector<GroupsByType> uniform, sparse;
  for (RepeatedGroups& some : noted()) {
    uniform.push_back(std::move(some.uniform));
    sparse.push_back(std::move(some.sparse));
  }
  RepeatedGroups all{GroupsByType::join(uniform), GroupsByType::join(sparse)};
  const auto textOf = [&](std::uint32_t array) { return ElementReader(input).textOf(array); };
  all.uniform.finish(input, InsightKind::UniformArrays, describeUniform, found, textOf);
  all.sparse.finish(input, InsightKind::SparseArrays, describeSparse, found, textOf);
  return {};
}

std::unique_ptr<Detector> makeRepeatedElements() {
  return std::make_unique<RepeatedElements>();
}

}  // namespace heapscape::engine

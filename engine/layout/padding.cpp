// SPDX-License-Identifier: MIT
#include "layout/padding.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

struct Interval {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

// An inline array of a million elements is drawn and counted by its first ones.
constexpr std::size_t kMaximumIntervals = 1 << 16;

void collectUsed(const std::vector<LayoutField>& fields, std::uint64_t shift, std::vector<Interval>& used) {
  for (const LayoutField& field : fields) {
    const std::uint64_t start = shift + field.offset;
    const std::uint64_t count = std::uint64_t{field.repeat} * std::max<std::size_t>(field.nested.size(), 1);
    if (field.nested.empty() || used.size() + count > kMaximumIntervals) {
      used.push_back({start, start + std::uint64_t{field.sizeBytes} * field.repeat});
      continue;
    }
    for (std::uint64_t i = 0; i < field.repeat; ++i) collectUsed(field.nested, shift + i * field.sizeBytes, used);
  }
}

std::vector<Interval> unusedParts(const TypeLayout& layout) {
  std::vector<Interval> used;
  collectUsed(layout.fields, 0, used);
  std::sort(used.begin(), used.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  std::vector<Interval> unused;
  std::uint64_t reached = 0;
  for (const Interval& interval : used) {
    if (interval.start > reached)
      unused.push_back({reached, std::min<std::uint64_t>(interval.start, layout.fieldsBytes)});
    reached = std::max(reached, interval.end);
    if (reached >= layout.fieldsBytes) break;
  }
  if (reached < layout.fieldsBytes) unused.push_back({reached, layout.fieldsBytes});
  return unused;
}

class PaddingOwners {
 public:
  explicit PaddingOwners(TypeLayout& layout) : m_layout(layout) {}

  void assign(Interval part, const std::vector<LayoutField>& fields, std::uint64_t shift, const std::string& owner,
              bool isNested) {
    while (part.start < part.end) {
      const LayoutField* around = nullptr;
      std::uint64_t element = 0;
      std::uint64_t stop = part.end;
      for (const LayoutField& field : fields) {
        const std::uint64_t start = shift + field.offset;
        const std::uint64_t end = start + std::uint64_t{field.sizeBytes} * field.repeat;
        if (field.nested.empty() || end <= part.start) continue;
        if (start > part.start) {
          stop = std::min(stop, start);
          continue;
        }
        around = &field;
        element = (part.start - start) / field.sizeBytes;
        break;
      }
      if (!around) {
        add({part.start, stop}, owner, isNested);
        part.start = stop;
        continue;
      }
      const std::uint64_t elementEnd = shift + around->offset + (element + 1) * around->sizeBytes;
      const Interval inside{part.start, std::min(part.end, elementEnd)};
      assign(inside, around->nested, shift + element * around->sizeBytes, around->typeName, true);
      part.start = inside.end;
    }
  }

 private:
  void add(Interval part, const std::string& owner, bool isNested) {
    const auto size = static_cast<std::uint32_t>(part.end - part.start);
    m_layout.paddings.push_back({static_cast<std::uint32_t>(part.start), size, owner, isNested});
    (isNested ? m_layout.nestedPaddingBytes : m_layout.ownPaddingBytes) += size;
  }

  TypeLayout& m_layout;
};

}  // namespace

void findPaddings(TypeLayout& layout) {
  PaddingOwners owners(layout);
  for (const Interval& part : unusedParts(layout)) owners.assign(part, layout.fields, 0, layout.typeName, false);
}

}  // namespace heapscape::engine

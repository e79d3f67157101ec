// SPDX-License-Identifier: MIT
#include "graph/retained/retained_sizes.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <atomic>
#include <iterator>
#include <type_traits>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kSizesAhead = 32;

/// Sets what each vertex has by itself; gives the units of all together.
std::uint64_t takeOwn(const DominatorTree& tree, const ReferenceGraph& graph, MostlySmall<std::uint16_t>& units,
                      MostlySmall<std::uint8_t>& objects) {
  std::atomic<std::uint64_t> all = 0;
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, tree.reachedCount() + 1, 1 << 16), [&](const auto& part) {
    std::uint64_t sum = 0;
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      if (const std::uint32_t ahead = number + kSizesAhead; ahead < part.end() && tree.isObject(tree.vertexOf(ahead)))
        graph.units.prefetch(tree.vertexOf(ahead));
      const std::uint32_t vertex = tree.vertexOf(number);
      const bool isObject = tree.isObject(vertex);
      const std::uint32_t own = isObject ? graph.units[vertex] : 0;
      units.set(number, own);
      objects.set(number, isObject);
      sum += own;
    }
    all.fetch_add(sum, std::memory_order_relaxed);
  });
  return all;
}

/// Adds up what each vertex dominates, on all cores, in parts of the numbers. What is dominated has a larger number
/// than its dominator, so that it is complete when its turn comes. Dominators before the part are those of its first
/// vertex, one above the other, since numbers are in preorder: their shares are noted, and passed on when all parts are
/// done.
template <class Units>
class SumsBelow {
 public:
  SumsBelow(const DominatorTree& tree, Units& units, MostlySmall<std::uint8_t>& objects)
      : m_tree(tree), m_units(units), m_objects(objects), m_above(kParts) {}

  void addUp() {
    tbb::parallel_for(0u, kParts, [this](std::uint32_t part) { addUpWithin(part); });
    for (std::uint32_t part = kParts - 1; part > 0; --part) passOn(part);
  }

 private:
  static constexpr std::uint32_t kParts = 16;

  using Unit = std::remove_cvref_t<decltype(std::declval<const Units&>()[0])>;

  /// Share that a vertex gets from those that it dominates in later parts.
  struct Share {
    std::uint32_t number;
    std::uint32_t objects;
    Unit units;
  };
  using Shares = std::vector<Share>;  // ascending

  std::uint32_t startOf(std::uint32_t part) const {
    return static_cast<std::uint32_t>((std::uint64_t{m_tree.reachedCount()} + 1) * part / kParts);
  }

  void addUpWithin(std::uint32_t part) {
    const std::uint32_t start = startOf(part);
    for (std::uint32_t number = startOf(part + 1); number-- > std::max(start, 1u);) {
      const std::uint32_t dominator = m_tree.dominatorOf(number);
      const Share share{dominator, m_objects[number], m_units[number]};
      if (dominator >= start) {
        take(share);
      } else {
        addTo(m_above[part], share);
      }
    }
  }

  // To the part before, and what is meant for dominators before that one to its list.
  void passOn(std::uint32_t part) {
    Shares& shares = m_above[part];
    const std::uint32_t start = startOf(part - 1);
    while (!shares.empty() && shares.back().number >= start) {
      Share share = shares.back();
      shares.pop_back();
      take(share);
      if (share.number == 0) continue;
      share.number = m_tree.dominatorOf(share.number);
      addTo(shares, share);
    }
    Shares both;
    std::ranges::merge(m_above[part - 1], shares, std::back_inserter(both), {}, &Share::number, &Share::number);
    m_above[part - 1].clear();
    for (const Share& share : both) addTo(m_above[part - 1], share);
    shares = {};
  }

  void take(const Share& share) {
    m_objects.add(share.number, share.objects);
    if constexpr (requires { m_units.add(share.number, share.units); }) {
      m_units.add(share.number, share.units);
    } else {
      m_units[share.number] += share.units;
    }
  }

  static void addTo(Shares& shares, const Share& share) {
    if (shares.empty() || shares.back().number != share.number) {
      shares.push_back(share);
    } else {
      shares.back().objects += share.objects;
      shares.back().units += share.units;
    }
  }

  const DominatorTree& m_tree;
  Units& m_units;
  MostlySmall<std::uint8_t>& m_objects;
  std::vector<Shares> m_above;  // by part: for dominators before it
};

}  // namespace

RetainedSizes addUpRetained(const DominatorTree& tree, const ReferenceGraph& graph) {
  const std::size_t numbers = std::size_t{tree.reachedCount()} + 1;
  MostlySmall<std::uint16_t> units(numbers);
  MostlySmall<std::uint8_t> objects(numbers);
  if (takeOwn(tree, graph, units, objects) <= std::numeric_limits<std::uint32_t>::max()) {
    SumsBelow(tree, units, objects).addUp();
    return {RetainedBytes(std::move(units)), std::move(objects)};
  }
  LargeArray<std::uint64_t> wide(numbers);
  for (std::size_t number = 0; number < numbers; ++number) wide[number] = units[number];
  units = {};
  SumsBelow(tree, wide, objects).addUp();
  return {RetainedBytes(std::move(wide)), std::move(objects)};
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "session/heap/gc_settings.h"
#include "session/heap/generation_space.h"
#include "session/heap/size_histogram.h"
#include "session/snapshot/snapshot.h"
#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

enum class Measure : std::uint8_t { Bytes, Objects, Garbage };
/// Garbage is its bytes alone.
constexpr bool isInBytes(Measure measure) {
  return measure != Measure::Objects;
}

/// One bar: its name, and which part of the heap it stands for.
struct StackBar {
  QString name;
  engine::HeapScope scope;
};

/// One colour of every bar: the objects of a generation, those of them that are garbage, or free space.
struct StackPart {
  std::optional<engine::Generation> generation;  // none: free space
  std::vector<std::uint64_t> values;             // by bar
  bool isGarbage = false;                        // else what is live, or all while that is not known
};

/// How far a bar's memory goes, beside what lies in it, in bytes.
struct StackSpace {
  std::uint64_t committed = 0;
  std::optional<std::uint64_t> due = {};     // so large it may become until it is collected
  std::optional<std::uint64_t> budget = {};  // that it may grow by from one collection to the next
};

/// Stacked bars as figures, before anything is drawn.
struct StackTable {
  Measure measure = Measure::Bytes;
  std::vector<StackBar> bars;
  std::vector<StackPart> parts;    // in stacking order
  std::vector<StackSpace> spaces;  // by bar; empty where there is nothing to tell

  std::uint64_t barTotal(std::size_t bar) const;
  std::uint64_t largestBar() const;
  std::uint64_t total() const;
  /// The part that a bar shows at this height; none above its end.
  std::optional<std::size_t> partAt(std::size_t bar, double value) const;
  /// The part of the heap that a part of a bar stands for; of the whole bar without a part, or where it is free space.
  engine::HeapScope scopeOf(std::size_t bar, std::optional<std::size_t> part) const;
};

/// A bar for each heap, stacked by generation; a bar for each generation if there is but one heap. `reach`: of the same
/// rows, empty while it is not known.
StackTable stacksOfGenerations(const std::vector<engine::GenerationRow>& rows, Measure measure,
                               const std::vector<engine::RetainedTotals>& reach = {});
/// Adds how far the memory of these rows goes. Of several generations in one bar only what they have committed adds up.
void addSpaces(StackTable& table, const std::vector<engine::GenerationRow>& rows,
               const std::vector<engine::GenerationSpace>& spaces);
/// A bar for each bucket of sizes, stacked by generation.
StackTable stacksOfSizes(const std::vector<engine::SizeBucket>& buckets, Measure measure);

/// How evenly the heaps of a server collector are filled.
struct HeapBalance {
  std::uint32_t largestHeap = 0;
  std::uint32_t smallestHeap = 0;
  std::uint64_t largestBytes = 0;  // used, free space left out
  std::uint64_t smallestBytes = 0;
};
/// Nothing if there is but one heap. `heaps` is how many the collector has: one without objects has no rows.
std::optional<HeapBalance> heapBalance(const std::vector<engine::GenerationRow>& rows, std::uint32_t heaps);

/// Round values from 0 up to at most `largest`, about `wanted` of them; powers of two for bytes, of 1, 2 and 5 for
/// objects.
std::vector<double> niceTicks(double largest, int wanted, Measure measure);

/// "1.2 MB" or "20,598".
QString measureText(std::uint64_t value, Measure measure);
/// A round value, shorter: "4 KB".
QString tickText(double value, Measure measure);
/// Where a size stands among the bars of stacksOfSizes(), counted from their beginning, each as wide as 1; nothing
/// outside of them. Within a bar sizes stand by their logarithm, as the bars do.
std::optional<double> placeOfSize(const std::vector<engine::SizeBucket>& buckets, std::uint64_t sizeBytes);

/// "gen1", "gen1, garbage", or "free".
QString partName(const StackPart& part);
/// The words for a part of a bar when one points at it: its exact figure and its share; of a whole bar, each figure.
BubbleText stackText(const StackTable& table, std::size_t bar, std::optional<std::size_t> part, const Colours& colours);
/// How evenly the heaps are filled, as a sentence.
QString balanceText(const HeapBalance& balance);
/// Whether the GC changes the number of its heaps, as a sentence; empty if it is of a kind that cannot.
QString adaptationText(const engine::GcHeaps& heaps);

}  // namespace heapscape::gui

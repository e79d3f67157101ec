// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <vector>

#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

/// Something that is missing or damaged, as the overview tells it.
struct HealthItem {
  QString title;    // "Taken in the middle of a collection"
  QString text;     // what it is, and what would help
  QString address;  // where, if it is about one place
};

/// Lists what could not be read first, then what was found on the way, but for names of modules; at most `limit`, the
/// rest is counted in `leftOut`.
struct HealthReport {
  std::vector<HealthItem> items;
  std::size_t leftOut = 0;
  bool isComplete = true;
};
HealthReport healthReport(const engine::Snapshot& snapshot, std::size_t limit);

/// One sentence for the banner on top: "Only part of this dump could be read: …". Empty if it is complete.
QString bannerText(const engine::Snapshot& snapshot);

/// The facts: which runtime it was, how its heap was set up, and which kind of file this is.
std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot);

/// How much of the process's memory was in memory: the bounds that the dump gives, never what is mapped alone.
Fact memoryFact(const engine::ProcessMemory& memory);

}  // namespace heapscape::gui

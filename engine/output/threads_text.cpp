// SPDX-License-Identifier: MIT
#include "output/threads_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

namespace {

using Align = TextTable::Align;

std::string numberOrNothing(std::uint32_t number) {
  return number ? fmt::format("{}", number) : std::string();
}

/// What a thread is for and how it stands, in words.
std::string roleOf(const ThreadRow& row) {
  std::vector<std::string_view> words;
  if (row.isFinalizer) words.emplace_back("finalizer");
  if (row.isGc) words.emplace_back("collecting");
  if (row.isThreadPool) words.emplace_back("thread pool");
  words.emplace_back(row.isBackground ? "background" : "foreground");
  if (!row.isAlive) words.emplace_back("not alive");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string ownerText(const LockRow& row, bool isRedacted) {
  if (!row.isHeld) return "free";
  std::string text = fmt::format("thread {}", row.ownerManagedId);
  if (!row.ownerName.empty() && !isRedacted) text += fmt::format(" \"{}\"", row.ownerName);
  if (!row.ownerDoing.empty()) text += fmt::format(": {}", row.ownerDoing);
  return text;
}

// The two kinds count differently: a thin lock the times that its owner has entered again, a sync block all of them.
std::string entersText(const LockRow& row) {
  return row.isHeld ? fmt::format("{}", row.kind == LockKind::Thin ? row.recursion + 1 : row.recursion) : std::string();
}

std::string waitingText(const LockRow& row) {
  if (row.waiting == 0) return {};
  if (row.waitingThreads.empty()) return fmt::format("{}", row.waiting);
  return fmt::format("{}: {}", row.waiting, fmt::join(row.waitingThreads, ", "));
}

}  // namespace

void writeThreadsText(Output& output, const ThreadList& list, const RowSelection& selection) {
  TextTable table({{"Id", Align::Right},
                   {"OS id", Align::Right},
                   {"Name"},
                   {"Role"},
                   {"Locks", Align::Right},
                   {"Waits for", Align::Right},
                   {"Retained", Align::Right},
                   {"Doing"},
                   {"Exception"},
                   {"Thread"},
                   {"State"}});
  for (const ThreadRow& row : selection.of(list.threads)) {
    table.addRow({fmt::format("{}", row.managedId), numberOrNothing(row.osId),
                  selection.isRedacted ? std::string() : row.name, roleOf(row), numberOrNothing(row.locks),
                  numberOrNothing(row.waitsForManagedId), row.retainedBytes ? readableBytes(*row.retainedBytes) : "",
                  row.doing, row.exceptionType, toString(row.address), fmt::format("{}", fmt::join(row.state, " "))});
  }
  table.write(output);
}

void writeLocksText(Output& output, const LockList& list, const RowSelection& selection) {
  TextTable table({{"Kind"},
                   {"Index", Align::Right},
                   {"Object"},
                   {"Held by"},
                   {"Entered", Align::Right},
                   {"Waiting"},
                   {"Hash code"},
                   {"Type"}});
  for (const LockRow& row : selection.of(list.locks)) {
    table.addRow({row.kind == LockKind::Thin ? "thin" : "sync block", numberOrNothing(row.syncBlockIndex),
                  toString(row.object), ownerText(row, selection.isRedacted), entersText(row), waitingText(row),
                  row.hashCode ? fmt::format("{:#x}", row.hashCode) : std::string(), row.typeName});
  }
  table.write(output);
  for (const auto& cycle : list.cycles) {
    output.write(fmt::format("Deadlock: thread {}, which waits for thread {}.\n",
                             fmt::join(cycle, " waits for thread "), cycle.front()));
  }
}

}  // namespace heapscape::engine

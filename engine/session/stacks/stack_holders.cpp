// SPDX-License-Identifier: MIT
#include "session/stacks/stack_holders.h"

#include <fmt/format.h>

namespace heapscape::engine {

namespace {

StackHolder holderOf(const ThreadStackRow& thread, const FrameRow& frame, const StackRootRow& root) {
  StackHolder holder;
  holder.thread = thread.thread;
  holder.managedId = thread.managedId;
  holder.threadName = thread.name;
  holder.type = frame.type;
  holder.method = frame.method;
  holder.frame = nameOf(frame);
  holder.variable = root.variable;
  holder.place = root.reg.empty() ? fmt::format("0x{:x}", root.slot.value) : root.reg;
  holder.isExact = root.isExact && frame.isExact;
  return holder;
}

}  // namespace

std::vector<StackHolder> holdersOnStacks(const StackList& stacks, Address object) {
  std::vector<StackHolder> holders;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!object || root.object != object || root.frame >= thread.frames.size()) continue;
      holders.push_back(holderOf(thread, thread.frames[root.frame], root));
    }
  }
  return holders;
}

Outcome<std::vector<StackHolder>> stackHolders(const Snapshot& snapshot, Address object, std::stop_token stop) {
  HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, std::move(stop)));
  return holdersOnStacks(*stacks, object);
}

}  // namespace heapscape::engine

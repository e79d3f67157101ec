// SPDX-License-Identifier: MIT
#include "views/threads/thread_cuts.h"

#include <QMenu>
#include <algorithm>
#include <string>
#include <vector>

#include "models/object_menu.h"
#include "session/references/cuts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

void addThreadCuts(QMenu& menu, Navigator& navigator, const engine::Snapshot& snapshot, engine::Address thread) {
  if (!thread || !snapshot.has(engine::Stage::Retained)) return;
  const engine::RootList& list = snapshot.roots();
  const auto owned = std::ranges::find(list.groups, thread, &engine::RootGroup::owner);
  if (owned == list.groups.end()) return;
  const auto group = static_cast<std::uint32_t>(owned - list.groups.begin());
  // What frames refer to, and what stands in where that is not known.
  std::vector<std::string> stack;
  for (std::uint32_t each = group + 1; each < list.groups.size(); ++each) {
    const engine::RootGroup& part = list.groups[each];
    if (part.parent == group && (part.name == engine::kStackGroup || part.name == engine::kInexactStackGroup))
      stack.push_back(engine::cutOfRootGroup(list, each));
  }
  if (!stack.empty()) {
    menu.addAction(symbolIcon(QStringLiteral("cut")), QStringLiteral("Cut its whole stack: what would be freed?"),
                   &navigator, [&navigator, stack] {
                     for (const std::string& cut : stack) navigator.cut(fromEngine(cut));
                   });
  }
  addCut(menu, navigator, QStringLiteral("Cut all that it holds: what would be freed?"),
         engine::cutOfRootGroup(list, group));
  menu.addSeparator();
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/dominators/dominators_query.h"

class QWidget;

namespace heapscape::gui {

/// Nodes from the whole down to the one that is looked at. Where it is very long the middle is left out.
using DominatorWay = std::vector<engine::DominatorNode>;

/// The scene that the page shows, in all its forms.
struct DominatorScene {
  engine::DominatorGrouping grouping = engine::DominatorGrouping::Object;
  bool isOfGarbage = false;                    // else of what is live
  DominatorWay way;                            // its last one is the top of the pictures and of the table
  std::vector<engine::DominatorShape> shapes;  // of the top, chains as one
  std::vector<engine::DominatorShape> unfolded;
  /// Nodes from the top down whose children are in `pages`, each a child of the one before it; all but `marked` itself.
  std::vector<std::uint32_t> opened;
  std::vector<engine::DominatorPage> pages;
  std::optional<engine::DominatorNode> marked;  // what was looked for

  const engine::DominatorNode& top() const { return way.back(); }
  /// The node of an object among the shapes; null if none has it.
  const engine::DominatorNode* nodeOf(engine::Address object) const;
};
using SharedScene = std::shared_ptr<const DominatorScene>;

/// Children that the table asks for at once.
inline constexpr std::size_t kDominatorPage = 200;

// On the engine thread. Of garbage the snapshot is one that is seen from there.

/// The snapshot with the tree of what is live, as it is, or with that of garbage.
engine::Outcome<engine::Snapshot> dominatorSide(const engine::Snapshot& snapshot, bool isOfGarbage,
                                                engine::ProgressSink* progress, std::stop_token stop);

/// A way of no nodes stands for the whole.
engine::Outcome<SharedScene> dominatorScene(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                            DominatorWay way, std::stop_token stop);
/// The scene with as much around an object as still lets it be seen, and the object marked. Null if it cannot be
/// reached.
engine::Outcome<SharedScene> sceneAround(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                         engine::Address object, std::stop_token stop);
/// The scene of what would be freed with a set of objects (ObjectIds, ascending), as the top. Null if none of them can
/// be reached.
engine::Outcome<SharedScene> sceneOfSet(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                        const std::vector<std::uint32_t>& objects, engine::ProgressSink* progress,
                                        std::stop_token stop);
/// The object that a text leads to: the object at an address, or the one of a type that retains most. 0 if there is
/// none.
engine::Outcome<engine::Address> findDominated(const engine::Snapshot& snapshot, const std::string& text,
                                               std::stop_token stop);

/// The scene as stacks that flame graph tools read: a line "a;b;c BYTES" for each node with bytes of its own.
QByteArray collapsedText(const DominatorScene& scene);
/// Asks where to, and writes it there.
void saveCollapsed(QWidget* parent, const DominatorScene& scene);

}  // namespace heapscape::gui

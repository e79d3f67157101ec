// SPDX-License-Identifier: MIT
// What people do in the graph: open and fold sides, pick, go on, ask for a node's menu.
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <utility>

#include "bridge/navigator.h"
#include "models/object_menu.h"
#include "session/references/cuts.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"
#include "views/references/graph/edge_item.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/graph_picture.h"
#include "views/references/graph/graph_toolbar.h"
#include "views/references/graph/reference_graph_view.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

void addRootLinks(QMenu& menu, const engine::RootRow& root, Navigator& navigator) {
  menu.addAction(symbolIcon(u"roots"_s), u"Show among the roots"_s, &navigator, [&navigator, root] {
    navigator.showListed(PlaceId::Roots, root.address, {.object = root.object, .methodTable = {}, .segment = {}});
  });
  addCut(menu, navigator, cutHereText(), engine::cutOfRoot(root));
  addCopy(menu, u"Copy name"_s, fromEngine(root.name));
}

/// The method table of a node's type; 0 if it has none.
engine::Address methodTableOf(const GraphNode& node, const engine::Snapshot& snapshot) {
  const engine::TypeId type = node.object.type;
  return type.value < snapshot.types().size() ? snapshot.types()[type.value].methodTable : engine::Address{};
}

/// An entry for each place that shows what a node stands for, and what can be copied of it.
void addNodeLinks(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot, Navigator& navigator) {
  const engine::Address methodTable = methodTableOf(node, snapshot);
  const engine::Address object = node.key.kind == GraphNodeKind::Object ? node.key.object : engine::Address{};
  const bool isRoot = node.key.kind == GraphNodeKind::Root && node.key.number < snapshot.roots().roots.size();
  if (isRoot) addRootLinks(menu, snapshot.roots().roots[node.key.number], navigator);
  addSelectionLinks(menu, navigator, {.object = object, .methodTable = methodTable, .segment = {}});
}

// Each side is asked about on a channel of its own, so that opening two of them does not stop the first.
QByteArray channelOf(const GraphSide& side) {
  return QByteArray(side.direction == engine::Direction::Held ? "held " : "holders ") +
         QByteArray::number(static_cast<quint64>(side.object.value), 16);
}

}  // namespace

void ReferenceGraphView::toggle(const GraphNode& node, engine::Direction direction) {
  const GraphSide side = node.side(direction);
  if (m_state.isLoading(side)) return;
  if (!m_state.find(side)) {
    askForSide(side, node.key);
    return;
  }
  m_state.fold(side);
  layOut(node.key);
}

void ReferenceGraphView::askForSide(const GraphSide& side, const GraphNodeKey& anchor) {
  m_state.setLoading(side);
  if (NodeItem* node = m_canvas->find(anchor)) node->setSide(side.direction, SideState::Loading);
  const auto query = [side, folds = m_toolbar->foldsCollections()](
                         const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readSide(snapshot, side, folds, progress, std::move(stop));
  };
  const auto told = [](const engine::Progress&) {};
  m_bridge.askLong(this, channelOf(side).constData(), query, told,
                   [this, side, anchor, middle = m_started](engine::Outcome<engine::Neighbours> answer) {
                     if (middle != m_started) return;
                     m_state.stopLoading(side);
                     if (!answer) return showFailure(answer.error());
                     m_state.open(side, std::move(*answer));
                     layOut(anchor);
                   });
}

void ReferenceGraphView::unfoldChain(const GraphNode& node) {
  const engine::Address object = node.key.object;
  m_bridge.ask(
      this, "chain",
      [object, folds = m_toolbar->foldsCollections()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return readChain(snapshot, object, folds, std::move(stop));
      },
      [this, key = node.key, middle = m_started](engine::Outcome<std::vector<engine::Neighbour>> answer) {
        if (middle != m_started) return;
        if (!answer) return showFailure(answer.error());
        m_state.unfold(key.object, std::move(*answer));
        layOut(key);
      });
}

void ReferenceGraphView::descend(const GraphNode& node) {
  const auto query = [object = node.lastObject(), folds = m_toolbar->foldsCollections()](
                         const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readDescent(snapshot, object, folds, progress, std::move(stop));
  };
  const auto told = [](const engine::Progress&) {};
  m_bridge.askLong(this, "descend", query, told,
                   [this, key = node.key, middle = m_started](engine::Outcome<GraphDescent> answer) {
                     if (middle != m_started) return;
                     if (!answer) return showFailure(answer.error());
                     for (auto& [side, neighbours] : answer->sides) {
                       if (!m_state.find(side)) m_state.open(side, std::move(neighbours));
                     }
                     layOut(key);
                   });
}

void ReferenceGraphView::askForPage(const GraphNode& stack) {
  const GraphSide side = stack.owner();
  const std::size_t missing = m_state.missingForPage(side, stack.group);
  const GraphNodeKey anchor = stack.key;
  if (missing == 0) {
    m_state.addPage(side, stack.group, {});
    layOut(anchor);
    return;
  }
  const std::size_t known = m_state.find(side)->neighbours.groups[stack.group].first.size();
  const auto query = [side, type = stack.object.type, folds = m_toolbar->foldsCollections(), known, missing](
                         const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readNeighbours(snapshot, side, type, folds, known, missing, progress, std::move(stop));
  };
  const auto told = [](const engine::Progress&) {};
  m_bridge.askLong(this, channelOf(side).constData(), query, told,
                   [this, side, group = stack.group, anchor, known,
                    middle = m_started](engine::Outcome<std::vector<engine::Neighbour>> answer) {
                     if (middle != m_started) return;
                     if (!answer) return showFailure(answer.error());
                     // The same page may have been asked for twice.
                     const OpenSide* open = m_state.find(side);
                     if (!open || open->neighbours.groups[group].first.size() != known) return;
                     m_state.addPage(side, group, std::move(*answer));
                     layOut(anchor);
                   });
}

void ReferenceGraphView::pickNode(const GraphNode& node, bool isByKey) {
  if (node.key.kind == GraphNodeKind::Object) {
    m_wanted = node.key.object;
    const GraphNode chain = node;  // it may be gone once others know of the choice
    m_navigator.select({.object = node.key.object, .methodTable = methodTableOf(node, *m_snapshot), .segment = {}});
    if (chain.isChain && !isByKey) unfoldChain(chain);
    return;
  }
  if (isByKey) return;
  if (node.key.kind == GraphNodeKind::Stack) {
    askForPage(GraphNode(node));
    return;
  }
  const GraphNodeKey anchor = node.key;
  if (node.key.kind == GraphNodeKind::MoreTypes) m_state.showMoreGroups(node.owner());
  if (node.key.kind == GraphNodeKind::MoreRoots) m_state.showMoreRoots(node.owner());
  if (node.key.kind == GraphNodeKind::MoreTypes || node.key.kind == GraphNodeKind::MoreRoots) layOut(anchor);
}

void ReferenceGraphView::activate(const NodeItem& item, bool isByKey) {
  const GraphNode node = item.node();
  if (node.key.kind == GraphNodeKind::Root && node.key.number < m_snapshot->roots().roots.size()) {
    const engine::RootRow& root = m_snapshot->roots().roots[node.key.number];
    m_navigator.showListed(PlaceId::Roots, root.address, {.object = root.object, .methodTable = {}, .segment = {}});
    return;
  }
  if (node.key.kind != GraphNodeKind::Object) {
    pickNode(node, false);
    return;
  }
  if (!isByKey) {
    descend(node);
    return;
  }
  if (node.isChain) {
    unfoldChain(node);
    return;
  }
  // Away from the middle; what is in the middle opens what it holds.
  const bool isOnLeft = node.column < 0;
  const engine::Direction onward = isOnLeft ? engine::Direction::Holders : engine::Direction::Held;
  if ((isOnLeft ? node.holders : node.held) != SideState::Nothing) toggle(node, onward);
}

void ReferenceGraphView::centreOn(const GraphNode& node) {
  if (node.key.kind != GraphNodeKind::Object || node.key.object == m_started) return;
  const engine::Address object = node.key.object;
  const engine::Address methodTable = methodTableOf(node, *m_snapshot);
  m_wanted = object;
  if (!m_set.isEmpty()) {
    m_navigator.showReferences(ReferencesPage::Graph, {.object = object, .methodTable = methodTable, .segment = {}});
    return;
  }
  start(object);
  m_navigator.select({.object = object, .methodTable = methodTable, .segment = {}});
}

void ReferenceGraphView::openMenu(const NodeItem* item, QPoint place) {
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (item) {
    const GraphNode node = item->node();
    if (node.key.kind == GraphNodeKind::Object) {
      menu.addAction(u"Centre on this"_s, this, [this, node] { centreOn(node); });
      menu.addAction(u"Follow the largest until it splits"_s, this, [this, node] { descend(node); });
      if (node.isChain) menu.addAction(u"Show the chain one by one"_s, this, [this, node] { unfoldChain(node); });
      if (m_state.unfolded(node.key.object)) {
        menu.addAction(u"Fold the chain"_s, this, [this, node] {
          m_state.foldChain(node.key.object);
          layOut(node.key);
        });
      }
      menu.addAction(symbolIcon(u"copy"_s), u"Copy as expression"_s, this,
                     [this, node] { copyExpression(node.key.object); });
    }
    if (node.key.kind == GraphNodeKind::Stack) {
      menu.addAction(u"Show the next ones"_s, this, [this, node] { askForPage(node); });
      QAction* stack = menu.addAction(u"Put all back on the stack"_s, this, [this, node] {
        m_state.stackGroup(node.owner(), node.group);
        layOut(node.key);
      });
      stack->setEnabled(node.hasCards);
    }
    addNodeLinks(menu, node, *m_snapshot, m_navigator);
    m_marker->addEdgesOf(menu, node, *m_snapshot);
    menu.addSeparator();
  }
  menu.addActions(m_frame->actions());
  menu.exec(place);
}

void ReferenceGraphView::copyExpression(engine::Address object) {
  const auto query = [object](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readExpression(snapshot, object, progress, std::move(stop));
  };
  const auto told = [](const engine::Progress&) {};
  m_bridge.askLong(this, "expression", query, told, [this](const engine::Outcome<std::string>& answer) {
    if (!answer) return showFailure(answer.error());
    if (answer->empty()) return showNotice(u"There is no expression for it: nothing holds the object any more."_s);
    QGuiApplication::clipboard()->setText(fromEngine(*answer));
    showNotice(u"Copied: %1"_s.arg(fromEngine(*answer).left(200)));
  });
}

}  // namespace heapscape::gui

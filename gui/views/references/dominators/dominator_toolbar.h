// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/dominators/dominators_query.h"
#include "views/references/dominators/dominator_picture.h"
#include "views/references/dominators/dominator_scene.h"

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace heapscape::gui {

class ChoiceBar;

/// How the page shows the tree.
enum class DominatorForm { Table, Icicle, Sunburst, Treemap };
inline constexpr int kDominatorForms = 4;

/// Above the dominator tree: what to look for, whether in what is live or in garbage, how siblings are put together,
/// and in which form they are shown.
class DominatorToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit DominatorToolbar(QWidget* parent = nullptr);

  engine::DominatorGrouping grouping() const;
  /// The choice between what is live and garbage, to stand before the way from its top.
  QWidget* sides() const;
  /// Whether the tree of garbage is wanted rather than that of what is live.
  bool isOfGarbage() const;
  /// These tell nobody.
  void setIsOfGarbage(bool isOfGarbage);
  void setGrouping(engine::DominatorGrouping grouping);
  DominatorForm form() const;
  void setForm(DominatorForm form);
  QString searchText() const;
  /// How many the picture has of what is looked for, and whether one can go through them; empty for none.
  void showMatches(const QString& status, bool canStep);
  /// Why nothing was found; empty for none.
  void showNote(const QString& note);
  void clearSearch();

 Q_SIGNALS:
  /// The text looked for has changed, with each letter.
  void searchEdited(const QString& text);
  /// Enter: what is looked for is to be shown.
  void searched(const QString& text);
  /// The next match is wanted, or with -1 the one before.
  void stepWanted(int step);
  void exportWanted();
  /// Another tree, or with other siblings put together.
  void treeChanged();
  void formChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* buildSearch();
  QWidget* buildChoices();
  QToolButton* makeTool(const QString& name, const QString& symbol, const QString& tip);
  void updateLook();

  QLineEdit* m_search;
  QToolButton* m_previous = nullptr;
  QToolButton* m_next = nullptr;
  QLabel* m_matches;
  QLabel* m_note;
  ChoiceBar* m_sides;
  ChoiceBar* m_groupings;
  ChoiceBar* m_forms;
  QLabel* m_label;
};

/// The selection that picking a node means for the rest of the window: its object, or else its type. Empty for groups.
Selection selectionOf(const engine::DominatorNode& node, const engine::Snapshot& snapshot);

/// Shows the object on its page, or else the type on its own.
void openDominator(Navigator& navigator, const Selection& selection);

/// An entry for each place that shows what a node stands for, and for copying its name and address.
void addDominatorLinks(QMenu& menu, Navigator& navigator, const engine::DominatorNode& node,
                       const Selection& selection);

/// The entries that a menu on a node of the dominator tree has beside links: to think away what the node stands for,
/// and to list it where that is several objects.
class DominatorCuts : public QObject {
  Q_OBJECT

 public:
  DominatorCuts(EngineBridge& bridge, Navigator& navigator, QObject* parent);

  /// Adds the entries; needs an open dump. Of garbage nothing is left to be thought away.
  void addTo(QMenu& menu, const engine::DominatorNode& node, const DominatorScene& scene);

 private:
  /// Takes the objects that a node stands for as a set, and hands its name on.
  void takeObjects(const engine::DominatorNode& node, engine::DominatorGrouping grouping, bool isOfGarbage,
                   const std::function<void(const QString& set)>& use);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
};

/// The shapes of a scene that are called so, or lie at this address ("0x7f…").
DominatorMatches findMatches(const DominatorScene& scene, const QString& text);

/// The search in the pictures: what is looked for, and which of the matches one is at.
class DominatorSearch {
 public:
  void setScene(SharedScene scene);
  void setText(const QString& text);

  /// Null if nothing is looked for.
  const std::shared_ptr<const DominatorMatches>& matches() const { return m_matches; }
  bool hasMatches() const { return m_matches && !m_matches->shapes.empty(); }
  /// Goes `step` matches on, around their end; the first one to begin with. Its shape.
  std::optional<std::uint32_t> next(int step);
  /// "2 of 12 · 1.43 MB", "none in this picture"; empty if nothing is looked for.
  QString status() const;

 private:
  void look();

  SharedScene m_scene;
  QString m_text;
  std::shared_ptr<const DominatorMatches> m_matches;
  std::optional<std::size_t> m_at;
};

}  // namespace heapscape::gui

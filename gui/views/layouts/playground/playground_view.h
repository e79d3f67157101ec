// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "session/layouts/layout_playground.h"
#include "views/layouts/layout_column.h"

class QAction;
class QLabel;
class QMenu;
class QSpinBox;
class QToolButton;

namespace heapscape::gui {

class ArrayStrip;
class ChoiceBar;
class ElidedText;
class SideBySideDiagram;

/// Tries another declaration of a type: its fields are dragged to other places or made of other types, attributes set,
/// and the engine's rules say at once what that comes to.
class PlaygroundView : public QWidget {
  Q_OBJECT

 public:
  explicit PlaygroundView(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Another type, of which nothing is tried yet; kept until the view is seen.
  void show(const PreparedLayout& layout);
  void clear();
  SideBySideDiagram* diagram() const { return m_diagram; }
  const engine::TriedDeclaration& tried() const { return m_tried; }
  /// What the rules said last; nothing before they did.
  const std::optional<engine::TriedLayout>& answer() const { return m_answer; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void addParts();
  void fillTypes();
  void begin();
  void takeOwn(engine::OwnDeclaration own);
  void askForHeap();
  void change(engine::TriedDeclaration tried);
  void ask();
  void take(engine::Result<engine::TriedLayout> answer);
  void showAnswer();
  void showControls();
  QString figures() const;
  std::vector<std::uint32_t> order() const;
  /// The number of an own field as declared; nothing for any other.
  std::optional<std::uint32_t> ownField(std::uint32_t field) const;
  void drag(std::uint32_t field, std::uint32_t over, bool isBehind);
  void move(std::uint32_t field, int by);
  void retype(std::optional<engine::TriedType> type);
  void leaveOut();
  void mergeBools();

  EngineBridge& m_bridge;
  ChoiceBar* m_kind;
  QToolButton* m_pack;
  QSpinBox* m_size;
  QToolButton* m_type;
  QMenu* m_types;
  QAction* m_merge = nullptr;
  QToolButton* m_reset;
  QToolButton* m_copy;
  QToolButton* m_pin;
  QLabel* m_figures;
  QLabel* m_note;
  SideBySideDiagram* m_diagram;
  ArrayStrip* m_arrays;

  std::unique_ptr<PreparedLayout> m_shown;
  bool m_isBegun = false;
  engine::OwnDeclaration m_own;
  engine::TriedDeclaration m_tried;
  std::shared_ptr<const engine::HeapOfType> m_heap;
  std::optional<engine::TriedLayout> m_answer;
  std::uint32_t m_picked = 0xffffffff;  // FieldMatches::kNone
};

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "layout/type_layout.h"
#include "models/insights_source.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"
#include "widgets/fact_list.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace heapscape::gui {

/// The engine's answer about a picked type; `id` only if it has objects on the heap.
struct InspectedType {
  engine::Address methodTable;
  std::optional<engine::TypeId> id;
  std::optional<engine::TypeLayout> layout;
};

std::vector<Fact> objectFacts(const engine::Snapshot& snapshot, const engine::ObjectRow& object);

class StackHoldersPart;
class StatePanel;
class WrappedName;

/// About whatever is picked, in every place: the object, its type, a segment, or what the place itself tells of it.
class Inspector : public QWidget {
  Q_OBJECT

 public:
  Inspector(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSelection(const Selection& selection);
  /// Something that is no selection, until there is one again.
  void showThing(const PickedThing& thing);
  /// The place beside it, by its title and in two sentences: told while nothing is picked.
  void setPlace(const QString& title, const QString& about);
  /// A stage is done: what is shown may now be told in full.
  void refresh();
  void clear();

  QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Answer {
    std::optional<engine::ObjectRow> object;
    std::optional<InspectedType> type;
    std::vector<Fact> contents;
  };
  static Answer inspect(const engine::Snapshot& snapshot, const Selection& selection);

  void showNothing();
  QWidget* buildPage();
  QWidget* buildButtons();
  void show(const engine::Snapshot& snapshot, const Answer& answer);
  void setPrimary(const QString& kind, const QString& title, const std::vector<Fact>& facts);
  void setType(const std::vector<Fact>& facts);
  void setContents(const std::vector<Fact>& facts);
  /// Whether an insight is about what is picked.
  void showInsights();
  void elideInsights();
  QWidget* makePart(const QString& heading, FactList* facts);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  InsightsSource& m_insights;
  Selection m_selection;
  QString m_place;  // its title, and what it shows
  QString m_about;
  bool m_isOfThing = false;       // what is shown
  bool m_isShowingPlace = false;  // what the place shows, for want of anything picked
  engine::Address m_methodTable;  // of the picked type, or of the picked object
  engine::ObjectId m_object;      // that is shown; none for a type

  QStackedWidget* m_pages;
  StatePanel* m_nothing;
  QScrollArea* m_scroll;
  QLabel* m_kind = nullptr;
  WrappedName* m_title = nullptr;
  FactList* m_facts = nullptr;
  QWidget* m_contentsPart = nullptr;
  FactList* m_contents = nullptr;
  StackHoldersPart* m_onStacks = nullptr;
  QWidget* m_typePart = nullptr;
  FactList* m_typeFacts = nullptr;
  QPushButton* m_toInsights = nullptr;
  QString m_insightsText;  // in full
  QPushButton* m_toObject = nullptr;
  QPushButton* m_toLayout = nullptr;
  QPushButton* m_toMap = nullptr;
  QPushButton* m_toTypes = nullptr;
  QPushButton* m_toRuntime = nullptr;
  QPushButton* m_toReason = nullptr;
  QPushButton* m_toGraph = nullptr;
};

}  // namespace heapscape::gui

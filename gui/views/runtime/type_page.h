// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/roots/statics_query.h"
#include "session/types/type_details.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;
class QTabWidget;

namespace heapscape::gui {

class ElidedText;
class FlowLayout;
class RowsPanel;
class StatePanel;
class TypeAnatomyPicture;
class TypeSummary;
class WrappedName;
struct RowsPanelSetup;

/// Everything the runtime knows about one type.
class TypePage : public QWidget {
  Q_OBJECT

 public:
  TypePage(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// The type that is picked, or that of the picked object. Nothing is asked before the page can be seen.
  void follow(const Selection& selection);
  void clear();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Answer {
    std::shared_ptr<const engine::TypeDetails> type;
    engine::Address object;  // whose values the fields show; 0 for none
    std::vector<engine::StaticRow> statics;
    engine::FindingList staticFindings;
  };
  static engine::Outcome<Answer> read(const engine::Snapshot& snapshot, const Selection& selection,
                                      std::stop_token stop);

  QWidget* buildHead();
  QWidget* buildGenericsTab();
  RowsPanel* addList(RowsPanelSetup setup, const QString& title);
  void ask();
  void show(const Answer& answer);
  void showHead(const engine::TypeDetails& type, engine::Address object);
  void showParents(const engine::TypeDetails& type);
  void showLists(const Answer& answer);
  void showGenerics(const engine::TypeDetails& type);
  void setTab(QWidget* page, const QString& title, std::size_t count);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  Selection m_selection;
  engine::Address m_methodTable;  // of the type that is shown
  bool m_isAsked = false;

  WrappedName* m_name;
  QLabel* m_note;
  ElidedText* m_findings;
  QWidget* m_parentBox;
  FlowLayout* m_parents;
  QPushButton* m_toLayout;
  QPushButton* m_toInstances;
  QTabWidget* m_tabs;
  TypeSummary* m_summary;
  TypeAnatomyPicture* m_anatomy;
  QScrollArea* m_anatomyScroll;
  RowsPanel* m_methods;
  RowsPanel* m_fields;
  RowsPanel* m_statics;
  RowsPanel* m_interfaces;
  RowsPanel* m_members;  // of an enum
  RowsPanel* m_instantiations;
  QWidget* m_generics;
  QTabWidget* m_genericTabs;
  RowsPanel* m_arguments;
  RowsPanel* m_sharedWith;
  RowsPanel* m_dictionary;
  RowsPanel* m_inherited;
  RowsPanel* m_methodLookups;
  QLabel* m_lookups;
  StatePanel* m_state;
  QWidget* m_body;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui

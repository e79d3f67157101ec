// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/types/generics_query.h"

class QLabel;
class QScrollArea;

namespace heapscape::gui {

class RowsPanel;
class SharingPicture;

/// Generic types by what they cost, and for the one that is picked, which instantiations share their code.
class GenericsPanel : public QWidget {
  Q_OBJECT

 public:
  GenericsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void load();
  void clear();
  void showWaiting(const QString& text);
  /// The dump has no heap, whose objects are counted.
  void showLacking();
  void follow(engine::Address methodTable);
  RowsPanel* list() const { return m_list; }
  SharingPicture* picture() const { return m_picture; }

 Q_SIGNALS:
  void typeWanted(heapscape::engine::Address methodTable);

 private:
  void addParts();
  void show(std::uint32_t row);

  Navigator& m_navigator;
  RowsPanel* m_list;
  QLabel* m_heading;
  QLabel* m_note;
  SharingPicture* m_picture;
  QScrollArea* m_scroll;
};

}  // namespace heapscape::gui

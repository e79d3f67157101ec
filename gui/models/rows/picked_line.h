// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/objects/object_query.h"

class QMenu;
class QModelIndex;
class QTimer;
class QToolButton;

namespace heapscape::gui {

class ElidedText;
class RowsTable;

/// Below a list in which several rows are picked: how many, what their objects take up, and what would be freed with
/// all of them together, exactly; and what can be done with them. Hidden while fewer than two are picked. Figures of
/// the last choice are dimmed until those of this one are there.
class PickedLine : public QWidget {
  Q_OBJECT

 public:
  /// The table outlives it. A row stands for the object that it leads to, or else for all objects of its type.
  PickedLine(EngineBridge& bridge, Navigator& navigator, RowsTable& table, QWidget* parent = nullptr);

  /// Whether several rows are picked, this one among them: then a menu opened on it is about all of them.
  bool isAbout(const QModelIndex& index) const;
  /// What can be done with all of them.
  void addLinks(QMenu& menu);
  /// Opens the menu of all of them where isAbout(); false if it is not.
  bool openMenu(const QModelIndex& index, const QPoint& position);

  QString text() const;
  /// Whether the figures are those of what is picked now.
  bool isAnswer() const { return !m_isOld; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  /// Reads the objects that picked rows stand for; made on an engine thread, where there may be millions.
  using ReadSet = std::function<engine::ObjectSet(const engine::Snapshot& snapshot, const std::stop_token& stop)>;
  struct Figures {
    engine::Retained all;
    std::optional<engine::Retained> freed;  // nothing before it is known who holds what
  };

  void follow();
  ReadSet readPicked() const;
  void ask();
  void show(const Figures& figures);
  void setOld(bool isOld);
  /// Keeps what is picked as a set, and hands its name on.
  void takeOn(const std::function<void(const QString& name)>& use);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  RowsTable& m_table;
  ElidedText* m_text;
  QToolButton* m_search;
  QTimer* m_rest;
  bool m_isOld = true;
};

}  // namespace heapscape::gui

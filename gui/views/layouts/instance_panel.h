// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/object_page.h"

class QStackedLayout;
class QToolButton;

namespace heapscape::gui {

class ElidedText;
class ObjectHexView;
class StatePanel;

/// The bytes of an object of the type, padding included, and of the one before or behind it.
class InstancePanel : public QWidget {
  Q_OBJECT

 public:
  InstancePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// The type's objects, first of all the one that is selected if it is one of them.
  void show(engine::Address methodTable, engine::Address selected);
  void clear();
  /// Marks bytes without telling anyone, and says what they hold.
  void select(const ByteSpan& span);
  engine::Address shown() const { return m_page ? m_page->address() : engine::Address(); }

 Q_SIGNALS:
  void objectShown(const heapscape::gui::ObjectPage& page);
  /// Bytes as in the object, with its header.
  void spanPicked(const heapscape::gui::ByteSpan& span);

 private:
  struct Instances {
    std::vector<engine::Address> addresses;  // the first of them
    std::uint64_t count = 0;                 // of all
    std::size_t at = 0;
    bool beginsWithSelected = false;  // which comes behind all that are listed
  };
  static engine::Result<Instances> listInstances(const engine::Snapshot& snapshot, engine::Address methodTable,
                                                 engine::Address selected, std::stop_token stop);

  void addParts();
  void take(engine::Result<Instances> instances);
  void step(int by);
  void askForPage();
  void takePage(engine::Result<std::shared_ptr<const ObjectPage>> page);
  void showState(const QString& heading, const QString& text);
  void describe();
  QString valueAt(const ByteSpan& span) const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QToolButton* m_before;
  QToolButton* m_after;
  QToolButton* m_open;
  ElidedText* m_which;
  ElidedText* m_value;
  ObjectHexView* m_hex;
  QWidget* m_body;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  Instances m_instances;
  ByteSpan m_selected;
  std::shared_ptr<const ObjectPage> m_page;
};

}  // namespace heapscape::gui

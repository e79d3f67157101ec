// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "widgets/hex_view/object_page.h"

class QTabWidget;

namespace heapscape::gui {

class ExceptionPanel;
class FieldsPanel;
class ItemsPanel;
class TargetsPanel;
class TextPanel;

/// A panel of what the object holds: as data where it is a collection, a string, a delegate or an exception, and its
/// fields.
class ContentsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ContentsPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Where retained sizes come from; nothing for none.
  void setSnapshot(const std::optional<engine::Snapshot>& snapshot);
  void show(std::shared_ptr<const ObjectPage> page);  // null for none
  FieldsPanel& fields() { return *m_fields; }

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);
  /// More of a string than was read.
  void charactersWanted(std::size_t units);

 private:
  void connectParts();
  QWidget* bestPage(const engine::ObjectDetails& object) const;

  FieldsPanel* m_fields;
  ItemsPanel* m_items;
  TextPanel* m_text;
  TargetsPanel* m_targets;
  ExceptionPanel* m_exception;
  QTabWidget* m_tabs;
  bool m_prefersFields = false;  // the user has switched to the internals, and means it
};

}  // namespace heapscape::gui

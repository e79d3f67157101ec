// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

class QTabWidget;

namespace heapscape::gui {

class GenericsPanel;
class RowsPanel;
class TypePage;

/// Place with what the runtime itself knows: of the picked type, of generic types, of modules.
class RuntimePlace : public Place {
  Q_OBJECT

 public:
  RuntimePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Runtime; }
  QString title() const override { return u"Runtime"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  RowsPanel* buildModules();
  void loadGenerics();

  QTabWidget* m_tabs;
  TypePage* m_type;
  GenericsPanel* m_generics;
  RowsPanel* m_modules;
  Location m_last;
  bool m_hasObjects = false;
  bool m_hasTypes = false;  // types can be asked about, if not their objects
};

}  // namespace heapscape::gui

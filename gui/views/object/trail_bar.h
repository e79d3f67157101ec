// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/object/object_trail.h"

namespace heapscape::gui {

/// The way to the object shown, each object on it a link. Where room is short the first ones give way.
class TrailBar : public QWidget {
  Q_OBJECT

 public:
  explicit TrailBar(QWidget* parent = nullptr);

  void show(const ObjectTrail& trail);

 Q_SIGNALS:
  void objectWanted(heapscape::engine::Address object);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();

  ObjectTrail m_trail;
  QWidget* m_body = nullptr;
};

}  // namespace heapscape::gui

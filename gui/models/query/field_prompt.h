// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QString>

#include "bridge/engine_bridge.h"

class QLineEdit;
class QStringListModel;

namespace heapscape::gui {

/// A line for the path of a field of objects, as field("…") takes it, with existing names. Closes and deletes itself.
class FieldPrompt : public QFrame {
  Q_OBJECT

 public:
  /// `typeText`: part of a type's name whose fields are offered; empty for the types that take up the most.
  FieldPrompt(EngineBridge& bridge, QString typeText, QWidget* parent);

  /// At this point of the screen, kept within it.
  void popUp(const QPoint& globalPosition);

 Q_SIGNALS:
  void chosen(const QString& path);

 private:
  void offer();
  void choose();

  EngineBridge& m_bridge;
  const QString m_typeText;
  QLineEdit* m_path;
  QStringListModel* m_offered;
  QString m_offeredFor;  // the path before the last dot
  bool m_isOffered = false;
};

}  // namespace heapscape::gui

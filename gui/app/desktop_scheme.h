// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QVariant>

namespace heapscape::gui {

/// Whether the desktop is light or dark: from the settings portal where there is one, else from the palette that the
/// desktop gave this program. Make it before any palette is set.
class DesktopScheme : public QObject {
  Q_OBJECT

 public:
  explicit DesktopScheme(QObject* parent = nullptr);

  bool isDark() const { return m_isDark; }

 Q_SIGNALS:
  void changed();

 private:
  void take(const QVariant& scheme);

  bool m_isDark;
};

}  // namespace heapscape::gui

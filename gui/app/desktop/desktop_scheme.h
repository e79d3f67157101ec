// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include "app/theme.h"

namespace heapscape::gui {

/// Whether the desktop is light, dark or of high contrast: from the settings portal where there is one, else from the
/// palette that the desktop gave this program. Make it before any palette is set.
class DesktopScheme : public QObject {
  Q_OBJECT

 public:
  explicit DesktopScheme(QObject* parent = nullptr);

  /// Never Theme::System.
  Theme theme() const;

 Q_SIGNALS:
  void changed();

 private:
  void take(bool& kept, bool told);

  bool m_isDark;
  bool m_isContrast = false;       // as the portal has it for all desktops
  bool m_isGnomeContrast = false;  // before the portal did
};

}  // namespace heapscape::gui

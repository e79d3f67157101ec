// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QVariant>
#include <array>

#include "app/theme.h"

// Only moc needs to know it, so that whoever includes this needs no D-Bus.
Q_MOC_INCLUDE(<QDBusVariant>)

class QDBusVariant;

namespace heapscape::gui {

/// A setting of the desktop, from the settings portal where there is one.
class PortalSetting : public QObject {
  Q_OBJECT

 public:
  PortalSetting(QString group, QString key, QObject* parent = nullptr);

 Q_SIGNALS:
  /// As soon as the portal has told, and whenever it changes. Never where there is no portal or no such setting.
  void told(const QVariant& value);

 private Q_SLOTS:
  void portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void askPortal();

  QString m_group;
  QString m_key;
};

/// Whether the desktop asks for less motion, as far as its portal tells: then nothing in the window moves. Widgets ask
/// motionMs(), which asks the style.
class DesktopMotion : public QObject {
  Q_OBJECT

 public:
  explicit DesktopMotion(QObject* parent = nullptr);

 private:
  /// Whoever tells; each of them alone is enough.
  enum Source { Appearance, Gnome, Kde, SourceCount };
  void take(Source source, bool isReduced);

  std::array<bool, SourceCount> m_isReduced{};
};

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

// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QVariant>

class QDBusVariant;
// Only moc needs to know it, so that whoever includes this needs no D-Bus.
Q_MOC_INCLUDE(<QDBusVariant>)

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

}  // namespace heapscape::gui

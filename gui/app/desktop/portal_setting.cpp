// SPDX-License-Identifier: MIT
#include "app/desktop/portal_setting.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace heapscape::gui {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");

// The portal wraps a value once or twice, depending on its version.
QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

PortalSetting::PortalSetting(QString group, QString key, QObject* parent)
    : QObject(parent), m_group(std::move(group)), m_key(std::move(key)) {
  // Without a session bus of its own, asking would start one.
  if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) askPortal();
}

void PortalSetting::askPortal() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
              SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
  QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
  question << m_group << m_key;
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (reply.isValid()) Q_EMIT told(unwrapped(QVariant::fromValue(reply.value())));
    watcher->deleteLater();
  });
}

void PortalSetting::portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group == m_group && key == m_key) Q_EMIT told(unwrapped(value.variant()));
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "app/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

namespace heapscape::gui {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

// The portal wraps a value once or twice, depending on its version.
QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent), m_isDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
  // Without a session bus of its own, asking would start one.
  if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) askPortal();
}

void DesktopScheme::askPortal() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
              SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
  QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
  question << kGroup << kKey;
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (reply.isValid()) take(QVariant::fromValue(reply.value()));
    watcher->deleteLater();
  });
}

void DesktopScheme::portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group == kGroup && key == kKey) take(value.variant());
}

void DesktopScheme::take(const QVariant& scheme) {
  constexpr uint kNoPreference = 0;
  constexpr uint kPrefersDark = 1;
  const uint preference = unwrapped(scheme).toUInt();
  if (preference == kNoPreference) return;
  const bool isDark = preference == kPrefersDark;
  if (isDark == m_isDark) return;
  m_isDark = isDark;
  Q_EMIT changed();
}

}  // namespace heapscape::gui

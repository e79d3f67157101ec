// SPDX-License-Identifier: MIT
#include "app/desktop/desktop_settings.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

#include "app/style/flat_style.h"
#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

const QString kService = u"org.freedesktop.portal.Desktop"_s;
const QString kPath = u"/org/freedesktop/portal/desktop"_s;
const QString kInterface = u"org.freedesktop.portal.Settings"_s;

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
  bus.connect(kService, kPath, kInterface, u"SettingChanged"_s, this,
              SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
  QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, u"Read"_s);
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

DesktopMotion::DesktopMotion(QObject* parent) : QObject(parent) {
  const auto listen = [this](Source source, const QString& group, const QString& key, auto isReduced) {
    const auto* setting = new PortalSetting(group, key, this);
    connect(setting, &PortalSetting::told, this,
            [this, source, isReduced](const QVariant& value) { take(source, isReduced(value)); });
  };
  listen(Appearance, u"org.freedesktop.appearance"_s, u"reduced-motion"_s,
         [](const QVariant& value) { return value.toUInt() == 1; });
  listen(Gnome, u"org.gnome.desktop.interface"_s, u"enable-animations"_s,
         [](const QVariant& value) { return !value.toBool(); });
  listen(Kde, u"org.kde.kdeglobals.KDE"_s, u"AnimationDurationFactor"_s, [](const QVariant& value) {
    bool isNumber = false;
    return value.toString().toDouble(&isNumber) == 0 && isNumber;
  });
}

void DesktopMotion::take(Source source, bool isReduced) {
  m_isReduced[source] = isReduced;
  if (auto* style = qobject_cast<FlatStyle*>(QApplication::style()))
    style->setStill(std::ranges::count(m_isReduced, true) > 0);
}

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent), m_isDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
  const QString appearance = u"org.freedesktop.appearance"_s;
  const auto* scheme = new PortalSetting(appearance, u"color-scheme"_s, this);
  connect(scheme, &PortalSetting::told, this, [this](const QVariant& value) {
    constexpr uint kNoPreference = 0;
    constexpr uint kPrefersDark = 1;
    if (value.toUInt() != kNoPreference) take(m_isDark, value.toUInt() == kPrefersDark);
  });
  const auto* contrast = new PortalSetting(appearance, u"contrast"_s, this);
  connect(contrast, &PortalSetting::told, this,
          [this](const QVariant& value) { take(m_isContrast, value.toUInt() == 1); });
  const auto* gnome = new PortalSetting(u"org.gnome.desktop.a11y.interface"_s, u"high-contrast"_s, this);
  connect(gnome, &PortalSetting::told, this,
          [this](const QVariant& value) { take(m_isGnomeContrast, value.toBool()); });
}

Theme DesktopScheme::theme() const {
  if (m_isContrast || m_isGnomeContrast) return Theme::Contrast;
  return m_isDark ? Theme::Dark : Theme::Light;
}

void DesktopScheme::take(bool& kept, bool told) {
  if (kept == told) return;
  kept = told;
  Q_EMIT changed();
}

}  // namespace heapscape::gui

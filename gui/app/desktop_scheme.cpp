// SPDX-License-Identifier: MIT
#include "app/desktop_scheme.h"

#include <QGuiApplication>
#include <QPalette>

#include "app/portal_setting.h"

namespace heapscape::gui {

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent), m_isDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
  const auto* setting =
      new PortalSetting(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"), this);
  connect(setting, &PortalSetting::told, this, &DesktopScheme::take);
}

void DesktopScheme::take(const QVariant& scheme) {
  constexpr uint kNoPreference = 0;
  constexpr uint kPrefersDark = 1;
  const uint preference = scheme.toUInt();
  if (preference == kNoPreference) return;
  const bool isDark = preference == kPrefersDark;
  if (isDark == m_isDark) return;
  m_isDark = isDark;
  Q_EMIT changed();
}

}  // namespace heapscape::gui

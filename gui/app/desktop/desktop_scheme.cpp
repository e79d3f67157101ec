// SPDX-License-Identifier: MIT
#include "app/desktop/desktop_scheme.h"

#include <QGuiApplication>
#include <QPalette>
#include <QVariant>

#include "app/desktop/portal_setting.h"

namespace heapscape::gui {

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent), m_isDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
  const QString appearance = QStringLiteral("org.freedesktop.appearance");
  const auto* scheme = new PortalSetting(appearance, QStringLiteral("color-scheme"), this);
  connect(scheme, &PortalSetting::told, this, [this](const QVariant& value) {
    constexpr uint kNoPreference = 0;
    constexpr uint kPrefersDark = 1;
    if (value.toUInt() != kNoPreference) take(m_isDark, value.toUInt() == kPrefersDark);
  });
  const auto* contrast = new PortalSetting(appearance, QStringLiteral("contrast"), this);
  connect(contrast, &PortalSetting::told, this,
          [this](const QVariant& value) { take(m_isContrast, value.toUInt() == 1); });
  const auto* gnome =
      new PortalSetting(QStringLiteral("org.gnome.desktop.a11y.interface"), QStringLiteral("high-contrast"), this);
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

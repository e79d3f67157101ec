// SPDX-License-Identifier: MIT
#include "app/desktop/desktop_motion.h"

#include <QApplication>
#include <algorithm>

#include "app/desktop/portal_setting.h"
#include "app/style/flat_style.h"

namespace heapscape::gui {

DesktopMotion::DesktopMotion(QObject* parent) : QObject(parent) {
  const auto listen = [this](Teller teller, const QString& group, const QString& key, auto isReduced) {
    const auto* setting = new PortalSetting(group, key, this);
    connect(setting, &PortalSetting::told, this,
            [this, teller, isReduced](const QVariant& value) { take(teller, isReduced(value)); });
  };
  listen(Appearance, QStringLiteral("org.freedesktop.appearance"), QStringLiteral("reduced-motion"),
         [](const QVariant& value) { return value.toUInt() == 1; });
  listen(Gnome, QStringLiteral("org.gnome.desktop.interface"), QStringLiteral("enable-animations"),
         [](const QVariant& value) { return !value.toBool(); });
  listen(Kde, QStringLiteral("org.kde.kdeglobals.KDE"), QStringLiteral("AnimationDurationFactor"),
         [](const QVariant& value) {
           bool isNumber = false;
           return value.toString().toDouble(&isNumber) == 0 && isNumber;
         });
}

void DesktopMotion::take(Teller teller, bool isReduced) {
  m_isReduced[teller] = isReduced;
  if (auto* style = qobject_cast<FlatStyle*>(QApplication::style()))
    style->setStill(std::ranges::count(m_isReduced, true) > 0);
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace heapscape::gui::test {

/// Where QSettings writes as long as it is there, so that a test finds none but its own, and nobody finds those.
class SettingsFolder : public QTemporaryDir {
 public:
  SettingsFolder() {
    QCoreApplication::setOrganizationName(QStringLiteral("heapscape-tests"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, path());
  }
};

}  // namespace heapscape::gui::test

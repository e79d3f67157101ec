// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

/// Whether a file is called as assemblies are; what it is shows when it is opened.
inline bool hasAssemblyName(const QString& path) {
  return path.endsWith(QStringLiteral(".dll"), Qt::CaseInsensitive) ||
         path.endsWith(QStringLiteral(".exe"), Qt::CaseInsensitive);
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "bridge/literals.h"

namespace heapscape::gui {

/// Whether a file is called as assemblies are; what it is shows when it is opened.
inline bool hasAssemblyName(const QString& path) {
  return path.endsWith(u".dll"_s, Qt::CaseInsensitive) || path.endsWith(u".exe"_s, Qt::CaseInsensitive);
}

}  // namespace heapscape::gui

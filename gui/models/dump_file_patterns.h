// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

/// Names that dumps usually have, for the filters of file dialogs; any other name opens as well.
inline QString dumpFilePatterns() {
  return QStringLiteral("*core* *.dmp *.dump *.zst *.gz *.tgz *.xz *.lz4 *.tar");
}

}  // namespace heapscape::gui

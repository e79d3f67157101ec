// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "bridge/literals.h"

namespace heapscape::gui {

/// Names that dumps usually have, for the filters of file dialogs; any other name opens as well.
inline QString dumpFilePatterns() {
  return u"*core* *.dmp *.dump *.gcdump *.zst *.gz *.tgz *.xz *.lz4 *.tar"_s;
}

}  // namespace heapscape::gui

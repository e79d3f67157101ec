// SPDX-License-Identifier: MIT
#include "support/machine.h"

#include <cstdlib>

namespace heapscape::test {

void hideWhatIsInstalled() {
  ::setenv("HEAPSCAPE_INSTALLED", "", 1);
  ::setenv("HEAPSCAPE_CACHE", "off", 1);
}

}  // namespace heapscape::test

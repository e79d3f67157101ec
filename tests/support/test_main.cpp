// SPDX-License-Identifier: MIT
// The main of every program of googletest's.
#include <gtest/gtest.h>

#include "support/machine.h"

int main(int argc, char** argv) {
  heapscape::test::hideWhatIsInstalled();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

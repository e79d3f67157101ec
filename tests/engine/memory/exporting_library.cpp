// SPDX-License-Identifier: MIT
// Loaded by a test, never linked.

namespace {

const char kText[] = "text of the library";

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

struct ExportedTable {
  unsigned long long magic;
  const char* text;
};

extern "C" {
EXPORTED extern const ExportedTable heapscapeTestTable;
const ExportedTable heapscapeTestTable = {0x1122334455667788, kText};

EXPORTED int heapscapeTestZero[16] = {};
EXPORTED int heapscapeTestNumber = 42;
EXPORTED int heapscapeTestFunction() {
  return heapscapeTestNumber;
}
}

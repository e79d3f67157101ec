// SPDX-License-Identifier: MIT
// Read by a test, never linked.

#define EXPORTED __attribute__((visibility("default"), noinline))
#define HIDDEN __attribute__((visibility("hidden"), noinline))

namespace shop {

HIDDEN int priceOf(int article) {
  return article * 3 + 1;
}

EXPORTED int sum(int count, const char* name) {
  int all = 0;
  for (int i = 0; i < count; ++i) all += priceOf(i) + name[i];
  return all;
}

}  // namespace shop

extern "C" EXPORTED int shopVersion() {
  return shop::priceOf(7);
}

// SPDX-License-Identifier: MIT
// heapscape-bench-core TEMPLATE OBJECTS CORE [SEED]: a core file of real shape with so many objects more than the small
// one that it begins from, a dump of the program `shop` (tests/data/shop-10.core.zst).
#include <fmt/format.h>

#include <cstdlib>

#include "core/grown_core.h"
#include "core/shop_heap.h"
#include "core/template_heap.h"

int main(int argc, char** argv) {
  using namespace heapscape::bench;
  const std::uint64_t objects = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if ((argc != 4 && argc != 5) || objects == 0) {
    fmt::print(stderr, "Usage: heapscape-bench-core TEMPLATE OBJECTS CORE [SEED]\n");
    return 2;
  }
  const TemplateHeap from(argv[1]);
  GrownCore core(from, argv[3]);
  ShopHeap heap(from, core, argc == 5 ? std::strtoull(argv[4], nullptr, 10) : 1);
  heap.grow(objects);
  core.finish();
  fmt::print("{} objects added\n", heap.objects());
  return 0;
}

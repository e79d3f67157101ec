// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "runtime/runtime_readers.h"

namespace heapscape::test {

/// Calls visit(module, cell) for each cell that ReadyToRun images call through, as far as the dump tells of them.
void forEachImportCell(const engine::RuntimeReaders& readers,
                       const std::function<void(engine::Address module, engine::Address cell)>& visit);

}  // namespace heapscape::test

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// An AssemblyLoadContext.
struct LoadContext {
  std::string name;            // as LoadContexts::nameOf() has it
  Address object;              // 0 for the default one, and where it cannot be told
  bool isCollectible = false;  // it can be unloaded
};

/// The context that a type lives with: of an instantiation that of the argument which ties it down.
LoadContext contextOfType(const RuntimeReaders& readers, const MethodTable& type);

/// Its name, of a collectible one with its address, since programs have many of one name: "plugins 0x7f…".
std::string textOf(const LoadContext& context);

}  // namespace heapscape::engine

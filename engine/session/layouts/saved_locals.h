// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "layout/type_layout.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Names in a layout what methods save that the runtime itself suspends (.NET 11). All with the same words of
/// references share a type, so that a field may be a local of each: "order / customer". Without debug info of their
/// code a field stays what it is by its place alone. `continuations` are objects of the layout's type.
void nameSavedLocals(const Contents& contents, std::span<const Address> continuations, TypeLayout& layout);

}  // namespace heapscape::engine

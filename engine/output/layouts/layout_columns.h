// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "output/output.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// Several layouts of one type next to each other: what each takes, what it saves against the first, and their boxes,
/// where fields that lie elsewhere in the first say where, and cache lines are marked. At least one.
void writeLayoutColumns(Output& output, std::span<const LayoutVariant> layouts);

/// "declared", "best, Pack=1", ".NET 8, declared": what the layout is by; the runtime only if they differ in it.
std::string captionOf(const LayoutVariant& variant, bool withRuntime);

}  // namespace heapscape::engine

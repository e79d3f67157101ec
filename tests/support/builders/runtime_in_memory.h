// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// The contract that is shipped for a version of .NET: 8, 9 or 10.
const engine::Contract& shippedContract(unsigned version,
                                        engine::Architecture architecture = engine::Architecture::X64);

/// A runtime of a version of whose memory there is no more than what was built, without library and globals.
engine::ClrRuntime runtimeInMemory(unsigned version, const CoreBuilder& builder);

}  // namespace heapscape::test

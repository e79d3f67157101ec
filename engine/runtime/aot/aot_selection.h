// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/contract/contract_selection.h"

namespace heapscape::engine {

/// Makes the contract of a program that was compiled ahead of time: the shipped one of its release, corrected by what
/// the program says itself, and the pointers that lead to all else. Fails with UnsupportedRuntime, naming the version
/// met; with NoRuntime where the program's file is missing, and names it; or with Damaged.
Result<SelectedContract> selectNativeAot(const AddressSpace& space, const RuntimeLibrary& library);

}  // namespace heapscape::engine

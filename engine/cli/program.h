// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::cli {

/// The whole program; gives its exit status.
int runProgram(int argc, char** argv);

}  // namespace heapscape::cli

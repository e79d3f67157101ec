// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::cli {

enum ExitStatus : int {
  kDone = 0,
  kInputUnusable = 1,  // also: the output cannot be written
  kWrongUsage = 2,
  kBudgetExceeded = 3,  // only of the verb check
  kInterrupted = 130,   // as shells report SIGINT
};

}  // namespace heapscape::cli

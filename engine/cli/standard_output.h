// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace heapscape::cli {

/// Writes to the standard output's descriptor and keeps why that failed.
class StandardOutput {
 public:
  /// False once something could not be written.
  bool write(std::string_view text);
  /// The reader has gone, as `head` does: no reason to complain.
  bool isClosed() const;
  /// Of the first failure, 0 if there was none.
  int errorNumber() const { return m_error; }

 private:
  int m_error = 0;
};

}  // namespace heapscape::cli

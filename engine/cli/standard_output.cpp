// SPDX-License-Identifier: MIT
#include "cli/standard_output.h"

#include <unistd.h>

#include <cerrno>

namespace heapscape::cli {

bool StandardOutput::write(std::string_view text) {
  while (!text.empty() && m_error == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      m_error = errno ? errno : EIO;
    }
  }
  return m_error == 0;
}

bool StandardOutput::isClosed() const {
  return m_error == EPIPE;
}

}  // namespace heapscape::cli

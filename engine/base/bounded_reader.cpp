// SPDX-License-Identifier: MIT
#include "base/bounded_reader.h"

namespace heapscape::engine {

std::string_view BoundedReader::readZeroTerminated() {
  if (m_failed || m_position > m_bytes.size()) {
    m_failed = true;
    return {};
  }
  const char* first = reinterpret_cast<const char*>(m_bytes.data()) + m_position;
  const std::size_t rest = m_bytes.size() - m_position;
  const void* end = rest ? std::memchr(first, 0, rest) : nullptr;
  if (!end) {
    m_failed = true;
    return {};
  }
  const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - first);
  m_position += length + 1;
  return {first, length};
}

}  // namespace heapscape::engine

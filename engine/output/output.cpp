// SPDX-License-Identifier: MIT
#include "output/output.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace heapscape::engine {

Output::Output(Sink sink) : m_sink(std::move(sink)), m_buffer(std::make_unique<char[]>(kCapacity)) {}

void Output::write(std::string_view text) {
  if (text.size() > kCapacity - m_used) {
    flush();
    if (text.size() > kCapacity) {
      if (!m_failed) m_failed = !m_sink(text);
      return;
    }
  }
  std::memcpy(m_buffer.get() + m_used, text.data(), text.size());
  m_used += text.size();
}

void Output::writeNumber(std::uint64_t number) {
  commit(formatNumber(reserve(kLongestNumber), number));
}

void Output::writeAddress(Address address) {
  commit(formatAddress(reserve(kLongestAddress), address));
}

void Output::flush() {
  if (m_used && !m_failed) m_failed = !m_sink({m_buffer.get(), m_used});
  m_used = 0;
}

Output::Sink appendTo(std::string& text) {
  return [&text](std::string_view piece) {
    text += piece;
    return true;
  };
}

char* formatNumber(char* to, std::uint64_t number) {
  return std::to_chars(to, to + kLongestNumber, number).ptr;
}

char* formatAddress(char* to, Address address) {
  // About twice as fast as to_chars, and an address is most of what an object's row has.
  static constexpr char kDigits[] = "0123456789abcdef";
  const int digits = address.value ? (67 - std::countl_zero(address.value)) / 4 : 1;
  *to++ = '0';
  *to++ = 'x';
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) *to++ = kDigits[(address.value >> shift) & 15];
  return to;
}

}  // namespace heapscape::engine

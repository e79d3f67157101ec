// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heapscape::test {

/// Looks for many texts in many bytes at once, in all encodings that somebody may think of: UTF-8 and UTF-16 in either
/// order, forwards and backwards, hexadecimal, Base64.
class TextSearch {
 public:
  /// A text in UTF-8; one too short to be found for certain is passed over. False if it was.
  bool add(const std::string& text);
  /// Bytes as they are, forwards and backwards, hexadecimal and in Base64.
  bool addBytes(const std::string& name, std::string_view bytes);
  std::size_t texts() const { return m_texts; }

  /// "worker 1 as UTF-16LE at 4096", at most some of them.
  std::vector<std::string> findIn(std::string_view bytes) const;

 private:
  static constexpr std::size_t kKeyBytes = 8;

  struct Pattern {
    std::string bytes;
    std::string name;
  };
  void addPattern(std::string bytes, const std::string& name);
  void addFound(std::string_view bytes, std::size_t at, std::uint64_t key, std::vector<std::string>& found) const;
  void addWritten(const std::string& bytes, const std::string& name);

  std::vector<Pattern> m_patterns;
  std::unordered_multimap<std::uint64_t, std::size_t> m_byKey;                // by their first bytes
  std::vector<std::uint8_t> m_mayBegin = std::vector<std::uint8_t>(1 << 20);  // by some bits of these
  std::set<std::string> m_known;
  std::size_t m_texts = 0;
};

}  // namespace heapscape::test

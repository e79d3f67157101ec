// SPDX-License-Identifier: MIT
#include "engine/redact/text_search.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace heapscape::test {
namespace {

constexpr std::size_t kMostFound = 20;

constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
constexpr int kShift = 44;

/// Of well-formed UTF-8.
std::u16string utf16(const std::string& text) {
  std::u16string units;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7f >> length);
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
      point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
    at += length;
    if (point >= 0x10000) {
      units += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
      units += static_cast<char16_t>(0xdc00 + (point & 0x3ff));
    } else {
      units += static_cast<char16_t>(point);
    }
  }
  return units;
}

std::string littleEndian(const std::u16string& units) {
  std::string bytes;
  for (const char16_t unit : units) {
    bytes += static_cast<char>(unit & 0xff);
    bytes += static_cast<char>(unit >> 8);
  }
  return bytes;
}

std::string swapped(std::string bytes) {
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) std::swap(bytes[i], bytes[i + 1]);
  return bytes;
}

std::string hexadecimal(const std::string& bytes, const char* digits) {
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

/// What stands in a Base64 text wherever these bytes are a part of what it encodes, `before` bytes behind a group of
/// three.
std::string base64(const std::string& bytes, std::size_t before) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = (3 - before) % 3; at + 3 <= bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
    const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[group >> shift & 63];
  }
  return text;
}

std::string reversed(std::string text) {
  std::ranges::reverse(text);
  return text;
}

}  // namespace

bool TextSearch::add(const std::string& text) {
  if (text.size() < kKeyBytes || !m_known.insert(text).second) return false;
  const std::u16string units = utf16(text);
  const std::string wide = littleEndian(units);
  const std::string wideReversed = littleEndian({units.rbegin(), units.rend()});
  addPattern(text, text + " as UTF-8");
  addPattern(reversed(text), text + " reversed");
  addPattern(wide, text + " as UTF-16LE");
  addPattern(swapped(wide), text + " as UTF-16BE");
  addPattern(wideReversed, text + " as UTF-16LE reversed");
  addPattern(swapped(wideReversed), text + " as UTF-16BE reversed");
  addWritten(text, text + " as UTF-8");
  addWritten(wide, text + " as UTF-16LE");
  ++m_texts;
  return true;
}

bool TextSearch::addBytes(const std::string& name, std::string_view bytes) {
  const std::string plain(bytes);
  if (plain.size() < kKeyBytes || !m_known.insert(plain).second) return false;
  addPattern(plain, name);
  addPattern(reversed(plain), name + " reversed");
  addWritten(plain, name);
  ++m_texts;
  return true;
}

void TextSearch::addWritten(const std::string& bytes, const std::string& name) {
  const auto addBoth = [&](const std::string& text, const std::string& how) {
    addPattern(text, name + how);
    addPattern(littleEndian({text.begin(), text.end()}), name + how + " as UTF-16LE");
  };
  addBoth(hexadecimal(bytes, "0123456789abcdef"), " in hexadecimal");
  addBoth(hexadecimal(bytes, "0123456789ABCDEF"), " in hexadecimal");
  for (std::size_t before = 0; before < 3; ++before) addBoth(base64(bytes, before), " in Base64");
}

void TextSearch::addPattern(std::string bytes, const std::string& name) {
  if (bytes.size() < kKeyBytes) return;
  std::uint64_t key = 0;
  std::memcpy(&key, bytes.data(), sizeof key);
  m_mayBegin[key * kSpread >> kShift] = 1;
  m_byKey.emplace(key, m_patterns.size());
  m_patterns.push_back({std::move(bytes), name});
}

std::vector<std::string> TextSearch::findIn(std::string_view bytes) const {
  std::vector<std::string> found;
  const char* const first = bytes.data();
  const std::uint8_t* const mayBegin = m_mayBegin.data();
  for (std::size_t at = 0; at + kKeyBytes <= bytes.size(); ++at) {
    std::uint64_t key;
    __builtin_memcpy(&key, first + at, sizeof key);
    if (key == 0) {  // no text begins so; one in UTF-16BE may with the last of these zeros
      std::size_t next = at + kKeyBytes;
      while (next < bytes.size() && first[next] == 0) ++next;
      at = next - kKeyBytes;
      continue;
    }
    if (!mayBegin[key * kSpread >> kShift]) continue;
    addFound(bytes, at, key, found);
    if (found.size() >= kMostFound) break;
  }
  return found;
}

void TextSearch::addFound(std::string_view bytes, std::size_t at, std::uint64_t key,
                          std::vector<std::string>& found) const {
  const auto [first, last] = m_byKey.equal_range(key);
  for (auto one = first; one != last; ++one) {
    const Pattern& pattern = m_patterns[one->second];
    if (bytes.substr(at, pattern.bytes.size()) == pattern.bytes)
      found.push_back(pattern.name + " at " + std::to_string(at));
  }
}

}  // namespace heapscape::test

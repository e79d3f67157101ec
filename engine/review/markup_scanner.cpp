// SPDX-License-Identifier: MIT
#include "review/markup_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostAttributes = 64;
constexpr std::size_t kLongestEntity = 12;

bool isSpace(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

bool isNameCharacter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '-' || character == '_' || character == ':' ||
         character == '.';
}

void appendUtf8(std::string& text, std::uint32_t point) {
  const auto byte = [&text](std::uint32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
  if (point < 0x80) return byte(point);
  if (point < 0x800) {
    byte(0xc0 | point >> 6);
  } else {
    if (point < 0x10000) {
      byte(0xe0 | point >> 12);
    } else {
      byte(0xf0 | point >> 18);
      byte(0x80 | (point >> 12 & 0x3f));
    }
    byte(0x80 | (point >> 6 & 0x3f));
  }
  byte(0x80 | (point & 0x3f));
}

/// "#60", "#x3c": the character of that number.
bool appendNumbered(std::string& text, std::string_view entity) {
  entity.remove_prefix(1);
  const bool isHex = !entity.empty() && entity.front() == 'x';
  if (isHex) entity.remove_prefix(1);
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(entity.data(), entity.data() + entity.size(), point, isHex ? 16 : 10);
  if (entity.empty() || error != std::errc() || end != entity.data() + entity.size()) return false;
  if (point == 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
  appendUtf8(text, point);
  return true;
}

bool appendEntity(std::string& text, std::string_view entity) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  if (entity.starts_with('#')) return appendNumbered(text, entity);
  const auto* const found = std::ranges::find(kEntities, entity, &std::pair<std::string_view, char>::first);
  if (found == kEntities.end()) return false;
  text += found->second;
  return true;
}

}  // namespace

std::optional<MarkupPiece> MarkupScanner::fail() {
  m_hasFailed = true;
  m_rest = {};
  return std::nullopt;
}

std::optional<MarkupPiece> MarkupScanner::next() {
  while (!m_rest.empty()) {
    if (m_rest.front() != '<') {
      const std::size_t end = std::min(m_rest.find('<'), m_rest.size());
      auto text = resolved(m_rest.substr(0, end));
      if (!text) return fail();
      m_rest.remove_prefix(end);
      return MarkupPiece{.kind = MarkupPiece::Kind::Text, .text = std::move(*text)};
    }
    if (m_rest.starts_with("<!--")) {
      if (!skipPast("-->")) return fail();
    } else if (m_rest.starts_with("<?")) {
      if (!skipPast("?>")) return fail();
    } else {
      return tag();
    }
  }
  return std::nullopt;
}

std::optional<MarkupPiece> MarkupScanner::tag() {
  m_rest.remove_prefix(1);
  MarkupPiece piece{.kind = MarkupPiece::Kind::Opening};
  if (m_rest.starts_with('/')) {
    m_rest.remove_prefix(1);
    piece.kind = MarkupPiece::Kind::Closing;
  }
  piece.name = name();
  if (piece.name.empty()) return fail();  // "<!DOCTYPE", "<![CDATA["
  while (true) {
    skipSpace();
    if (m_rest.starts_with('>')) break;
    if (m_rest.starts_with("/>") && piece.kind == MarkupPiece::Kind::Opening) {
      piece.kind = MarkupPiece::Kind::Empty;
      m_rest.remove_prefix(1);
      break;
    }
    if (piece.kind == MarkupPiece::Kind::Closing || !attribute(piece)) return fail();
  }
  m_rest.remove_prefix(1);
  return piece;
}

bool MarkupScanner::attribute(MarkupPiece& piece) {
  std::string key = name();
  skipSpace();
  if (key.empty() || piece.attributes.size() >= kMostAttributes || !m_rest.starts_with('=')) return false;
  m_rest.remove_prefix(1);
  skipSpace();
  if (m_rest.empty() || (m_rest.front() != '"' && m_rest.front() != '\'')) return false;
  const std::size_t end = m_rest.find(m_rest.front(), 1);
  if (end == std::string_view::npos) return false;
  auto value = resolved(m_rest.substr(1, end - 1));
  if (!value) return false;
  piece.attributes.emplace_back(std::move(key), std::move(*value));
  m_rest.remove_prefix(end + 1);
  return true;
}

bool MarkupScanner::skipPast(std::string_view end) {
  const std::size_t found = m_rest.find(end);
  if (found == std::string_view::npos) return false;
  m_rest.remove_prefix(found + end.size());
  return true;
}

void MarkupScanner::skipSpace() {
  while (!m_rest.empty() && isSpace(m_rest.front())) m_rest.remove_prefix(1);
}

std::string MarkupScanner::name() {
  const auto end = std::ranges::find_if_not(m_rest, isNameCharacter);
  const auto length = static_cast<std::size_t>(end - m_rest.begin());
  std::string found(m_rest.substr(0, length));
  m_rest.remove_prefix(length);
  return found;
}

std::optional<std::string> MarkupScanner::resolved(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    whole += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, kLongestEntity).find(';');
    if (end == std::string_view::npos || !appendEntity(whole, text.substr(1, end - 1))) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return whole;
}

}  // namespace heapscape::engine

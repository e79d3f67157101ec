// SPDX-License-Identifier: MIT
#include "output/json_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"

namespace heapscape::engine {

namespace {

bool isEscaped(char character) {
  return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\' || character == 0x7f;
}

void appendEscape(std::string& to, char character) {
  switch (character) {
    case '"':
      to += "\\\"";
      break;
    case '\\':
      to += "\\\\";
      break;
    case '\n':
      to += "\\n";
      break;
    case '\r':
      to += "\\r";
      break;
    case '\t':
      to += "\\t";
      break;
    default:
      to += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
  }
}

void appendEscaped(std::string& to, std::string_view text) {
  while (true) {
    const std::string_view plain(text.begin(), std::ranges::find_if(text, isEscaped));
    to += plain;
    if (plain.size() == text.size()) return;
    appendEscape(to, text[plain.size()]);
    text.remove_prefix(plain.size() + 1);
  }
}

}  // namespace

void appendJsonString(std::string& to, std::string_view text) {
  const bool isPlain =
      std::ranges::none_of(text, [](char character) { return isEscaped(character) || (character & 0x80) != 0; });
  to += '"';
  if (isPlain) {
    to += text;
  } else {
    appendEscaped(to, validUtf8(text));
  }
  to += '"';
}

void JsonWriter::key(std::string_view name) {
  separate();
  writeQuoted(name);
  m_output.write(':');
  m_afterKey = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  writeQuoted(text);
}

void JsonWriter::value(Address address) {
  separate();
  m_output.write('"');
  m_output.writeAddress(address);
  m_output.write('"');
}

void JsonWriter::value(bool truth) {
  separate();
  m_output.write(truth ? "true" : "false");
}

void JsonWriter::value(double number) {
  separate();
  m_output.write(fmt::format("{:.6f}", number));
}

void JsonWriter::null() {
  separate();
  m_output.write("null");
}

void JsonWriter::number(std::string_view digits) {
  separate();
  m_output.write(digits);
}

void JsonWriter::writeQuoted(std::string_view text) {
  m_quoted.clear();
  appendJsonString(m_quoted, text);
  m_output.write(m_quoted);
}

void JsonWriter::open(char bracket, bool isRows) {
  separate();
  m_output.write(bracket);
  m_levels.push_back({true, isRows});
}

void JsonWriter::close(char bracket) {
  const Level level = m_levels.back();
  m_levels.pop_back();
  if (level.isRows && !level.isEmpty) m_output.write('\n');
  m_output.write(bracket);
}

void JsonWriter::separate() {
  if (m_afterKey) {
    m_afterKey = false;
    return;
  }
  if (m_levels.empty()) return;
  Level& level = m_levels.back();
  if (!level.isEmpty) m_output.write(',');
  if (level.isRows) m_output.write('\n');
  level.isEmpty = false;
}

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "output/json_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"

namespace heapscape::engine {

namespace {

void appendEscaped(std::string& to, std::string_view text) {
  for (const char character : text) {
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
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f) {
          to += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        } else {
          to += character;
        }
    }
  }
}

}  // namespace

void appendJsonString(std::string& to, std::string_view text) {
  const bool isAscii = std::none_of(text.begin(), text.end(), [](char byte) { return (byte & 0x80) != 0; });
  to += '"';
  appendEscaped(to, isAscii ? std::string(text) : validUtf8(text));
  to += '"';
}

void JsonWriter::key(std::string_view name) {
  separate();
  std::string text;
  appendJsonString(text, name);
  m_output.write(text);
  m_output.write(':');
  m_afterKey = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  std::string quoted;
  appendJsonString(quoted, text);
  m_output.write(quoted);
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

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "output/output.h"

namespace heapscape::engine {

/// Writes JSON as it comes, keys in the order given, without a document in memory. Text that is no UTF-8 is replaced.
class JsonWriter {
 public:
  explicit JsonWriter(Output& output) : m_output(output) {}

  void beginObject() { open('{', false); }
  void endObject() { close('}'); }
  void beginArray() { open('[', false); }
  /// An array with each element on a line of its own.
  void beginRows() { open('[', true); }
  void endArray() { close(']'); }

  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(Address address);
  void value(std::unsigned_integral auto number) {
    separate();
    m_output.writeNumber(number);
  }
  void value(bool truth);
  /// Writes a number with six digits behind the point.
  void value(double number);
  void null();
  /// Null for nothing.
  template <class Value>
  void value(const std::optional<Value>& content) {
    content ? value(*content) : null();
  }
  /// Digits as they are: a number that JSON can write, however wide.
  void number(std::string_view digits);

  void member(std::string_view name, const auto& content) {
    key(name);
    value(content);
  }

  /// For elements that the caller writes itself, commas included.
  Output& output() { return m_output; }

 private:
  struct Level {
    bool isEmpty = true;
    bool isRows = false;
  };

  void open(char bracket, bool isRows);
  void close(char bracket);
  void separate();
  void writeQuoted(std::string_view text);

  Output& m_output;
  std::vector<Level> m_levels;
  bool m_afterKey = false;
  std::string m_quoted;
};

/// Appends the text as a JSON string, quotation marks included.
void appendJsonString(std::string& to, std::string_view text);

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heapscape::engine {

/// A tag, or text between tags.
struct MarkupPiece {
  enum class Kind { Opening, Empty, Closing, Text };
  Kind kind = Kind::Text;
  std::string name = {};  // of tags
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::string text = {};  // entities resolved
};

/// Takes XML apart, piece by piece; comments and instructions are passed over. Knows only the five entities of XML and
/// numbered characters: a document type, which could define more, is an error, and so is CDATA.
class MarkupScanner {
 public:
  explicit MarkupScanner(std::string_view markup) : m_rest(markup) {}

  /// Nothing at the end, and nothing once the text is no such XML.
  std::optional<MarkupPiece> next();
  bool hasFailed() const { return m_hasFailed; }

 private:
  std::optional<MarkupPiece> fail();
  std::optional<MarkupPiece> tag();
  bool skipPast(std::string_view end);
  void skipSpace();
  std::string name();
  bool attribute(MarkupPiece& piece);
  std::optional<std::string> resolved(std::string_view text);

  std::string_view m_rest;
  bool m_hasFailed = false;
};

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

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

inline constexpr std::size_t kLargestDrawing = 8u << 20;  // bytes of one SVG

/// An SVG rewritten from what it draws: elements and attributes on a list, text escaped anew. What only draws stays as
/// it is; attributes that are not on the list are dropped, and so are comments and instructions. Fails with Damaged for
/// what no drawing needs: scripts, handlers, styles, foreign elements, anything from elsewhere, document types, text
/// that is no SVG or is too large.
Result<std::string> checkedDrawing(std::string_view svg);

/// The drawing without any text: kContentsLeftOut stands for each, and pixels, which may show some, are left out.
Result<std::string> drawingWithoutText(std::string_view svg);

/// The drawing as a part of an HTML page: without namespaces, and with `idPrefix` before each id and each reference to
/// one, so that several drawings can stand in one page.
Result<std::string> inlineDrawing(std::string_view svg, std::string_view idPrefix);

}  // namespace heapscape::engine

// SPDX-License-Identifier: MIT
#include "review/drawing_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/ascii.h"
#include "review/board.h"
#include "review/markup.h"
#include "review/markup_scanner.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kDeepestDrawing = 256;
constexpr std::string_view kNamespaces =
    " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

// What QSvgGenerator and our own drawings are made of. `style` is not among the attributes: its language can fetch.
constexpr std::array<std::string_view, 19> kElements{
    "svg",     "g",        "defs", "title", "desc",           "path",           "rect", "circle",  "ellipse", "line",
    "polygon", "polyline", "text", "tspan", "linearGradient", "radialGradient", "stop", "pattern", "image"};
constexpr std::array<std::string_view, 58> kAttributes{"aria-label",
                                                       "class",
                                                       "cx",
                                                       "cy",
                                                       "d",
                                                       "dominant-baseline",
                                                       "dx",
                                                       "dy",
                                                       "fill",
                                                       "fill-opacity",
                                                       "fill-rule",
                                                       "font-family",
                                                       "font-size",
                                                       "font-style",
                                                       "font-weight",
                                                       "fx",
                                                       "fy",
                                                       "gradientTransform",
                                                       "gradientUnits",
                                                       "height",
                                                       "href",
                                                       "id",
                                                       "offset",
                                                       "opacity",
                                                       "patternContentUnits",
                                                       "patternTransform",
                                                       "patternUnits",
                                                       "points",
                                                       "preserveAspectRatio",
                                                       "r",
                                                       "role",
                                                       "rx",
                                                       "ry",
                                                       "shape-rendering",
                                                       "spreadMethod",
                                                       "stop-color",
                                                       "stop-opacity",
                                                       "stroke",
                                                       "stroke-dasharray",
                                                       "stroke-dashoffset",
                                                       "stroke-linecap",
                                                       "stroke-linejoin",
                                                       "stroke-miterlimit",
                                                       "stroke-opacity",
                                                       "stroke-width",
                                                       "text-anchor",
                                                       "textLength",
                                                       "transform",
                                                       "vector-effect",
                                                       "viewBox",
                                                       "width",
                                                       "x",
                                                       "x1",
                                                       "x2",
                                                       "xlink:href",
                                                       "y",
                                                       "y1",
                                                       "y2"};

std::string withoutSpaces(std::string_view text) {
  std::string lower;
  for (const char character : text) {
    if (static_cast<unsigned char>(character) > ' ') {
      lower += lowerCase(character);
    }
  }
  return lower;
}

bool isIdentifier(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, [](char character) {
    return std::isalnum(static_cast<unsigned char>(character)) || character == '-' || character == '_' ||
           character == '.';
  });
}

/// Base64 behind a header, and nothing that a reader of it could take for anything else.
bool isPixelData(std::string_view value) {
  for (const std::string_view header : {"data:image/png;base64,", "data:image/jpeg;base64,"}) {
    if (!value.starts_with(header)) continue;
    return std::ranges::all_of(value.substr(header.size()), [](char character) {
      return std::isalnum(static_cast<unsigned char>(character)) || character == '+' || character == '/' ||
             character == '=' || character == '\n' || character == '\r' || character == ' ';
    });
  }
  return false;
}

tl::unexpected<Error> refusal(std::string why) {
  return failure(ErrorCode::Damaged, "The picture " + std::move(why) + ".", "A review's pictures only draw.");
}

class DrawingCheck {
 public:
  DrawingCheck(std::string_view namespaces, std::string_view idPrefix, bool keepsText = true)
      : m_namespaces(namespaces), m_prefix(idPrefix), m_keepsText(keepsText) {}

  Result<std::string> check(std::string_view svg) {
    MarkupScanner scanner(svg);
    while (const auto piece = scanner.next()) {
      if (auto taken = take(*piece); !taken) return tl::unexpected(taken.error());
    }
    if (scanner.hasFailed()) return refusal("is no SVG, or has a document type");
    if (m_drawing.empty() || !m_open.empty()) return refusal("is not whole");
    return std::move(m_drawing);
  }

 private:
  using Kind = MarkupPiece::Kind;

  Result<void> take(const MarkupPiece& piece) {
    if (piece.kind == Kind::Text) return takeText(piece.text);
    if (piece.kind == Kind::Closing) {
      if (m_open.empty() || m_open.back() != piece.name) return refusal("is no SVG");
      m_open.pop_back();
      m_drawing += "</" + piece.name + ">";
      return {};
    }
    if (std::ranges::find(kElements, piece.name) == kElements.end()) {
      return refusal(fmt::format("holds <{}>", piece.name.substr(0, 40)));
    }
    const bool isOutermost = m_open.empty();
    if (isOutermost != (piece.name == "svg") || (isOutermost && !m_drawing.empty())) return refusal("is no SVG");
    if (m_open.size() >= kDeepestDrawing) return refusal("is nested too deeply");
    m_drawing += "<" + piece.name;
    if (isOutermost) m_drawing += m_namespaces;
    for (const auto& [name, value] : piece.attributes) HEAPSCAPE_CHECK(takeAttribute(piece.name, name, value));
    m_drawing += piece.kind == Kind::Empty ? "/>" : ">";
    if (piece.kind == Kind::Opening) m_open.push_back(piece.name);
    return {};
  }

  Result<void> takeText(std::string_view text) {
    if (!m_open.empty()) {
      m_drawing += m_keepsText || withoutSpaces(text).empty() ? escapedMarkup(text) : escapedMarkup(kContentsLeftOut);
      return {};
    }
    if (!withoutSpaces(text).empty()) return refusal("is no SVG");
    return {};
  }

  Result<void> takeAttribute(const std::string& element, const std::string& name, const std::string& value) {
    const std::string lower = withoutSpaces(name);
    if (lower.starts_with("on")) return refusal("has a handler of events");
    if (lower == "style" || lower == "src" || lower == "xml:base") return refusal(fmt::format("has {}=", lower));
    if (std::ranges::find(kAttributes, name) == kAttributes.end()) return {};
    if (!m_keepsText && name == "aria-label") return {};
    if (name == "id") {
      if (isIdentifier(value)) add(name, m_prefix + value);
      return {};
    }
    if (name == "class") {
      if (isIdentifier(value)) add(name, value);
      return {};
    }
    if (name == "href" || name == "xlink:href") return takeReference(element, value);
    return takeValue(name, value);
  }

  Result<void> takeReference(const std::string& element, const std::string& value) {
    if (element == "image" && isPixelData(value)) {
      if (m_keepsText) add("xlink:href", value);
    } else if (element != "image" && value.starts_with('#') && isIdentifier(value.substr(1))) {
      add("xlink:href", "#" + m_prefix + value.substr(1));
    } else {
      return refusal("refers to something outside of it");
    }
    return {};
  }

  /// A paint may be a gradient of the drawing's own; nothing else may be an address.
  Result<void> takeValue(const std::string& name, const std::string& value) {
    if (name == "font-family" && m_namespaces.empty()) return takeFont(value);
    const std::string lower = withoutSpaces(value);
    constexpr std::string_view kOwn = "url(#";
    if (lower.find("url(") == std::string::npos && lower.find("script:") == std::string::npos) {
      add(name, value);
      return {};
    }
    const bool isOwn = value.starts_with(kOwn) && value.ends_with(')') &&
                       isIdentifier(std::string_view(value).substr(kOwn.size(), value.size() - kOwn.size() - 1));
    if (!isOwn) return refusal("refers to something outside of it");
    add(name, std::string(kOwn) + m_prefix + value.substr(kOwn.size()));
    return {};
  }

  /// The font of one desktop may be unknown on another one, which would take a serif instead.
  Result<void> takeFont(const std::string& value) {
    const std::string lower = withoutSpaces(value);
    if (lower.find("url(") != std::string::npos) return refusal("refers to something outside of it");
    add("font-family", value + (lower.find("mono") != std::string::npos ? ", monospace" : ", system-ui, sans-serif"));
    return {};
  }

  void add(std::string_view name, std::string_view value) {
    m_drawing += fmt::format(" {}=\"{}\"", name, escapedMarkup(value));
  }

  std::string_view m_namespaces;
  std::string m_prefix;
  bool m_keepsText;
  std::string m_drawing;
  std::vector<std::string> m_open;
};

}  // namespace

Result<std::string> checkedDrawing(std::string_view svg) {
  if (svg.size() > kLargestDrawing) return refusal("is too large");
  return DrawingCheck(kNamespaces, {}).check(svg);
}

Result<std::string> drawingWithoutText(std::string_view svg) {
  if (svg.size() > kLargestDrawing) return refusal("is too large");
  return DrawingCheck(kNamespaces, {}, false).check(svg);
}

Result<std::string> inlineDrawing(std::string_view svg, std::string_view idPrefix) {
  if (svg.size() > kLargestDrawing) return refusal("is too large");
  return DrawingCheck({}, idPrefix).check(svg);
}

}  // namespace heapscape::engine

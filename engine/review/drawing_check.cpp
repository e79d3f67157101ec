// SPDX-License-Identifier: MIT
#include "review/drawing_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/ascii.h"
#include "review/board.h"
#include "review/html_page.h"

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
  if (point < 0x80) {
    byte(point);
    return;
  }
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

namespace {

constexpr std::size_t kDeepestDrawing = 256;
constexpr std::string_view kNamespaces =
    " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

// Elements of QSvgGenerator's and our own drawings. `style` is not among the attributes: its language can fetch.
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

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace heapscape::engine {

inline constexpr std::size_t kLargestDrawing = 8u << 20;  // bytes of one SVG

/// An SVG rewritten from what it draws: elements and attributes on a list, text escaped anew. What only draws stays as
/// it is; attributes that are not on the list are dropped, and so are comments and instructions. Fails with Damaged for
/// what no drawing needs: scripts, handlers, styles, foreign elements, anything from elsewhere, document types, text
/// that is no SVG or is too large.
Result<std::string> checkedDrawing(std::string_view svg);

/// The same without any text: where some stood stands kContentsLeftOut, and pixels, which may show some, are left out.
Result<std::string> drawingWithoutText(std::string_view svg);

/// The same as a part of an HTML page: without namespaces, and with `idPrefix` before each id and each reference to
/// one, so that several drawings can stand in one page.
Result<std::string> inlineDrawing(std::string_view svg, std::string_view idPrefix);

}  // namespace heapscape::engine

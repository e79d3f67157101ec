// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::engine {

// What every page has in it: engine/review/page.css and page.js.
extern const char* const kPageStyle;
extern const char* const kPageScript;
extern const char* const kPageScriptSha256;  // in hexadecimal digits

}  // namespace heapscape::engine

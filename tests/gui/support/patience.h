// SPDX-License-Identifier: MIT
#pragma once

#include <QTest>

namespace heapscape::gui::test {

/// How long a test waits for what has to come: sanitizers and busy machines are slow. Milliseconds.
inline constexpr int kPatienceMs = 40'000;

}  // namespace heapscape::gui::test

// QtTest's own give up after five seconds.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, heapscape::gui::test::kPatienceMs)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, heapscape::gui::test::kPatienceMs)

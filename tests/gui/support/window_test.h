// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QTest>
#include <functional>
#include <memory>

namespace heapscape::gui::test {

/// Classes of tests share a program, and each runs in a process of its own: `PROGRAM tst_figures [OPTION OF QTTEST…]`.
/// Without a name all run, one after the other.
struct WindowTest {
  /// The file that the class is in is its name.
  WindowTest(const char* file, std::function<std::unique_ptr<QObject>()> make);
};

}  // namespace heapscape::gui::test

/// Behind a class of QtTest, in place of QTEST_MAIN.
#define HEAPSCAPE_WINDOW_TEST(Class) \
  static const heapscape::gui::test::WindowTest registered##Class(__FILE__, [] { return std::make_unique<Class>(); });

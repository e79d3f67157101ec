// SPDX-License-Identifier: MIT
#include "support/window_test.h"

#include <QApplication>
#include <QFileInfo>
#include <map>
#include <utility>

#include "support/settings_folder.h"

namespace heapscape::gui::test {
namespace {

using Makers = std::map<QString, std::function<std::unique_ptr<QObject>()>>;

Makers& makers() {
  static Makers all;
  return all;
}

int run(const Makers::value_type& test, const QStringList& arguments) {
  return QTest::qExec(test.second().get(), arguments);
}

}  // namespace

WindowTest::WindowTest(const char* file, std::function<std::unique_ptr<QObject>()> make) {
  makers().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName(), std::move(make));
}

}  // namespace heapscape::gui::test

int main(int argc, char** argv) {
  using namespace heapscape::gui::test;
  QApplication::setAttribute(Qt::AA_Use96Dpi);
  QApplication application(argc, argv);
  const SettingsFolder settings;  // other tests run at the same time, and the person has some
  QStringList arguments = QApplication::arguments();
  const auto named = arguments.size() > 1 ? makers().find(arguments[1]) : makers().end();
  if (named != makers().end()) {
    arguments.removeAt(1);
    return run(*named, arguments);
  }
  int failures = 0;
  for (const auto& test : makers()) failures += run(test, arguments);
  return failures;
}

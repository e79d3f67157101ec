// SPDX-License-Identifier: MIT
#include "support/window_driver.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>

#include "app/theme.h"
#include "session/objects/object_query.h"
#include "support/machine.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui::test {

void dressApplication() {
  // Once: a test may have named a folder meanwhile.
  [[maybe_unused]] static const bool isHidden = (heapscape::test::hideWhatIsInstalled(), true);
  QStandardPaths::setTestModeEnabled(true);
  applyTheme(Theme::Light);
}

WindowDriver::WindowDriver(const Settings& settings) : m_settings(settings) {
  dressApplication();
  m_window = std::make_unique<MainWindow>(m_settings, m_scheme);
  m_window->resize(1440, 900);
  m_window->show();
  m_window->activateWindow();
  if (!QTest::qWaitForWindowActive(m_window.get())) qWarning("the window is not active");
}

bool WindowDriver::openAndWait(const QString& path) {
  QSignalSpy settled(m_window.get(), &MainWindow::settled);
  m_window->open(path);
  return settled.wait(kPatienceMs);
}

bool WindowDriver::show(PlaceId place) {
  m_window->navigator().goTo(place);
  const bool arrived = QTest::qWaitFor([this, place] { return !isLoading(*m_window->place(place)); }, kPatienceMs);
  QTest::qWait(50);
  return arrived;
}

Selection WindowDriver::someObject() const {
  const auto object = engine::listObjects(*m_window->bridge().snapshot(), {}, 2000, 1).at(0);
  return {.object = object.address, .methodTable = {}, .segment = object.segment};
}

bool isLoading(const QWidget& part) {
  const QList<StatePanel*> panels = part.findChildren<StatePanel*>();
  return std::any_of(panels.begin(), panels.end(), [](const StatePanel* panel) {
    return panel->isVisible() && panel->state() == StatePanel::State::Loading;
  });
}

QStringList visibleTexts(const QWidget& part) {
  QStringList texts;
  for (const QLabel* label : part.findChildren<QLabel*>()) {
    if (label->isVisible()) texts << label->text().remove(QChar(0x200B));  // where a line may break
  }
  for (const ElidedText* label : part.findChildren<ElidedText*>()) {
    if (label->isVisible()) texts << label->text();
  }
  return texts;
}

bool shows(const QWidget& part, const QString& text) {
  const QStringList texts = visibleTexts(part);
  return std::any_of(texts.begin(), texts.end(),
                     [&text](const QString& shown) { return QString(shown).remove(QChar(0x200B)).contains(text); });
}

}  // namespace heapscape::gui::test

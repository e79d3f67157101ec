// SPDX-License-Identifier: MIT
// The window with letters of half again their size, and on a screen of 1920 × 1080 at 200%.
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScopedPointer>
#include <QTest>
#include <memory>

#include "app/inspector/inspector_drawer.h"
#include "app/place_info.h"
#include "session/objects/object_query.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

constexpr int kLargePoints = 14;
constexpr QSize kSmallScreen(960, 540);  // 1920 × 1080 at 200%

QString nameOf(const QWidget& part, const QString& text) {
  QString way;
  for (const QWidget* around = &part; around && !around->isWindow(); around = around->parentWidget())
    if (!around->objectName().isEmpty()) way.prepend(around->objectName() + QLatin1Char('/'));
  return QStringLiteral("%1 %2 \"%3\", %4 x %5")
      .arg(QLatin1String(part.metaObject()->className()), way, text.left(60))
      .arg(part.width())
      .arg(part.height());
}

/// Labels and buttons that are smaller than their text, or stick out of what they are in.
QStringList cutTexts(const QWidget& window) {
  QStringList cut;
  for (const QLabel* label : window.findChildren<QLabel*>()) {
    if (!label->isVisible() || label->text().isEmpty() || label->visibleRegion().isEmpty()) continue;
    const bool fits = label->wordWrap() ? label->heightForWidth(label->width()) <= label->height()
                                        : label->minimumSizeHint().width() <= label->width() &&
                                              label->minimumSizeHint().height() <= label->height();
    if (!fits) cut << nameOf(*label, label->text());
  }
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->text().isEmpty() || button->visibleRegion().isEmpty()) continue;
    const QSize least = button->minimumSizeHint().isValid() ? button->minimumSizeHint() : button->sizeHint();
    if (least.width() > button->width() || least.height() > button->height()) cut << nameOf(*button, button->text());
  }
  return cut;
}

}  // namespace

class LargeTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void noTextIsCut_data() { places(); }
  void noTextIsCut();
  void placesFitASmallScreenAtTwiceTheScale_data() { places(); }
  void placesFitASmallScreenAtTwiceTheScale();
  void cleanupTestCase();

 private:
  static void places();
  MainWindow& opened();

  QFont m_font;
  std::unique_ptr<test::WindowDriver> m_driver;
};

void LargeTextTest::initTestCase() {
  m_font = QApplication::font();
}

void LargeTextTest::cleanupTestCase() {
  m_driver.reset();
  QApplication::setFont(m_font);
}

void LargeTextTest::places() {
  QTest::addColumn<PlaceId>("place");
  for (const QString& name : placeNames()) QTest::addRow("%s", qPrintable(name)) << *placeByName(name);
}

MainWindow& LargeTextTest::opened() {
  if (!m_driver) {
    m_driver = std::make_unique<test::WindowDriver>();
    m_driver->openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst")));
    const auto object = engine::listObjects(*m_driver->window().bridge().snapshot(), {}, 1000, 1).at(0);
    m_driver->window().navigator().select({.object = object.address, .methodTable = {}, .segment = object.segment});
  }
  return m_driver->window();
}

void LargeTextTest::noTextIsCut() {
  QFETCH(PlaceId, place);
  QFont large = m_font;
  large.setPointSize(kLargePoints);
  QApplication::setFont(large);
  MainWindow& window = opened();
  window.resize(1600, 1000);
  QVERIFY(m_driver->show(place));
  QTest::qWait(100);
  QStringList cut;
  const bool isWhole = QTest::qWaitFor([&] { return (cut = cutTexts(window)).isEmpty(); });
  QVERIFY2(isWhole, qPrintable(cut.join(QLatin1Char('\n'))));
}

void LargeTextTest::placesFitASmallScreenAtTwiceTheScale() {
  QFETCH(PlaceId, place);
  QApplication::setFont(m_font);
  MainWindow& window = opened();
  QVERIFY(m_driver->show(place));
  window.resize(kSmallScreen);
  QTest::qWait(50);
  window.resize(kSmallScreen);  // once its layout knows the letters
  QVERIFY2(window.size() == kSmallScreen,
           qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
  const QStringList cut = cutTexts(window);
  QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
}

HEAPSCAPE_WINDOW_TEST(LargeTextTest)

}  // namespace heapscape::gui

#include "tst_large_text.moc"

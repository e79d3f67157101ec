// SPDX-License-Identifier: MIT
// Whether what is written and drawn can be read in every theme.
#include <QApplication>
#include <QDBusVariant>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <vector>

#include "access/colour_science.h"
#include "app/command_line.h"
#include "app/desktop/desktop_settings.h"
#include "app/theme.h"
#include "models/names/type_name.h"
#include "session/process/process_memory.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/memory/memory_parts.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

using test::contrast;

class ThemeContrastTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }
  void contrastIsWhatItIsDefinedToBe();
  void textIsReadable_data() { themes(); }
  void textIsReadable();
  void whatIsWrittenOnDataIsReadable_data() { themes(); }
  void whatIsWrittenOnDataIsReadable();
  void linesAndShapesOfHighContrastAreSeen();
  void aThickerLineMarksTheFocusInHighContrast();
  void theThemeIsNamedAndChosen();
  void theDesktopAsksForIt();
  void cleanupTestCase() { applyTheme(Theme::Light); }

 private:
  static void themes();
};

namespace {

const Tones& tonesOf(Theme theme) {
  return theme == Theme::Contrast ? kContrastTones : theme == Theme::Dark ? kDarkTones : kLightTones;
}

std::vector<QColor> dataColours(const Colours& colours) {
  std::vector<QColor> all{colours.header(), colours.methodTable()};
  for (const engine::Generation generation : engine::kGenerations) all.push_back(colours.of(generation));
  for (const DominatorFamily family : kDominatorFamilies) all.push_back(dominatorColour(family, colours));
  for (const auto owner :
       {engine::MemoryOwner::GcBookkeeping, engine::MemoryOwner::LoaderHeap, engine::MemoryOwner::JitCode,
        engine::MemoryOwner::ThreadStack, engine::MemoryOwner::MappedFile, engine::MemoryOwner::NativeHeap})
    all.push_back(memorySample(owner, std::nullopt, colours).fill.color());
  return all;
}

}  // namespace

void ThemeContrastTest::themes() {
  QTest::addColumn<Theme>("theme");
  QTest::addColumn<double>("least");
  QTest::newRow("light") << Theme::Light << 4.5;
  QTest::newRow("dark") << Theme::Dark << 4.5;
  QTest::newRow("contrast") << Theme::Contrast << 7.0;
}

void ThemeContrastTest::contrastIsWhatItIsDefinedToBe() {
  QCOMPARE(qRound(contrast(Qt::black, Qt::white) * 100), 2100);
  QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
  QCOMPARE(qRound(contrast(QColor(0x76, 0x76, 0x76), Qt::white) * 100), 454);
}

void ThemeContrastTest::textIsReadable() {
  QFETCH(Theme, theme);
  QFETCH(double, least);
  const Tones& tones = tonesOf(theme);
  const Colours colours(paletteOf(tones));
  QCOMPARE(colours.isContrast, theme == Theme::Contrast);
  QCOMPARE(colours.isDark, theme != Theme::Light);
  const auto verify = [least](const char* what, QRgb text, QRgb ground) {
    const double found = contrast(QColor::fromRgb(text), QColor::fromRgb(ground));
    if (found < least) qWarning("%s: %.2f", what, found);
    return found >= least;
  };
  bool isReadable = true;
  for (const auto& [name, ground] : std::vector<std::pair<const char*, QRgb>>{{"window", tones.window},
                                                                              {"base", tones.base},
                                                                              {"alternate", tones.alternate},
                                                                              {"button", tones.button},
                                                                              {"hover", tones.hover},
                                                                              {"selected", tones.selected},
                                                                              {"tip", tones.tip}}) {
    isReadable &= verify(qPrintable(QStringLiteral("text on %1").arg(QLatin1String(name))), tones.text, ground);
    isReadable &= verify(qPrintable(QStringLiteral("dimmed on %1").arg(QLatin1String(name))), tones.dimmed, ground);
    isReadable &= verify(qPrintable(QStringLiteral("accent on %1").arg(QLatin1String(name))), tones.accent, ground);
  }
  isReadable &= verify("on accent", tones.onAccent, tones.accent);
  isReadable &= verify("on accent, pointed at", tones.onAccent, tones.accentHover);
  isReadable &= verify("pressed", tones.text, tones.pressed);
  // What pictures write.
  const QRgb surface = colours.surface().rgb();
  QCOMPARE(surface, tones.base);
  isReadable &= verify("dimmed on a picture", colours.dimmedText().rgb(), surface);
  isReadable &= verify("warning on a picture", colours.warning().rgb(), surface);
  isReadable &= verify("warning on the window", colours.warning().rgb(), tones.window);
  QVERIFY(isReadable);
}

void ThemeContrastTest::whatIsWrittenOnDataIsReadable() {
  QFETCH(Theme, theme);
  QFETCH(double, least);
  const Colours colours(paletteOf(tonesOf(theme)));
  for (const QColor& colour : dataColours(colours)) {
    const double found = contrast(Colours::textOn(colour), colour);
    QVERIFY2(found >= least, qPrintable(QStringLiteral("%1: %2").arg(colour.name()).arg(found)));
  }
  const QColor text = QColor::fromRgb(tonesOf(theme).text);
  for (const QColor& ground :
       {fieldGround(engine::FieldKind::Reference, colours), fieldGround(engine::FieldKind::Primitive, colours),
        fieldGround(engine::FieldKind::ValueType, colours), headerGround(colours), methodTableGround(colours)})
    QVERIFY2(contrast(text, ground) >= least,
             qPrintable(QStringLiteral("%1: %2").arg(ground.name()).arg(contrast(text, ground))));
  QVERIFY(contrast(colours.dimmedText(), colours.freeSpace()) >= 4.5);
}

// 3 is what WCAG asks for of shapes and of the edges of controls.
void ThemeContrastTest::linesAndShapesOfHighContrastAreSeen() {
  const Tones& tones = kContrastTones;
  const Colours colours(paletteOf(tones));
  for (const QRgb line : {tones.edge, tones.line, tones.handleHover, tones.accent, tones.disabled})
    QVERIFY(contrast(QColor::fromRgb(line), QColor::fromRgb(tones.base)) >= 3);
  QVERIFY(contrast(colours.outline(), colours.surface()) >= 7);
  QVERIFY(contrast(colours.gridLine(), colours.surface()) >= 3);
  std::vector<QColor> shapes = dataColours(colours);
  shapes.push_back(colours.padding());
  for (int step = 0; step < 5; ++step) shapes.push_back(colours.heatStep(step));
  for (const QColor& colour : shapes) {
    const double found = contrast(colour, colours.surface());
    QVERIFY2(found >= 3, qPrintable(QStringLiteral("%1: %2").arg(colour.name()).arg(found)));
  }
}

void ThemeContrastTest::aThickerLineMarksTheFocusInHighContrast() {
  const auto ringPixels = [](Theme theme) {
    applyTheme(theme);
    QPushButton button(QStringLiteral("A button"));
    button.setAutoDefault(false);
    button.resize(140, 40);
    button.show();
    button.activateWindow();
    button.setFocus();
    if (!QTest::qWaitForWindowActive(&button)) return 0;
    const QImage image = button.grab().toImage();
    const QRgb accent = tonesOf(theme).accent;
    int pixels = 0;
    for (int y = 0; y < image.height() / 2; ++y) pixels += image.pixel(image.width() / 2, y) == accent;
    return pixels;
  };
  QCOMPARE(ringPixels(Theme::Light), 1);
  QVERIFY(ringPixels(Theme::Contrast) >= 3);
  QVERIFY(focusRing(paletteOf(kContrastTones)).widthF() > focusRing(paletteOf(kLightTones)).widthF());
}

void ThemeContrastTest::theThemeIsNamedAndChosen() {
  Theme theme{};
  QVERIFY(tryParseTheme(QStringLiteral("contrast"), theme));
  QVERIFY(theme == Theme::Contrast);
  const auto line =
      parseCommandLine({QStringLiteral("heapscape"), QStringLiteral("--theme"), QStringLiteral("contrast")});
  QVERIFY(line.value && line.value->theme == Theme::Contrast);
  applyTheme(Theme::System, Theme::Contrast);
  QCOMPARE(QApplication::palette().color(QPalette::Window), QColor(Qt::black));
  QVERIFY(Colours(QApplication::palette()).isContrast);
  applyTheme(Theme::System, Theme::Dark);
  QVERIFY(!Colours(QApplication::palette()).isContrast);
}

void ThemeContrastTest::theDesktopAsksForIt() {
  DesktopScheme scheme;
  const Theme before = scheme.theme();
  QVERIFY(before != Theme::Contrast);
  QSignalSpy changed(&scheme, &DesktopScheme::changed);
  const auto tell = [&scheme](const char* group, const char* key, const QVariant& value) {
    for (PortalSetting* setting : scheme.findChildren<PortalSetting*>())
      QVERIFY(QMetaObject::invokeMethod(setting, "portalSettingChanged", Q_ARG(QString, QString::fromLatin1(group)),
                                        Q_ARG(QString, QString::fromLatin1(key)),
                                        Q_ARG(QDBusVariant, QDBusVariant(value))));
  };
  tell("org.freedesktop.appearance", "contrast", 1u);
  QCOMPARE(changed.size(), 1);
  QVERIFY(scheme.theme() == Theme::Contrast);
  tell("org.freedesktop.appearance", "contrast", 0u);
  QVERIFY(scheme.theme() == before);
  tell("org.gnome.desktop.a11y.interface", "high-contrast", true);
  QVERIFY(scheme.theme() == Theme::Contrast);
  tell("org.freedesktop.appearance", "color-scheme", 1u);
  QVERIFY(scheme.theme() == Theme::Contrast);
  tell("org.gnome.desktop.a11y.interface", "high-contrast", false);
  QVERIFY(scheme.theme() == Theme::Dark);
}

HEAPSCAPE_WINDOW_TEST(ThemeContrastTest)

}  // namespace heapscape::gui

#include "tst_theme_contrast.moc"

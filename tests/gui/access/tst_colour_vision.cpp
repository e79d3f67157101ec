// SPDX-License-Identifier: MIT
// Colours that stand for different things in one picture are told apart with every kind of colour blindness.
#include <QTest>
#include <cmath>
#include <utility>
#include <vector>

#include "access/colour_science.h"
#include "app/theme.h"
#include "models/names/type_name.h"
#include "review/svg_drawing.h"
#include "session/process/process_memory.h"
#include "support/window_test.h"
#include "views/memory/memory_parts.h"
#include "views/references/dominators/dominator_text.h"
#include "views/segments/map_shades.h"
#include "views/threads/stack_icicle.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using test::Vision;

namespace {

constexpr double kLeastDifference = 9.8;
constexpr double kLeastOfGrounds = 7.3;  // where lines and labels tell them apart as well

using Palette = std::vector<std::pair<QString, QColor>>;

Palette generations(const Colours& colours) {
  Palette palette;
  for (const engine::Generation generation : engine::kGenerations)
    palette.emplace_back(QLatin1String(engine::toString(generation)), colours.of(generation));
  return palette;
}

Palette typeFamilies(const Colours& colours) {
  Palette palette;
  for (const DominatorFamily family : kDominatorFamilies)
    palette.emplace_back(dominatorFamilyText(family), dominatorColour(family, colours));
  return palette;
}

Palette frames(const Colours& colours) {
  Palette palette;
  // What is folded is dotted.
  for (const FrameFamily family :
       {FrameFamily::Program, FrameFamily::Package, FrameFamily::Framework, FrameFamily::Aside})
    palette.emplace_back(frameFamilyText(family), frameFamilyBrush(family, colours).color());
  return palette;
}

Palette owners(const Colours& colours) {
  Palette palette = generations(colours);
  for (const auto owner :
       {engine::MemoryOwner::GcBookkeeping, engine::MemoryOwner::LoaderHeap, engine::MemoryOwner::JitCode,
        engine::MemoryOwner::ThreadStack, engine::MemoryOwner::MappedFile, engine::MemoryOwner::NativeHeap})
    palette.emplace_back(QLatin1String(engine::toString(owner)),
                         memorySample(owner, std::nullopt, colours).fill.color());
  return palette;
}

// Padding is hatched as well, always.
Palette fields(const Colours& colours) {
  QColor valueType = colours.of(engine::FieldKind::ValueType);
  valueType.setAlpha(255);
  return {{QStringLiteral("reference"), colours.of(engine::FieldKind::Reference)},
          {QStringLiteral("primitive"), colours.of(engine::FieldKind::Primitive)},
          {QStringLiteral("value type"), valueType},
          {QStringLiteral("header"), colours.header()},
          {QStringLiteral("method table"), colours.methodTable()}};
}

// As they are painted behind what is written on them.
Palette fieldGrounds(const Colours& colours) {
  return {{QStringLiteral("reference"), fieldGround(engine::FieldKind::Reference, colours)},
          {QStringLiteral("primitive"), fieldGround(engine::FieldKind::Primitive, colours)},
          {QStringLiteral("value type"), fieldGround(engine::FieldKind::ValueType, colours)},
          {QStringLiteral("header"), headerGround(colours)},
          {QStringLiteral("method table"), methodTableGround(colours)}};
}

/// Every other shape of a meaning is painted in another shade of its colour.
Palette withEveryOther(const Palette& palette, const Colours& colours) {
  Palette painted = palette;
  for (const auto& [meaning, colour] : palette) painted.emplace_back(meaning, everyOther(colour, colours));
  return painted;
}

Palette largestTypes(const Colours& colours) {
  Palette palette;
  for (const QColor& colour : typeShadeColours(colours))
    palette.emplace_back(QStringLiteral("type %1").arg(palette.size()), colour);
  return palette;
}

Palette heatSteps(const Colours& colours) {
  Palette palette;
  for (int step = 0; step < 5; ++step)
    palette.emplace_back(QStringLiteral("step %1").arg(step), colours.heatStep(step));
  return palette;
}

/// Pairs of different meanings that look too much alike.
QStringList alikeIn(const QString& picture, const Palette& palette, Vision vision, double least) {
  QStringList alike;
  for (std::size_t one = 0; one < palette.size(); ++one) {
    for (std::size_t other = one + 1; other < palette.size(); ++other) {
      const double found = test::difference(palette[one].second, palette[other].second, vision);
      if (palette[one].first != palette[other].first && found < least)
        alike << QStringLiteral("%1: %2 and %3 differ by %4")
                     .arg(picture, palette[one].first, palette[other].first)
                     .arg(found, 0, 'f', 1);
    }
  }
  return alike;
}

Palette growth(const Colours& colours) {
  return {{QStringLiteral("more"), colours.warning()}, {QStringLiteral("less"), colours.of(engine::Generation::Gen0)}};
}

/// What stands in pictures of reports: with the light look, or with the dark one.
struct ReportPicture {
  const char* name;
  std::vector<engine::SvgColour> colours;
};

const std::vector<ReportPicture>& reportPictures() {
  using enum engine::SvgColour;
  static const std::vector<ReportPicture> kPictures{{"generations", {Gen0, Gen1, Gen2, Large, Pinned, Frozen}},
                                                    {"memory",
                                                     {Gen0, Gen1, Gen2, Large, Pinned, Frozen, GcBookkeeping,
                                                      LoaderHeap, JitCode, ThreadStack, MappedFile, NativeMemory}},
                                                    {"fields", {Reference, Primitive, ValueType, Header, MethodTable}}};
  return kPictures;
}

}  // namespace

class ColourVisionTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void differencesAreThoseOfTheStandard();
  void meaningsOfAPictureAreToldApart_data();
  void meaningsOfAPictureAreToldApart();
  void meaningsOfAReportsPictureAreToldApart();
  void aReportHasTheColoursOfTheWindow();
  void whatIsGreyIsToldFromWhatIsNotInHighContrast();
};

// Computed by a second implementation.
void ColourVisionTest::differencesAreThoseOfTheStandard() {
  QCOMPARE(test::difference(Qt::red, Qt::red, Vision::Normal), 0.0);
  QVERIFY(std::abs(test::difference(Qt::black, Qt::white, Vision::Normal) - 100) < 0.01);
  QVERIFY(std::abs(test::difference(QColor(0x56, 0xB4, 0xE9), QColor(0x00, 0x9E, 0x73), Vision::Normal) - 34.69) < 0.1);
  QVERIFY(std::abs(test::difference(QColor(0xCC, 0x79, 0xA7), QColor(0x8A, 0x94, 0xA6), Vision::Deuteranopia) - 3.5) <
          0.1);
  const QColor red(0xC0, 0x50, 0x50), green(0x70, 0x78, 0x40);
  QVERIFY(test::difference(red, green, Vision::Normal) > 3 * test::difference(red, green, Vision::Deuteranopia));
}

void ColourVisionTest::meaningsOfAPictureAreToldApart_data() {
  QTest::addColumn<int>("theme");
  QTest::addColumn<Vision>("vision");
  for (int theme = 0; theme < 3; ++theme) {
    for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia})
      QTest::addRow("%s, %s",
                    theme == 0   ? "light"
                    : theme == 1 ? "dark"
                                 : "contrast",
                    test::nameOf(vision))
          << theme << vision;
  }
}

void ColourVisionTest::meaningsOfAPictureAreToldApart() {
  QFETCH(int, theme);
  QFETCH(Vision, vision);
  const Colours colours(paletteOf(theme == 0 ? kLightTones : theme == 1 ? kDarkTones : kContrastTones));
  QStringList alike;
  for (const auto& [picture, palette] :
       std::vector<std::pair<const char*, Palette>>{{"generations", generations(colours)},
                                                    {"types", typeFamilies(colours)},
                                                    {"frames", frames(colours)},
                                                    {"memory", owners(colours)},
                                                    {"fields", fields(colours)},
                                                    {"largest types", largestTypes(colours)},
                                                    {"growth", growth(colours)}}) {
    alike << alikeIn(QLatin1String(picture), palette, vision, kLeastDifference);
  }
  for (const auto& [picture, palette] :
       std::vector<std::pair<const char*, Palette>>{{"painted types", withEveryOther(typeFamilies(colours), colours)},
                                                    {"painted frames", withEveryOther(frames(colours), colours)},
                                                    {"painted fields", fieldGrounds(colours)},
                                                    {"heat", heatSteps(colours)}})
    alike << alikeIn(QLatin1String(picture), palette, vision, kLeastOfGrounds);
  QVERIFY2(alike.isEmpty(), qPrintable(alike.join(QLatin1Char('\n'))));
}

void ColourVisionTest::meaningsOfAReportsPictureAreToldApart() {
  QStringList alike;
  for (const auto& [name, meanings] : reportPictures()) {
    for (const bool isDark : {false, true}) {
      Palette palette;
      for (const engine::SvgColour meaning : meanings) {
        const engine::Shades shades = engine::shadesOf(meaning);
        palette.emplace_back(fromEngine(engine::classOf({meaning})),
                             QColor::fromRgb(isDark ? shades.dark : shades.light));
      }
      for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia})
        alike << alikeIn(QLatin1String(name), palette, vision, kLeastDifference);
    }
  }
  QVERIFY2(alike.isEmpty(), qPrintable(alike.join(QLatin1Char('\n'))));
}

void ColourVisionTest::aReportHasTheColoursOfTheWindow() {
  using engine::SvgColour;
  for (const bool isDark : {false, true}) {
    const Colours colours(paletteOf(isDark ? kDarkTones : kLightTones));
    const auto inReport = [isDark](SvgColour meaning) {
      const engine::Shades shades = engine::shadesOf(meaning);
      return QColor::fromRgb(isDark ? shades.dark : shades.light);
    };
    QCOMPARE(inReport(SvgColour::Large), colours.of(engine::Generation::Large));
    QCOMPARE(inReport(SvgColour::Frozen), colours.of(engine::Generation::Frozen));
    QCOMPARE(inReport(SvgColour::Reference), colours.of(engine::FieldKind::Reference));
    QCOMPARE(inReport(SvgColour::Padding), colours.padding());
    QCOMPARE(inReport(SvgColour::Header), colours.header());
    QCOMPARE(inReport(SvgColour::MethodTable), colours.methodTable());
    QCOMPARE(inReport(SvgColour::JitCode),
             memorySample(engine::MemoryOwner::JitCode, std::nullopt, colours).fill.color());
    QCOMPARE(inReport(SvgColour::DimmedText), colours.dimmedText());
  }
}

// Two greys that differ just enough side by side are taken for each other across a picture.
void ColourVisionTest::whatIsGreyIsToldFromWhatIsNotInHighContrast() {
  constexpr double kLeastApart = 20;
  const Colours colours(paletteOf(kContrastTones));
  for (const Palette& palette : {typeFamilies(colours), frames(colours)}) {
    const QStringList alike = alikeIn(QStringLiteral("contrast"), palette, Vision::Normal, kLeastApart);
    QVERIFY2(alike.isEmpty(), qPrintable(alike.join(QLatin1Char('\n'))));
  }
}

HEAPSCAPE_WINDOW_TEST(ColourVisionTest)

}  // namespace heapscape::gui

#include "tst_colour_vision.moc"

// SPDX-License-Identifier: MIT
// What a row of the table draws and says, without a dump.
#include <QImage>
#include <QPainter>
#include <QTest>

#include "models/cells/generation_cells.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/rows/type_figures.h"
#include "support/window_test.h"
#include "views/types/scope_text.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/shaped_text.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

class RowPicturesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }

  void cellsStandSideBySideInOrder() {
    const auto cells = generationCells(QRectF(10, 5, 100, 16), {1, 1, 1, 1, 1, 1});
    for (std::size_t index = 1; index < cells.size(); ++index) {
      QVERIFY(cells[index].frame.left() > cells[index - 1].frame.right());
      QCOMPARE(cells[index].frame.width(), cells[0].frame.width());
    }
    QVERIFY(cells.back().frame.right() <= 110);
  }

  void cellFillsWithItsShare() {
    const auto cells = generationCells(QRectF(0, 0, 100, 16), {50, 0, 50, 0, 0, 0});
    QCOMPARE(cells[0].fill.height(), 8.0);
    QCOMPARE(cells[0].fill.bottom(), cells[0].frame.bottom());
    QVERIFY(cells[1].fill.isEmpty());
  }

  void leastShareStillShows() {
    const auto cells = generationCells(QRectF(0, 0, 100, 16), {1, 0, 1'000'000, 0, 0, 0});
    QVERIFY(cells[0].fill.height() >= 2);
  }

  void namespaceGivesWayFirst() {
    const QFont font = QGuiApplication::font();
    const QFontMetrics metrics(font);
    const QString name = QStringLiteral("System.Collections.Generic.Dictionary<System.String, Zoo.Order>");
    const int prefix = namespaceLength(name.toStdString());
    QCOMPARE(name.left(prefix), QStringLiteral("System.Collections.Generic."));
    const int whole = metrics.horizontalAdvance(name) + 4;
    QCOMPARE(elideName(name, prefix, whole, font).prefix, name.left(prefix));
    const ElidedName cut = elideName(name, prefix, whole - 60, font);
    QCOMPARE(cut.rest, name.mid(prefix));
    QVERIFY(cut.prefix.size() < prefix);
    QVERIFY2(cut.prefix.startsWith(QStringLiteral("Sys")) && cut.prefix.endsWith(QStringLiteral("c.")),
             "a namespace is cut in its middle");
    const QString shorter = shortTypeName(name.toStdString());
    const int words = metrics.horizontalAdvance(shorter);
    QCOMPARE(elideName(name, prefix, words + 2, font, shorter).rest, QStringLiteral("Dictionary<String, Order>"));
  }

  void textShapedOnceIsDrawnAsEver() {
    const QFont font = QGuiApplication::font();
    const QRect area(5, 3, 300, 27);
    const auto drawn = [&](const auto& draw) {
      QImage image(320, 40, QImage::Format_ARGB32_Premultiplied);
      image.fill(Qt::white);
      QPainter painter(&image);
      painter.setFont(font);
      draw(painter);
      return image;
    };
    const QStringList texts = {QStringLiteral("Dictionary<String, Order>"), QStringLiteral("1,234,567 B"),
                               QStringLiteral("two\nlines"), QStringLiteral("a\ttab"),
                               QStringLiteral("more than there is room for, and that is why it ends at the edge")};
    for (const Qt::Alignment side : {Qt::AlignLeft, Qt::AlignRight, Qt::AlignHCenter}) {
      for (const QString& text : texts) {
        const QImage expected = drawn([&](QPainter& painter) {
          painter.drawText(area, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine, text);
        });
        for (int time = 0; time < 2; ++time) {
          const QImage seen =
              drawn([&](QPainter& painter) { shapedText(font, text).draw(&painter, area, side | Qt::AlignVCenter); });
          QVERIFY2(seen == expected, qPrintable(text));
        }
        QCOMPARE(shapedText(font, text).width(), QFontMetrics(font).horizontalAdvance(text.simplified()));
      }
    }
  }

  void theOwnNameOfATypeGivesWayLast() {
    const QFont font = QGuiApplication::font();
    const QFontMetrics metrics(font);
    const QString name = QStringLiteral("System.Collections.Generic.Dictionary<System.String, Zoo.Order>+Entry[]");
    const QString shorter = shortTypeName(name.toStdString());
    const int prefix = namespaceLength(name.toStdString());
    const int least = metrics.horizontalAdvance(QStringLiteral("Dictionary<…>+Entry[]")) + 2;
    for (int width = least; width < metrics.horizontalAdvance(name); width += 7) {
      const ElidedName cut = elideName(name, prefix, width, font, shorter);
      QVERIFY2(cut.rest.startsWith(QStringLiteral("Dictionary<")) && cut.rest.endsWith(QStringLiteral(">+Entry[]")),
               qPrintable(cut.rest));
      QVERIFY(metrics.horizontalAdvance(cut.prefix + cut.rest) <= width + 1);
    }
    // The type around it gives way before it does, with or without arguments.
    for (const auto& [whole, own] :
         {std::pair(name, QStringLiteral("+Entry[]")),
          std::pair(QStringLiteral("System.Diagnostics.Tracing.EventSource+OverrideProvider"),
                    QStringLiteral("+OverrideProvider"))}) {
      const QString outer = shortTypeName(whole.toStdString());
      for (int letters = 2; letters < 7; ++letters) {
        const int width = metrics.horizontalAdvance(own) + letters * metrics.horizontalAdvance(QLatin1Char('m'));
        const QString cut = elideName(whole, namespaceLength(whole.toStdString()), width, font, outer).rest;
        QVERIFY2(cut.endsWith(own), qPrintable(cut));
        QVERIFY(metrics.horizontalAdvance(cut) <= width + 1);
      }
    }
    const QString generic = QStringLiteral("ImmutableDictionary<String, Order>");
    const ElidedName begin = elideName(generic, 0, metrics.horizontalAdvance(generic) / 3, font, generic);
    QVERIFY2(begin.rest.startsWith(QStringLiteral("Immut")) && begin.rest.count(QChar(0x2026)) == 1,
             qPrintable(begin.rest));
    // What compilers make up has brackets of its own.
    const QString made = QStringLiteral("Shop.Program+<Main>d__3");
    const QString all = shortTypeName(made.toStdString());
    const ElidedName whole = elideName(made, 5, metrics.horizontalAdvance(all) + 2, font, all);
    QCOMPARE(whole.rest, QStringLiteral("Program+<Main>d__3"));
    // Any other text is no type, whatever dots it has.
    const QString text = QStringLiteral("3.14 of 10.5 MB in /usr/share/dotnet.here");
    QVERIFY(elideName(text, 0, 120, font).rest.startsWith(QStringLiteral("3.14")));
  }

  void paddingIsUnknownBeforeItsStage() {
    TypeFigures figures;
    figures.paddingBytes = 0;
    figures.bytes = 100;
    QCOMPARE(figureData(figures, figures, false, PaddingColumn, Qt::DisplayRole).toString(), QStringLiteral("…"));
    QCOMPARE(figureData(figures, figures, true, PaddingColumn, Qt::DisplayRole).toString(), QStringLiteral("0 B"));
  }

  void barIsTheShareOfTheLargest() {
    TypeFigures figures;
    figures.bytes = 25;
    TypeFigures largest;
    largest.bytes = 100;
    QCOMPARE(figureData(figures, largest, true, BytesColumn, kShareRole).toDouble(), 0.25);
  }

  void exactFiguresAreCopied() {
    TypeFigures figures;
    figures.bytes = 1'500'000;
    QCOMPARE(figureData(figures, figures, true, BytesColumn, kPlainRole).toString(), QStringLiteral("1500000"));
  }

  void scopeIsSaidInWords() {
    HeapScope scope;
    QVERIFY(scopeText(scope).isEmpty());
    scope.generation = Generation::Gen1;
    scope.heap = 2;
    QCOMPARE(scopeText(scope), QStringLiteral("gen1 of heap 2"));
    scope.generation.reset();
    scope.minimumBytes = 24;
    scope.maximumBytes = 31;
    QCOMPARE(scopeText(scope), QStringLiteral("heap 2, objects of 24 to 31 bytes"));
  }
};

HEAPSCAPE_WINDOW_TEST(RowPicturesTest)
#include "tst_row_pictures.moc"

// SPDX-License-Identifier: MIT
#include "models/rows/type_figures.h"

#include <QStringList>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/retained_cell.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

std::uint64_t figureOf(const TypeFigures& figures, int column) {
  switch (column) {
    case ObjectsColumn:
      return figures.objects;
    case BytesColumn:
      return figures.bytes;
    case AverageColumn:
      return figures.averageBytes;
    case PaddingColumn:
      return figures.paddingBytes;
    case RetainedColumn:
      return figures.retainedBytes.value_or(0);
    case GarbageColumn:
      return figures.garbageBytes.value_or(0);
    default:
      return 0;
  }
}

QString generationsTip(const TypeFigures& figures) {
  QStringList lines;
  for (const engine::Generation generation : engine::kGenerations) {
    const std::uint64_t bytes = figures.generations[static_cast<std::size_t>(generation)];
    if (bytes == 0) continue;
    lines << u"%1: %2 (%3)"_s.arg(QString::fromLatin1(engine::toString(generation)), bytesText(bytes),
                                  percentText(bytes, figures.bytes));
  }
  return lines.join(QLatin1Char('\n'));
}

QString garbageTip(const TypeFigures& figures) {
  if (!figures.garbageBytes) return u"What is garbage is not known yet."_s;
  const QString share = percentText(*figures.garbageBytes, figures.bytes);
  const QString bytes = exactBytesText(*figures.garbageBytes);
  if (figures.garbageObjects == 0) return u"%1 are garbage, %2 of all bytes of this row"_s.arg(bytes, share);
  return u"%1 in %2 are garbage, %3 of all bytes of this row"_s.arg(
      bytes, countedText(figures.garbageObjects, u"object"_s), share);
}

QString figureTip(const TypeFigures& figures, bool hasPadding, int column) {
  switch (column) {
    case ObjectsColumn:
      return countedText(figures.objects, u"object"_s);
    case BytesColumn:
      return exactBytesText(figures.bytes);
    case AverageColumn:
      return u"%1 an object, on average"_s.arg(exactBytesText(figures.averageBytes));
    case RetainedColumn:
      if (!figures.retainedBytes) return u"Retained sizes are not known yet."_s;
      return u"%1 would be freed with all its objects"_s.arg(exactBytesText(*figures.retainedBytes));
    case GarbageColumn:
      return garbageTip(figures);
    case PaddingColumn:
      if (!hasPadding) return u"Not known: layouts are still being read, or the file does not tell them."_s;
      return u"%1 that no field uses: %2 of all bytes of this row"_s.arg(
          exactBytesText(figures.paddingBytes), percentText(figures.paddingBytes, figures.bytes));
    case GenerationsColumn:
      return generationsTip(figures);
    default:
      return {};
  }
}

QString plainGenerations(const TypeFigures& figures) {
  QStringList parts;
  for (const std::uint64_t bytes : figures.generations) parts << QString::number(bytes);
  return parts.join(QLatin1Char(' '));
}

QString figureText(std::uint64_t figure, int column) {
  return column == ObjectsColumn ? countText(figure) : bytesText(figure);
}

}  // namespace

void TypeFigures::raiseTo(const TypeFigures& other) {
  objects = std::max(objects, other.objects);
  bytes = std::max(bytes, other.bytes);
  paddingBytes = std::max(paddingBytes, other.paddingBytes);
  averageBytes = std::max(averageBytes, other.averageBytes);
  retainedBytes = std::max(retainedBytes, other.retainedBytes);
  garbageBytes = std::max(garbageBytes, other.garbageBytes);
}

TypeFigures figuresOf(const engine::ListedType& type) {
  return {.objects = type.count,
          .bytes = type.bytes,
          .paddingBytes = type.paddingBytes.value_or(0),
          .averageBytes = type.count == 0 ? 0 : type.bytes / type.count,
          .generations = type.generationBytes.value_or(GenerationBytes()),
          .retainedBytes = type.retainedBytes,
          .garbageBytes = type.garbageBytes,
          .garbageObjects = type.garbageCount.value_or(0)};
}

QString typeTableHeadingTip(int column, bool hasPadding) {
  switch (column) {
    case BytesColumn:
      return u"What the objects take up in the heap, rounded up to 8 bytes each"_s;
    case RetainedColumn:
      return u"What would be freed with all objects of the type, wherever they lie: the objects and all that only "
             "they hold. One that another one of the type holds is not counted twice."_s;
    case GarbageColumn:
      return u"What its objects here take up that no root leads to: unreachable, and not collected yet"_s;
    case AverageColumn:
      return u"Bytes divided by objects"_s;
    case PaddingColumn:
      return hasPadding ? u"Bytes in the objects that no field uses, own and nested"_s
                        : u"Known once the layouts are read; a .gcdump file does not tell them"_s;
    case GenerationsColumn:
      return u"Share of the bytes in generation 0, 1, 2, the large (L), pinned (P) and frozen (F) heap"_s;
    default:
      return {};
  }
}

QVariant figureData(const TypeFigures& figures, const TypeFigures& largest, bool hasPadding, int column, int role) {
  if (role == Qt::ToolTipRole) return figureTip(figures, hasPadding, column);
  if (role == kGenerationsRole && column == GenerationsColumn) return QVariant::fromValue(figures.generations);
  if (role == kPlainRole && column == GenerationsColumn) return plainGenerations(figures);
  if (role == Qt::AccessibleTextRole && column == GenerationsColumn) return generationsTip(figures);
  if (column < ObjectsColumn || column > PaddingColumn) return {};

  const bool isUnknown = (column == PaddingColumn && !hasPadding) ||
                         (column == RetainedColumn && !figures.retainedBytes) ||
                         (column == GarbageColumn && !figures.garbageBytes);
  const std::uint64_t figure = figureOf(figures, column);
  switch (role) {
    case Qt::DisplayRole:
      if (!isUnknown) return figureText(figure, column);
      return column == PaddingColumn ? u"…"_s : unknownText();
    case kPlainRole:
      return isUnknown ? QString() : QString::number(figure);
    case kShareRole: {
      const std::uint64_t whole = figureOf(largest, column);
      return isUnknown || whole == 0 ? 0.0 : static_cast<double>(figure) / static_cast<double>(whole);
    }
    default:
      return {};
  }
}

}  // namespace heapscape::gui

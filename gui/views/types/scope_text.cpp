// SPDX-License-Identifier: MIT
#include "views/types/scope_text.h"

#include <QObject>
#include <QStringList>

#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

QString placeText(const engine::HeapScope& scope) {
  const QString generation = scope.generation ? QString::fromLatin1(engine::toString(*scope.generation)) : QString();
  if (!scope.heap) return generation;
  const QString heap = QStringLiteral("heap %1").arg(*scope.heap);
  return generation.isEmpty() ? heap : QStringLiteral("%1 of %2").arg(generation, heap);
}

QString sizeText(const engine::HeapScope& scope) {
  const bool hasMinimum = scope.minimumBytes > 0;
  const bool hasMaximum = scope.maximumBytes != UINT64_MAX;
  if (!hasMinimum && !hasMaximum) return {};
  if (!hasMaximum) return QStringLiteral("objects of %1 and more").arg(exactBytesText(scope.minimumBytes));
  if (!hasMinimum) return QStringLiteral("objects of at most %1").arg(exactBytesText(scope.maximumBytes));
  return QStringLiteral("objects of %1 to %2").arg(countText(scope.minimumBytes), exactBytesText(scope.maximumBytes));
}

}  // namespace

QString scopeText(const engine::HeapScope& scope) {
  QStringList parts{placeText(scope), sizeText(scope)};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

}  // namespace heapscape::gui

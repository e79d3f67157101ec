// SPDX-License-Identifier: MIT
#include "views/types/scope_text.h"

#include <QStringList>

#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

QString placeText(const engine::HeapScope& scope) {
  const QString generation = scope.generation ? QString::fromLatin1(engine::toString(*scope.generation)) : QString();
  if (!scope.heap) return generation;
  const QString heap = u"heap %1"_s.arg(*scope.heap);
  return generation.isEmpty() ? heap : u"%1 of %2"_s.arg(generation, heap);
}

QString sizeText(const engine::HeapScope& scope) {
  const bool hasMinimum = scope.minimumBytes > 0;
  const bool hasMaximum = scope.maximumBytes != UINT64_MAX;
  if (!hasMinimum && !hasMaximum) return {};
  if (!hasMaximum) return u"objects of %1 and more"_s.arg(exactBytesText(scope.minimumBytes));
  if (!hasMinimum) return u"objects of at most %1"_s.arg(exactBytesText(scope.maximumBytes));
  return u"objects of %1 to %2"_s.arg(countText(scope.minimumBytes), exactBytesText(scope.maximumBytes));
}

}  // namespace

QString scopeText(const engine::HeapScope& scope) {
  QStringList parts{placeText(scope), sizeText(scope)};
  parts.removeAll(QString());
  return parts.join(u", "_s);
}

}  // namespace heapscape::gui

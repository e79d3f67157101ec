// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QString>

class QColor;
class QPainter;
class QRect;

namespace heapscape::gui {

/// A text whose first part may be cut: what is left of that, and the rest.
struct ElidedName {
  QString prefix;
  QString rest;
};

/// Cut to fit: the prefix gives way first, in its middle. Of a type's name, whose prefix is its namespace, `shorter` is
/// the name without any: then the namespaces of its arguments give way, then the arguments, its own name last. Any
/// other text is cut in its middle.
ElidedName elideName(const QString& name, int prefixLength, int width, const QFont& font, const QString& shorter = {});

/// Draws it from the left of an area on, each part in its colour. How much of the width it takes.
int drawName(QPainter& painter, const QRect& area, const QFont& font, const ElidedName& name, const QColor& prefix,
             const QColor& rest);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace heapscape::gui {

/// Asks where to write a file; empty if the user changed their mind. A name without an ending gets `ending`, before it
/// is asked whether a file of that name may be written over.
QString askFileToWrite(QWidget* parent, const QString& title, const QString& suggestedPath, const QString& ending,
                       const QString& filter);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QTableWidget>

namespace heapscape::gui {

/// A table for a handful of lines that are all known at once, without contents of the dump; looks as all tables do.
QTableWidget* makeSmallTable(const QString& name, const QString& spokenName, const QStringList& headings,
                             const std::vector<int>& widthsInLetters, QWidget* parent);

/// A cell's text, whole in its tooltip.
void setCell(QTableWidget* table, int row, int column, const QString& text, bool isFixed = false);

}  // namespace heapscape::gui

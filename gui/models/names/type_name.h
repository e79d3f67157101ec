// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QVariant>
#include <string>

namespace heapscape::gui {

/// Characters of the namespace with its dot at the start of a full type name.
int namespaceLength(const std::string& typeName);

/// Data of a column with a type's full name in any role.
QVariant typeNameData(const std::string& typeName, int role);
/// How a cell that holds such a name is cut, in the roles that ask for that; nothing in all others.
QVariant cutTypeName(const QString& typeName, int role);
/// Data of plain text that may be cut.
QVariant textData(const std::string& text, int role);

}  // namespace heapscape::gui

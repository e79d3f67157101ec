// SPDX-License-Identifier: MIT
#include "models/names/type_name.h"

#include <string_view>

#include "models/cells/roles.h"
#include "session/types/type_query.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

int namespaceLength(const std::string& typeName) {
  const std::string_view nameSpace = engine::namespaceOf(typeName);
  // In characters, not bytes: names may hold any letter.
  return nameSpace.empty() ? 0 : static_cast<int>(fromEngine(std::string(nameSpace)).size()) + 1;
}

QVariant typeNameData(const std::string& typeName, int role) {
  if (role == kDimmedPrefixRole) return namespaceLength(typeName);
  if (role == kShortNameRole) return shortTypeName(typeName);
  return textData(typeName, role);
}

QVariant cutTypeName(const QString& typeName, int role) {
  const bool isAsked = role == kDimmedPrefixRole || role == kShortNameRole;
  return isAsked ? typeNameData(typeName.toStdString(), role) : QVariant();
}

QVariant textData(const std::string& text, int role) {
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole) return fromEngine(text);
  return {};
}

}  // namespace heapscape::gui

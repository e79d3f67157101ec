// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>

namespace heapscape::gui {

/// What ValueDelegate asks a model for, beside what is in models/roles.h.
enum ValueRole : int {
  kValueSuffixRole = Qt::UserRole + 100,  // QString: drawn dimmed behind the text
  kIsWarningRole,                         // bool: drawn with the sign of warnings
  kIsDimmedRole,                          // bool: says that nothing is there
  kFieldKindRole,                         // int: engine::FieldKind, where the line is bytes of the object shown
  kIsNameRole,                            // bool: a name that may have a sample of its bytes' colour
};

}  // namespace heapscape::gui

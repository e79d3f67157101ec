// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>

namespace heapscape::gui {

/// Roles that delegates and the copying ask a model for, beside the text.
enum Role : int {
  kShareRole = Qt::UserRole + 1,  // double, 0 … 1: length of the bar behind a figure
  kIsNegativeRole,                // bool: a figure below zero, whose bar, if it has one, is an outline
  kGenerationsRole,               // GenerationBytes
  kDimmedPrefixRole,              // int: characters at the start of the text that are drawn dimmed
  kShortNameRole,                 // the same name without its namespaces, for where there is little room
  kPlainRole,                     // the exact value as text, for copying: "1500000", not "1.43 MB"
  kCellKindRole,                  // of a heading, int: the engine::ColumnKind of its column
  kHoldsContentsRole,             // of a heading, bool: strings or values of the dump that HiddenContents does not
                                  // hide; who says nothing may hold some
  kColumnNameRole,                // of a heading: what the settings call its column, whatever its title is
  kCutAtEndRole,                  // bool: a text that is read from its start, as what a string holds
  kIsExtraColumnRole,             // of a heading, bool: not shown until it is asked for
};

}  // namespace heapscape::gui

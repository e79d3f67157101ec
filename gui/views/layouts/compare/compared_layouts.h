// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "models/rows/row_list.h"
#include "session/layouts/layout_comparison.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

namespace heapscape::gui {

/// Partner that the open file's layouts are compared with: another file, or the rules of another runtime.
struct ComparisonPartner {
  QString path;
  std::uint32_t runtimeMajor = 0;

  QString name() const;
};

/// One side of a comparison: whose types, and laid out how.
struct ComparedSide {
  engine::DeclaredLayouts layouts;
  engine::LayoutQuestion question;
  QString name;
};

/// A comparison ready to be listed; made on the engine thread.
struct ComparedLayouts {
  ComparedSide here;
  ComparedSide there;
  std::size_t changed = 0, added = 0, removed = 0;
  std::uint64_t same = 0;
  std::vector<std::string> failures;
  std::shared_ptr<const RowList> rows;  // of ComparedLayout
};

/// `path` is the open file's. Opens the partner if it is a file, which may take long.
engine::Outcome<std::shared_ptr<const ComparedLayouts>> compareLayoutsWith(const engine::DeclaredLayouts& layouts,
                                                                           const QString& path,
                                                                           const ComparisonPartner& partner,
                                                                           engine::ProgressSink* progress,
                                                                           std::stop_token stop);

/// Both layouts of one type side by side, and its fields.
struct ComparedType {
  std::vector<DiagramColumn> columns;
  std::shared_ptr<const RowList> fields;  // of FieldDifference
};
engine::Result<ComparedType> readComparedType(const ComparedLayouts& compared, std::uint32_t row);

}  // namespace heapscape::gui

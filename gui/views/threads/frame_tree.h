// SPDX-License-Identifier: MIT
#pragma once

class QTreeView;

namespace heapscape::gui {

/// How trees of frames with their locals look and behave. The view must have its model. `nameColumn`: that of frames
/// and locals.
void setUpFrameTree(QTreeView* tree, int nameColumn);

}  // namespace heapscape::gui

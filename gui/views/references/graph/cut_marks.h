// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "session/references/what_if.h"
#include "views/references/graph/graph_picture.h"

namespace heapscape::gui {

/// How many neighbours on a side would be freed, by their type; types without any are not there.
using FreedSides = std::map<GraphSide, std::vector<engine::WhatIf::FreedNeighbours>>;

/// What cuts do to a picture.
struct CutMarks {
  std::vector<double> freed;  // by node: the share of it that would be freed, from 0 to 1
  std::vector<bool> isCut;    // by edge
};

/// `sides`: of the stacks in the picture; a stack of a side that is not among them is not marked.
CutMarks cutMarks(const GraphPicture& picture, const GraphState& state, const engine::WhatIf& whatIf,
                  const FreedSides& sides);

/// The sides that the picture has stacks of.
std::vector<GraphSide> stackedSides(const GraphPicture& picture);
/// On an engine thread.
engine::Outcome<FreedSides> readFreedSides(const engine::WhatIf& whatIf, const std::vector<GraphSide>& sides,
                                           bool folds, engine::ProgressSink* progress, std::stop_token stop);

/// How an edge of the picture is cut, or a root by itself, see session/references/cuts.h; empty for what stands for
/// several.
std::string cutOfEdge(const GraphPicture& picture, const GraphEdge& edge, const engine::Snapshot& snapshot);

}  // namespace heapscape::gui

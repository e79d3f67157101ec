// SPDX-License-Identifier: MIT
#include "insight/comparison/matched_insights.h"

namespace heapscape::engine {

std::map<InsightKey, InsightFigures> insightFiguresOf(const InsightList& list) {
  std::map<InsightKey, InsightFigures> all;
  for (const Insight& insight : list.insights) {
    InsightFigures& figures = all[{insight.kind, insight.subject, insight.contents}];
    figures.meaning = insight.meaning;
    figures.title = insight.title;
    figures.bytes += insight.bytes;
    figures.objects += insight.objects;
  }
  return all;
}

}  // namespace heapscape::engine

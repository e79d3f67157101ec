// SPDX-License-Identifier: MIT
#include "output/finding_text.h"

#include <algorithm>
#include <span>

#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

void writeFindingsText(Output& output, const std::vector<Finding>& findings, std::size_t leftOut, std::size_t limit) {
  if (findings.empty()) return;
  TextTable table({{"Finding"}, {"Address"}, {"What"}});
  const std::size_t shown = std::min(limit, findings.size());
  for (const Finding& finding : std::span(findings).first(shown)) {
    table.addRow({toString(finding.kind), finding.address ? toString(finding.address) : "", finding.message});
  }
  table.write(output);
  const std::size_t more = findings.size() - shown + leftOut;
  if (more) output.write("and " + countOf(more, "more finding") + ".\n");
}

}  // namespace heapscape::engine

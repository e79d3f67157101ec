// SPDX-License-Identifier: MIT
#include "models/layout/framework_text.h"

#include "widgets/text/figures.h"

namespace heapscape::gui {

QString frameworkText(const engine::FrameworkRead& framework) {
  return u"Framework: .NET %1 in %2"_s.arg(fromEngine(framework.version), fromEngine(framework.path));
}

QString otherFrameworkText(const engine::FrameworkRead& framework, std::uint32_t rulesOf) {
  if (!framework.isAnother) return {};
  return u"No framework of .NET %1 was found: its rules are applied to types as .NET %2 declares them."_s.arg(rulesOf)
      .arg(framework.majorVersion);
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "models/layout/framework_text.h"

#include "widgets/text/figures.h"

namespace heapscape::gui {

QString frameworkText(const engine::FrameworkRead& framework) {
  return QStringLiteral("Framework: .NET %1 in %2").arg(fromEngine(framework.version), fromEngine(framework.path));
}

QString otherFrameworkText(const engine::FrameworkRead& framework, std::uint32_t rulesOf) {
  if (!framework.isAnother) return {};
  return QStringLiteral("No framework of .NET %1 was found: its rules are applied to types as .NET %2 declares them.")
      .arg(rulesOf)
      .arg(framework.majorVersion);
}

}  // namespace heapscape::gui

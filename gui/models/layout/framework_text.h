// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>

#include "session/layouts/declared_layouts.h"

namespace heapscape::gui {

/// "Framework: .NET 8.0.29 in /usr/share/dotnet/…": what an assembly's references were read from.
QString frameworkText(const engine::FrameworkRead& framework);
/// Where none of the wanted version was found: which rules are applied to which declarations. Else empty.
QString otherFrameworkText(const engine::FrameworkRead& framework, std::uint32_t rulesOf);

}  // namespace heapscape::gui

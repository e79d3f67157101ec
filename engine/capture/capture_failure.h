// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/result.h"
#include "capture/diagnostic_message.h"
#include "capture/part_file.h"
#include "capture/processes.h"

namespace heapscape::engine {

/// Why no dump can be asked for, told by what the kernel shows of the process: it is stopped, held by a debugger, has
/// no socket, or its runtime has no createdump. nullopt if nothing speaks against it. To be asked first: a runtime of
/// .NET 8 that finds no createdump loses its socket over it, and can never be asked again.
std::optional<Error> reasonNotToAsk(const ProcessPlaces& places, const DotnetProcess& process);

/// Why the process did not answer, or no more.
Error explainSilence(const ProcessPlaces& places, const DotnetProcess& process, Error silence);

/// Why the runtime could not write its dump, and what to do. `placeOption` is how another folder can be named: "-o".
Error explainRefusal(const ProcessPlaces& places, const DotnetProcess& process, const PartFile& part,
                     std::string_view placeOption, const DiagnosticRefusal& refusal);

}  // namespace heapscape::engine

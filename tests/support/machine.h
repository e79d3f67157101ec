// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::test {

/// From here on this process and those that it starts find no .NET and no packages, whatever the machine has: tests are
/// the same everywhere. One that wants some sets HEAPSCAPE_INSTALLED to a folder of its own. Nor do they keep anything
/// of a dump, or use what was kept, unless they name a folder for that (HEAPSCAPE_CACHE).
void hideWhatIsInstalled();

}  // namespace heapscape::test

// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui::test {

/// A file of tests/data.
QString dataFile(const QString& name);

/// A dump of tests/data, unpacked: "shop-8-server".
QString dumpFile(const QString& dump);

/// Writes a compressed dump that takes many seconds to open: the frames of a small one over and over.
bool writeSlowDump(const QString& path);

/// Writes a small dump that is not compressed, so that the file itself is mapped.
bool writePlainDump(const QString& path);

/// Decompressed dumps that this process has mapped: large files without a name.
int mappedDumps();

}  // namespace heapscape::gui::test

// SPDX-License-Identifier: MIT
#include "support/dumps.h"

#include <QDir>
#include <QFile>

#include "memory/dump_file.h"
#include "support/dump_path.h"

namespace heapscape::gui::test {

QString dataFile(const QString& name) {
  return QDir(QStringLiteral(HEAPSCAPE_TEST_DATA)).filePath(name);
}

QString dumpFile(const QString& dump) {
  return QString::fromStdString(heapscape::test::dumpPath(dump.toStdString()).string());
}

bool writeSlowDump(const QString& path) {
  constexpr int kCopies = 40;
  QFile source(dataFile(QStringLiteral("shop-10.core.zst")));
  QFile target(path);
  if (!source.open(QIODevice::ReadOnly) || !target.open(QIODevice::WriteOnly)) return false;
  const QByteArray frames = source.readAll();
  for (int copy = 0; copy < kCopies; ++copy) {
    if (target.write(frames) != frames.size()) return false;
  }
  return target.flush();
}

bool writePlainDump(const QString& path) {
  engine::StageProgress progress(nullptr, "opening", 0, 1);
  const auto dump =
      engine::DumpFile::open(dataFile(QStringLiteral("shop-10.core.zst")).toStdString(), progress, std::stop_token());
  QFile target(path);
  if (!dump || !target.open(QIODevice::WriteOnly)) return false;
  const engine::Bytes bytes = (*dump)->bytes();
  const auto size = static_cast<qint64>(bytes.size());
  return target.write(reinterpret_cast<const char*>(bytes.data()), size) == size && target.flush();
}

int mappedDumps() {
  constexpr qulonglong kLarge = 16ull << 20;
  QFile maps(QStringLiteral("/proc/self/maps"));
  if (!maps.open(QIODevice::ReadOnly)) return -1;
  int found = 0;
  const QList<QByteArray> lines = maps.readAll().split('\n');
  for (const QByteArray& line : lines) {
    if (!line.endsWith("(deleted)")) continue;
    const QList<QByteArray> ends = line.left(line.indexOf(' ')).split('-');
    if (ends.size() == 2 && ends[1].toULongLong(nullptr, 16) - ends[0].toULongLong(nullptr, 16) >= kLarge) ++found;
  }
  return found;
}

}  // namespace heapscape::gui::test

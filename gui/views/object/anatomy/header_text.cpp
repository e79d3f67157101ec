// SPDX-License-Identifier: MIT
#include "views/object/anatomy/header_text.h"

#include <QObject>
#include <QStringList>
#include <array>
#include <string_view>
#include <utility>

#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::HeaderBits;
using engine::HeaderKind;
using engine::ObjectDetails;

constexpr std::array<std::pair<std::string_view, const char*>, 9> kNames{{
    {"finalizerRun", "finalizer run"},
    {"gcReserve", "GC reserve"},
    {"spinLock", "spin lock"},
    {"hashOrSyncBlock", "hash or sync block"},
    {"isHashCode", "is hash code"},
    {"threadId", "thread id"},
    {"recursion", "recursion"},
    {"hashCode", "hash code"},
    {"syncBlockIndex", "sync block"},
}};

bool isNumber(const HeaderBits& bits) {
  return bits.count > 2;
}

QString threadText(const ObjectDetails& object) {
  if (!object.headerThread.empty()) return fromEngine(object.headerThread);
  if (object.lock && object.lock->ownerManagedId) return QStringLiteral("thread %1").arg(object.lock->ownerManagedId);
  return QStringLiteral("thread %1").arg(object.header->threadId);
}

QString lockSentence(const ObjectDetails& object) {
  const std::uint32_t recursion = object.header->recursion;
  const QString times =
      recursion == 0 ? QStringLiteral("once") : countedText(std::uint64_t{recursion} + 1, QStringLiteral("time"));
  return QStringLiteral("Locked by %1, which has entered %2. The lock is thin: it lies in the header itself.")
      .arg(threadText(object), times);
}

QString syncBlockSentence(const ObjectDetails& object) {
  const QString block =
      QStringLiteral("The header leads to sync block %1").arg(countText(object.header->syncBlockIndex));
  if (!object.lock || !object.lock->isHeld) return QStringLiteral("%1. Nobody holds its lock.").arg(block);
  const engine::LockRow& lock = *object.lock;
  const QString owner = lock.ownerName.empty()
                            ? QStringLiteral("thread %1").arg(lock.ownerManagedId)
                            : QStringLiteral("thread %1 “%2”").arg(lock.ownerManagedId).arg(fromEngine(lock.ownerName));
  const QString times =
      lock.recursion <= 1 ? QStringLiteral("once") : countedText(lock.recursion, QStringLiteral("time"));
  return QStringLiteral("%1, locked by %2, which has entered %3.").arg(block, owner, times);
}

}  // namespace

QString headerBitsName(const HeaderBits& bits) {
  for (const auto& [name, words] : kNames) {
    if (bits.name == name) return QString::fromUtf8(words);
  }
  if (bits.name.starts_with("unused")) return QStringLiteral("unused");
  return fromEngine(bits.name);
}

bool isIdle(const HeaderBits& bits) {
  return bits.value == 0 || bits.name.starts_with("unused");
}

QString headerBitsText(const HeaderBits& bits) {
  const QString name = headerBitsName(bits);
  if (!isNumber(bits) || bits.name.starts_with("unused")) return name;
  if (bits.name == "hashCode") return QStringLiteral("%1 %2").arg(name).arg(bits.value, 8, 16, QLatin1Char('0'));
  return QStringLiteral("%1 %2").arg(name, countText(bits.value));
}

QString headerSentence(const ObjectDetails& object) {
  if (object.isFree) return QStringLiteral("Left over from the object that lay here before; it means nothing now.");
  if (!object.header) return QStringLiteral("The dump does not hold the header of this object.");
  switch (object.header->kind) {
    case HeaderKind::ThinLock:
      return lockSentence(object);
    case HeaderKind::HashCode:
      return QStringLiteral("Holds the object's identity hash code, %1, which somebody has asked for.")
          .arg(object.header->hashCode, 8, 16, QLatin1Char('0'));
    case HeaderKind::SyncBlock:
      return syncBlockSentence(object);
    case HeaderKind::None:
      break;
  }
  return QStringLiteral("Not in use: nobody has locked the object or asked for its identity hash code.");
}

QStringList headerRemarks(const ObjectDetails& object) {
  QStringList remarks;
  if (!object.header || object.isFree) return remarks;
  if (object.lock && object.header->kind == HeaderKind::SyncBlock) {
    const engine::LockRow& lock = *object.lock;
    if (lock.waiting == 1) remarks << QStringLiteral("1 thread waits to enter.");
    if (lock.waiting > 1) remarks << QStringLiteral("%1 threads wait to enter.").arg(countText(lock.waiting));
    if (lock.hashCode) {
      remarks << QStringLiteral("The sync block keeps the identity hash code %1.")
                     .arg(lock.hashCode, 8, 16, QLatin1Char('0'));
    }
    if (lock.hasInterop) remarks << QStringLiteral("The sync block holds data of COM interop.");
  }
  for (const HeaderBits& bits : object.header->bits) {
    if (bits.count == 1 && bits.value != 0 && !bits.meaning.empty()) remarks << fromEngine(bits.meaning);
  }
  return remarks;
}

}  // namespace heapscape::gui

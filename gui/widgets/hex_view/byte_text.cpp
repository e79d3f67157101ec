// SPDX-License-Identifier: MIT
#include "widgets/hex_view/byte_text.h"

#include <QObject>

#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

using engine::ByteOwner;

QString ownerName(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return QStringLiteral("alignment");
    case ByteOwner::Header:
      return QStringLiteral("object header");
    case ByteOwner::MethodTable:
      return QStringLiteral("method table");
    case ByteOwner::Length:
      return QStringLiteral("length");
    case ByteOwner::Bounds:
      return QStringLiteral("bounds");
    case ByteOwner::Field:
      return QStringLiteral("field");
    case ByteOwner::Element:
      return QStringLiteral("element");
    case ByteOwner::Terminator:
      return QStringLiteral("terminator");
    case ByteOwner::Padding:
      return QStringLiteral("padding");
    case ByteOwner::Missing:
      break;
  }
  return QStringLiteral("missing");
}

QString ownerFact(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return QStringLiteral("Unused: keeps what follows at a multiple of its size");
    case ByteOwner::Header:
      return QStringLiteral("Lock, hash code or sync block");
    case ByteOwner::MethodTable:
      return QStringLiteral("Points at the type's method table");
    case ByteOwner::Terminator:
      return QStringLiteral("The zero behind a string's last character");
    case ByteOwner::Padding:
      return QStringLiteral("No field uses it");
    case ByteOwner::Missing:
      return QStringLiteral("The dump does not hold these bytes");
    default:
      return {};
  }
}

bool hasOwnName(ByteOwner owner) {
  return owner == ByteOwner::Field || owner == ByteOwner::Element || owner == ByteOwner::Bounds ||
         owner == ByteOwner::Length;
}

}  // namespace

QString runName(const engine::ByteRun& run) {
  return hasOwnName(run.owner) && !run.name.empty() ? fieldNameText(run.name) : ownerName(run.owner);
}

QStringList runFacts(const engine::ByteRun& run) {
  QStringList facts;
  if (!run.typeName.empty()) facts << fromEngine(run.typeName);
  if (const QString fact = ownerFact(run.owner); !fact.isEmpty()) facts << fact;
  facts << QStringLiteral("offset %1, %2").arg(offsetText(run.offset), exactBytesText(run.sizeBytes));
  return facts;
}

QString bytesAsText(const ByteWindow& window, const ByteSpan& span) {
  QStringList bytes;
  for (std::int64_t offset = span.begin; offset < span.end && window.read().contains(offset); ++offset) {
    const auto byte = window.byteAt(offset);
    bytes << (byte ? QStringLiteral("%1").arg(*byte, 2, 16, QLatin1Char('0')) : QStringLiteral("??"));
  }
  return bytes.join(QLatin1Char(' '));
}

}  // namespace heapscape::gui

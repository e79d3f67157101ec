// SPDX-License-Identifier: MIT
#include "widgets/hex_view/byte_text.h"

#include <QCoreApplication>

#include "models/layout_item_text.h"
#include "models/value_text.h"
#include "widgets/figures.h"

namespace heapscape::gui {
namespace {

using engine::ByteOwner;

QString tr(const char* text) {
  return QCoreApplication::translate("Bytes", text);
}

QString ownerName(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return tr("alignment");
    case ByteOwner::Header:
      return tr("object header");
    case ByteOwner::MethodTable:
      return tr("method table");
    case ByteOwner::Length:
      return tr("length");
    case ByteOwner::Bounds:
      return tr("bounds");
    case ByteOwner::Field:
      return tr("field");
    case ByteOwner::Element:
      return tr("element");
    case ByteOwner::Terminator:
      return tr("terminator");
    case ByteOwner::Padding:
      return tr("padding");
    case ByteOwner::Missing:
      break;
  }
  return tr("missing");
}

QString ownerFact(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return tr("Unused: keeps what follows at a multiple of its size");
    case ByteOwner::Header:
      return tr("Lock, hash code or sync block");
    case ByteOwner::MethodTable:
      return tr("Points at the type's method table");
    case ByteOwner::Terminator:
      return tr("The zero behind a string's last character");
    case ByteOwner::Padding:
      return tr("No field uses it");
    case ByteOwner::Missing:
      return tr("The dump does not hold these bytes");
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
  facts << tr("offset %1, %2").arg(offsetText(run.offset), exactBytesText(run.sizeBytes));
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

// SPDX-License-Identifier: MIT
#include "models/names/reach_text.h"

#include "widgets/text/figures.h"

namespace heapscape::gui {

QString garbageText(const engine::RetainedTotals& totals) {
  return totals.garbageObjects() == 0 ? u"no garbage"_s : u"%1 garbage"_s.arg(bytesText(totals.garbageBytes()));
}

QString garbageTip(const engine::RetainedTotals& totals) {
  QString tip = totals.garbageObjects() == 0
                    ? u"Nothing waits to be collected"_s
                    : u"%1 of %2 that no root leads to: not collected yet. Click: these objects, by type"_s.arg(
                          countedText(totals.garbageObjects(), u"object"_s), exactBytesText(totals.garbageBytes()));
  if (const QString frozen = frozenText(totals); !frozen.isEmpty()) tip += u"\nNot among it: "_s + frozen;
  return tip;
}

QString unreachedText(bool isGarbage) {
  return isGarbage ? u"garbage"_s : u"unreferenced"_s;
}

QString unreachedTip(bool isGarbage) {
  return isGarbage ? u"Garbage: no root leads to it, a collection of its generation will take it."_s
                   : u"No root leads to it, but it is frozen: never collected."_s;
}

QString frozenText(const engine::RetainedTotals& totals) {
  if (totals.frozenObjects == 0) return {};
  return u"%1 in %2 that are frozen and unreferenced, never collected"_s.arg(
      exactBytesText(totals.frozenBytes), countedText(totals.frozenObjects, u"object"_s));
}

QString reachSentence(const engine::RetainedTotals& totals, const std::vector<std::uint64_t>& collections,
                      std::uint64_t freeBytes) {
  constexpr std::uint64_t kPartToName = 5;
  QString text = u"%1 live, "_s.arg(bytesText(totals.reachableBytes));
  // Where free space is much and garbage is less, it is what the heap is larger for.
  const std::uint64_t whole = totals.reachableBytes + totals.frozenBytes + totals.garbageBytes() + freeBytes;
  const bool namesFree = freeBytes > totals.garbageBytes() && freeBytes > whole / kPartToName;
  if (namesFree) text += u"%1 free between objects, "_s.arg(bytesText(freeBytes));
  text += totals.garbageObjects() == 0 ? u"no garbage"_s
                                       : u"%1 garbage not collected yet"_s.arg(bytesText(totals.garbageBytes()));
  if (collections.size() < 3 || namesFree) return text;  // collections tell of garbage
  if (collections[0] == 0) return text + u": there was no collection so far"_s;
  if (collections[0] == 1)
    return text + (collections[2] == 1 ? u": the only collection was gen2"_s : u": the only collection was not gen2"_s);
  return text + (collections[2] == 0 ? u": none of %1 collections was gen2"_s.arg(countText(collections[0]))
                 : collections[2] == 1
                     ? u": 1 of %1 collections was gen2"_s.arg(countText(collections[0]))
                     : u": %1 of %2 collections were gen2"_s.arg(countText(collections[2]), countText(collections[0])));
}

}  // namespace heapscape::gui

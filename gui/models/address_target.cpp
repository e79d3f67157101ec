// SPDX-License-Identifier: MIT
#include "models/address_target.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/threads/threads_query.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::AddressKind;

namespace {

engine::Address threadAround(const engine::Snapshot& snapshot, engine::Address address, std::stop_token stop) {
  const auto list = engine::listThreads(snapshot, stop);
  if (!list) return {};
  const auto found = std::ranges::find_if(
      list->threads, [address](const engine::ThreadRow& thread) { return thread.stack.contains(address); });
  return found == list->threads.end() ? engine::Address{} : found->address;
}

AddressTarget targetOf(const engine::ThreadRow& thread) {
  std::string text = fmt::format("thread {}", thread.managedId);
  if (!thread.name.empty()) text += fmt::format(" \"{}\"", thread.name);
  if (!thread.isAlive) text += ", dead";
  AddressTarget target;
  target.meaning.kind = AddressKind::RuntimeThread;
  target.meaning.text = std::move(text);
  target.meaning.object = thread.managedThread;
  target.listed = thread.address;
  return target;
}

bool isLike(const engine::ThreadRow& thread, const QString& text) {
  return QString::number(thread.managedId).startsWith(text) || QString::number(thread.osId).startsWith(text) ||
         fromEngine(thread.name).contains(text, Qt::CaseInsensitive);
}

}  // namespace

QString symbolOf(AddressKind kind) {
  switch (kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
      return u"object"_s;
    case AddressKind::FreeSpace:
      return u"segments"_s;
    case AddressKind::MethodTable:
    case AddressKind::EEClass:
    case AddressKind::MethodDesc:
    case AddressKind::MethodCode:
      return u"runtime"_s;
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
      return u"roots"_s;
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
    case AddressKind::ThreadStack:
      return u"threads"_s;
    case AddressKind::Module:
    case AddressKind::MappedFile:
      return u"dump"_s;
    case AddressKind::Native:
    case AddressKind::Unmapped:
      break;
  }
  return u"info"_s;
}

engine::Outcome<std::vector<AddressTarget>> findAddressTargets(const engine::Snapshot& snapshot,
                                                               engine::Address address, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::AddressMeaning> meanings, engine::explainAddress(snapshot, address, stop));
  std::vector<AddressTarget> targets;
  for (engine::AddressMeaning& meaning : meanings) {
    const bool isOnStack = meaning.kind == AddressKind::ThreadStack;
    const engine::Address listed = isOnStack ? threadAround(snapshot, address, stop) : address - meaning.offset;
    targets.push_back({.meaning = std::move(meaning), .listed = listed});
  }
  return targets;
}

engine::Outcome<std::vector<AddressTarget>> findThreads(const engine::Snapshot& snapshot, const std::string& text,
                                                        std::stop_token stop) {
  HEAPSCAPE_TRY(const engine::ThreadList list, engine::listThreads(snapshot, stop));
  const QString wanted = QString::fromStdString(text);
  std::vector<AddressTarget> targets;
  for (const engine::ThreadRow& thread : list.threads) {
    if (isLike(thread, wanted)) targets.push_back(targetOf(thread));
  }
  // The one that is meant comes before those that only begin so.
  std::ranges::stable_sort(targets, {}, [&](const AddressTarget& target) {
    return target.meaning.text != fmt::format("thread {}", text) &&
           !target.meaning.text.starts_with(fmt::format("thread {} ", text));
  });
  return targets;
}

bool canShow(const AddressTarget& target) {
  switch (target.meaning.kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
    case AddressKind::FreeSpace:
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
      return true;
    case AddressKind::ThreadStack:
      return static_cast<bool>(target.listed);  // that of a native thread is nobody's
    default:
      return static_cast<bool>(target.meaning.methodTable);
  }
}

void showTarget(Navigator& navigator, const AddressTarget& target) {
  const engine::AddressMeaning& meaning = target.meaning;
  const Selection selection{.object = meaning.object, .methodTable = meaning.methodTable, .segment = meaning.segment};
  switch (meaning.kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
      navigator.go({.place = PlaceId::Object, .selection = selection, .scope = navigator.location().scope});
      return;
    case AddressKind::FreeSpace:
      navigator.showInSegments(selection);
      return;
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
      navigator.showListed(PlaceId::Roots, target.listed, selection);
      return;
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
    case AddressKind::ThreadStack:
      navigator.showListed(PlaceId::Threads, target.listed, selection);
      return;
    default:
      if (meaning.methodTable) navigator.showType(meaning.methodTable);
  }
}

}  // namespace heapscape::gui

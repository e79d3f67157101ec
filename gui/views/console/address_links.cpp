// SPDX-License-Identifier: MIT
#include "views/console/address_links.h"

#include <utility>

#include "models/address_target.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::AddressKind;

namespace {

constexpr std::size_t kMostKnown = 200'000;
constexpr std::size_t kMostAsked = 2000;  // more than a screen has
constexpr auto kLinksChannel = "console.addresses";

QString kindText(AddressKind kind) {
  switch (kind) {
    case AddressKind::MethodDesc:
      return u"Method"_s;
    case AddressKind::MethodCode:
      return u"Code"_s;
    case AddressKind::HandleSlot:
      return u"Handle"_s;
    case AddressKind::StaticSlot:
      return u"Static"_s;
    case AddressKind::SyncBlock:
      return u"Sync block"_s;
    case AddressKind::RuntimeThread:
      return u"Thread"_s;
    case AddressKind::ThreadStack:
      return u"Stack"_s;
    case AddressKind::Module:
      return u"Module"_s;
    case AddressKind::MappedFile:
      return u"File"_s;
    default:
      return u"Memory"_s;
  }
}

}  // namespace

AddressLinks::AddressLinks(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

const engine::AddressMeaning* AddressLinks::meaningOf(engine::Address address) const {
  const auto found = m_known.find(address.value);
  return found == m_known.end() || !found->second ? nullptr : &*found->second;
}

void AddressLinks::want(const std::vector<engine::Address>& addresses) {
  m_wanted.clear();
  for (const engine::Address address : addresses) {
    if (!m_known.contains(address.value) && m_wanted.size() < kMostAsked) m_wanted.insert(address.value);
  }
  ask();
}

void AddressLinks::clear() {
  m_bridge.stopAsking(this, kLinksChannel);
  m_isAsking = false;
  m_meanings.reset();
  m_known.clear();
  m_wanted.clear();
}

void AddressLinks::refresh() {
  if (m_isAsking) return;
  ask();
}

// Not one question after the other at once: what a new one replaces would begin anew each time somebody scrolls.
void AddressLinks::ask() {
  if (m_isAsking || m_wanted.empty()) return;
  if (!m_bridge.snapshot() || !m_bridge.snapshot()->has(engine::Stage::Layouts)) return;
  m_isAsking = true;
  m_bridge.ask(
      this, kLinksChannel,
      [addresses = std::vector<std::uint64_t>(m_wanted.begin(), m_wanted.end()), meanings = m_meanings](
          const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<Answer> {
        Answer answer{.meanings = meanings, .found = {}};
        if (!answer.meanings) {
          HEAPSCAPE_TRY(engine::AddressMeanings made, engine::AddressMeanings::make(snapshot, stop));
          answer.meanings = std::make_shared<const engine::AddressMeanings>(std::move(made));
        }
        for (const std::uint64_t address : addresses) {
          if (stop.stop_requested()) break;
          answer.found.emplace_back(engine::Address{address}, engine::meaningOf(*answer.meanings, address));
        }
        return answer;
      },
      [this](const engine::Outcome<Answer>& answer) {
        m_isAsking = false;
        if (answer) take(*answer);
      });
}

void AddressLinks::take(const Answer& answer) {
  m_meanings = answer.meanings;
  if (m_known.size() > kMostKnown) m_known.clear();
  for (const auto& [address, meaning] : answer.found) {
    m_known[address.value] = meaning;
    m_wanted.erase(address.value);
  }
  if (!answer.found.empty()) Q_EMIT found();
  ask();  // for what has come into sight meanwhile
}

void inspectAddress(Navigator& navigator, engine::Address address, const engine::AddressMeaning& meaning) {
  switch (meaning.kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
    case AddressKind::FreeSpace:
      if (!meaning.object && meaning.segment.isNone()) break;
      navigator.select({.object = meaning.object, .methodTable = meaning.methodTable, .segment = meaning.segment});
      return;
    case AddressKind::MethodTable:
    case AddressKind::EEClass:
      if (!meaning.methodTable) break;
      navigator.select({.object = {}, .methodTable = meaning.methodTable, .segment = {}});
      return;
    default:
      break;
  }
  PickedThing thing{.kind = kindText(meaning.kind),
                    .title = fromEngine(meaning.text),
                    .facts = {{u"Address"_s, addressText(address)}}};
  if (meaning.object) thing.facts.emplace_back(u"Object"_s, addressText(meaning.object));
  if (meaning.methodTable) thing.facts.emplace_back(u"Method table"_s, addressText(meaning.methodTable));
  navigator.tell(thing);
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/details/address_query.h"

namespace heapscape::gui {

/// Which words of an answer are addresses of something: asked of the engine for the words in sight alone, and kept.
class AddressLinks : public QObject {
  Q_OBJECT

 public:
  explicit AddressLinks(EngineBridge& bridge, QObject* parent = nullptr);

  /// What an address belongs to; null if it is none, or not known yet.
  const engine::AddressMeaning* meaningOf(engine::Address address) const;
  /// Whether it has been asked for.
  bool isKnown(engine::Address address) const { return m_known.contains(address.value); }
  /// These are in sight. found() follows if any of them was not known.
  void want(const std::vector<engine::Address>& addresses);
  /// Another dump, or none: nothing is known any more.
  void clear();
  /// A stage is done: what could not be asked before can be now.
  void refresh();

 Q_SIGNALS:
  void found();

 private:
  using Meanings = std::shared_ptr<const engine::AddressMeanings>;
  struct Answer {
    Meanings meanings;
    std::vector<std::pair<engine::Address, std::optional<engine::AddressMeaning>>> found;
  };
  void ask();
  void take(const Answer& answer);

  EngineBridge& m_bridge;
  Meanings m_meanings;
  std::unordered_map<std::uint64_t, std::optional<engine::AddressMeaning>> m_known;
  std::unordered_set<std::uint64_t> m_wanted;
  bool m_isAsking = false;
};

/// What the inspector shows of it. An object, a type or a segment becomes what is picked, all else is told of.
void inspectAddress(Navigator& navigator, engine::Address address, const engine::AddressMeaning& meaning);

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/overview/owners_list.h"

#include <QLabel>
#include <QVBoxLayout>

#include "models/names/type_name.h"
#include "models/retained_offer.h"
#include "widgets/bar_row.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr auto kOwnersChannel = "overview.owners";

// A place on a stack or a handle says less of an object that is shared than its type does; the place tells it from
// others of the type: "Order[] · rsp+0x28"; of the object that a method is called on, the method does.
QString shownNameOf(const engine::RootOwner& owner) {
  if (!owner.name.empty() && (!owner.isShared || owner.kind == engine::OwnerKind::Field))
    return shortRootName(owner.name);
  const QString type = shortTypeName(owner.typeName);
  const std::size_t place = owner.kind == engine::OwnerKind::Stack ? owner.name.rfind(", ") : std::string::npos;
  if (place == std::string::npos) return type;
  const QString name = fromEngine(owner.name.substr(place + 2));
  const QString method = fromEngine(owner.name.substr(0, place)).section(QLatin1Char('('), 0, 0);
  return u"%1 · %2"_s.arg(type, name == u"this"_s ? method.section(QLatin1Char('.'), -1) : name);
}

BarLine lineOfOwner(const engine::RootOwner& owner, std::uint64_t live) {
  const QString name = owner.name.empty() ? shortTypeName(owner.typeName) : givenNameText(owner.name);
  BarLine line{.form = RowForm::Beside};
  const QString shown = shownNameOf(owner);
  line.text = owner.isShared ? u"%1 (shared)"_s.arg(shown) : shown;
  line.figures = {{.text = bytesText(owner.alone.bytes), .room = u"88.88 MB"_s}};
  line.share = live == 0 ? 0 : static_cast<double>(owner.alone.bytes) / static_cast<double>(live);
  line.tip = u"%1\n%2 in %3, %4 of what is live: %5\nClick: %6"_s.arg(
      owner.isShared        ? u"%1\n%2"_s.arg(name, fromEngine(owner.typeName))
      : owner.place.empty() ? name
                            : u"%1\n%2"_s.arg(name, fromEngine(owner.place)),
      exactBytesText(owner.alone.bytes), countedText(owner.alone.objects, u"object"_s),
      percentText(owner.alone.bytes, live),
      owner.isShared ? u"retained by this object, to which roots of several owners lead"_s
                     : u"no root of another owner leads there"_s,
      owner.isShared ? u"who holds it"_s
      : owner.object ? u"what its object retains"_s
                     : u"its roots"_s);
  line.spoken = u"%1: %2"_s.arg(line.figures.front().text, line.text);
  return line;
}

/// What several owners hold together and is in no line of its own; it may be most of all.
BarLine lineOfRest(const engine::RootOwners& owners, std::uint64_t live) {
  BarLine line{.form = RowForm::Beside, .text = u"smaller objects that several share"_s};
  line.figures = {{.text = bytesText(owners.together.bytes), .room = u"88.88 MB"_s}};
  line.share = live == 0 ? 0 : static_cast<double>(owners.together.bytes) / static_cast<double>(live);
  line.tip =
      u"%1 in %2 to which roots of several owners lead, %3 of what is live\nClick: which of them, in Roots"_s.arg(
          exactBytesText(owners.together.bytes), countedText(owners.together.objects, u"object"_s),
          percentText(owners.together.bytes, live));
  line.spoken = u"%1: %2"_s.arg(line.figures.front().text, line.text);
  return line;
}

QString restText(const engine::RootOwners& owners) {
  if (owners.others == 0) return {};
  const QString bytes = bytesText(owners.ofOthers.bytes);
  return owners.others == 1 ? u"1 more owner holds %1"_s.arg(bytes)
                            : u"%1 more owners hold %2"_s.arg(countText(owners.others), bytes);
}

}  // namespace

OwnersList::OwnersList(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_rows(new QVBoxLayout),
      m_rest(makeNote(QString(), this)) {
  setObjectName(u"owners"_s);
  m_rest->setObjectName(u"ownersRest"_s);
  m_rows->setSpacing(0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(m_rows);
  column->addWidget(m_rest);
  column->addStretch(1);
  const BarRow row(lineOfOwner({.name = "owner", .alone = {}}, 1));
  setMinimumHeight(static_cast<int>(kMostOwners + 1) * row.sizeHint().height() + m_rest->fontMetrics().height() + 2);
  const auto sayState = [this] {
    if (m_rows->count() == 0) m_rest->setText(retainedStateText(m_bridge));
  };
  connect(&bridge, &EngineBridge::retainedStateChanged, this, sayState);
  connect(&bridge, &EngineBridge::retainedProgressed, this, sayState);
  clear();
}

void OwnersList::clear() {
  m_bridge.stopAsking(this, kOwnersChannel);
  removeRows();
  m_rest->setText(u"Waiting for the objects of the heap"_s);
}

void OwnersList::removeRows() {
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void OwnersList::showSnapshot(const engine::Snapshot& snapshot) {
  if (snapshot.has(engine::Stage::Retained)) ask();
}

void OwnersList::ask() {
  m_bridge.ask(
      this, kOwnersChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::largestOwners(snapshot, kMostOwners, std::move(stop));
      },
      [this](const engine::Outcome<engine::RootOwners>& owners) {
        if (owners) return showOwners(*owners);
        if (!owners.error().isCancelled()) m_rest->setText(fromEngine(owners.error().error().message()));
      });
}

void OwnersList::showOwners(const engine::RootOwners& owners) {
  removeRows();
  const auto& snapshot = m_bridge.snapshot();
  const std::uint64_t live = snapshot ? snapshot->retainedTotals().reachableBytes : 0;
  for (std::size_t i = 0; i < owners.owners.size(); ++i) {
    const engine::RootOwner& owner = owners.owners[i];
    auto* row = new BarRow(lineOfOwner(owner, live), this);
    row->setObjectName(u"owner%1"_s.arg(i));
    const bool hasGroup = snapshot && owner.group < snapshot->roots().groups.size();
    const engine::Address group = hasGroup ? snapshot->roots().groups[owner.group].owner : engine::Address{};
    connect(row, &QAbstractButton::clicked, this, [this, object = owner.object, isShared = owner.isShared, group] {
      if (!object && group) return m_navigator.showListed(PlaceId::Roots, group, m_navigator.location().selection);
      if (!object) return m_navigator.goTo(PlaceId::Roots);
      m_navigator.showReferences(isShared ? ReferencesPage::WhyAlive : ReferencesPage::Dominators,
                                 {.object = object, .methodTable = {}, .segment = {}});
    });
    m_rows->addWidget(row);
  }
  if (owners.together.bytes > 0) {
    auto* row = new BarRow(lineOfRest(owners, live), this);
    row->setObjectName(u"ownersTogether"_s);
    connect(row, &QAbstractButton::clicked, this, [this] { m_navigator.goTo(PlaceId::Roots); });
    m_rows->addWidget(row);
  }
  m_rest->setText(owners.owners.empty() ? u"Nothing is live: no root leads to an object."_s : restText(owners));
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/layouts/instance_panel.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "session/objects/object_query.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

constexpr std::size_t kMostListed = 10'000;
constexpr engine::DetailLimits kLimits{16, 64, 64};  // fields are what is shown of it, not its contents

/// The field that is exactly these bytes, or the innermost one around their start.
const engine::FieldValue* fieldAt(const std::vector<engine::FieldValue>& fields, const ByteSpan& span) {
  for (const engine::FieldValue& field : fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const ByteSpan bytes{begin, begin + field.sizeBytes};
    if (!bytes.contains(span.begin)) continue;
    if (bytes == span) return &field;
    const engine::FieldValue* inner = fieldAt(field.nested, span);
    return inner ? inner : &field;
  }
  return nullptr;
}

}  // namespace

InstancePanel::InstancePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_before(new QToolButton(this)),
      m_after(new QToolButton(this)),
      m_open(new QToolButton(this)),
      m_which(new ElidedText(this)),
      m_value(new ElidedText(this)),
      m_hex(new ObjectHexView(bridge, this)),
      m_body(new QWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  addParts();
  connect(m_before, &QToolButton::clicked, this, [this] { step(-1); });
  connect(m_after, &QToolButton::clicked, this, [this] { step(1); });
  connect(m_open, &QToolButton::clicked, this, [this] {
    if (m_page) m_navigator.showObject(m_page->address());
  });
  connect(m_hex, &HexView::picked, this, [this](const ByteSpan& span) {
    m_selected = span;
    describe();
    Q_EMIT spanPicked(span);
  });
  connect(m_hex, &HexView::memoryWanted, this, [this](engine::Address address) { m_navigator.showMemory(address); });
  m_hex->setDescription([this](const ByteSpan& span) { return valueAt(span); });
}

void InstancePanel::addParts() {
  setUpSymbolButton(m_before, u"layoutInstanceBefore"_s, u"back"_s, u"The object of this type before it"_s);
  setUpSymbolButton(m_after, u"layoutInstanceAfter"_s, u"forward"_s, u"The object of this type behind it"_s);
  setUpSymbolButton(m_open, u"layoutInstanceOpen"_s, u"object"_s, u"Open this object"_s);
  m_which->setObjectName(u"layoutInstance"_s);
  m_which->setElideMode(Qt::ElideRight);  // the address counts most
  m_value->setObjectName(u"layoutInstanceValue"_s);
  m_value->setDimmed(true);
  m_value->setAlignment(Qt::AlignRight);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 4, 12, 4);
  line->setSpacing(4);
  line->addWidget(m_before);
  line->addWidget(m_after);
  line->addWidget(m_which, 1);
  line->addWidget(m_value, 1);
  line->addWidget(m_open);
  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_hex, 1);
  m_pages->addWidget(m_body);
  m_pages->addWidget(m_state);
}

void InstancePanel::clear() {
  m_instances = {};
  m_page.reset();
  m_selected = {};
  m_hex->show(nullptr);
  m_pages->setCurrentWidget(m_body);
}

engine::Result<InstancePanel::Instances> InstancePanel::listInstances(const engine::Snapshot& snapshot,
                                                                      engine::Address methodTable,
                                                                      engine::Address selected, std::stop_token stop) {
  Instances instances;
  const engine::TypeId type = snapshot.typeOf(methodTable);
  if (type.isNone()) return instances;
  instances.count = snapshot.typeCounts().count[type.value];
  engine::ObjectFilter filter;
  filter.type = type;
  for (const engine::ObjectRow& row : engine::listObjects(snapshot, filter, 0, kMostListed, stop)) {
    instances.addresses.push_back(row.address);
  }
  const auto found = std::ranges::find(instances.addresses, selected);
  if (selected && found == instances.addresses.end()) {
    instances.addresses.insert(instances.addresses.begin(), selected);
    instances.beginsWithSelected = true;
  } else if (selected) {
    instances.at = static_cast<std::size_t>(found - instances.addresses.begin());
  }
  return instances;
}

void InstancePanel::show(engine::Address methodTable, engine::Address selected) {
  clear();
  m_bridge.ask(
      this, "instances",
      [methodTable, selected](const engine::Snapshot& snapshot, std::stop_token stop) {
        return listInstances(snapshot, methodTable, selected, stop);
      },
      [this](engine::Result<Instances> instances) { take(std::move(instances)); });
}

void InstancePanel::take(engine::Result<Instances> instances) {
  if (!instances) {
    showState(u"The objects cannot be listed"_s, fromEngine(instances.error().message()));
    return;
  }
  m_instances = std::move(*instances);
  if (m_instances.addresses.empty()) {
    showState(u"No object of this type"_s, u"The heap holds none, boxed or not, whose bytes could be shown."_s);
    return;
  }
  askForPage();
}

void InstancePanel::step(int by) {
  const auto last = static_cast<std::ptrdiff_t>(m_instances.addresses.size()) - 1;
  const auto at = static_cast<std::ptrdiff_t>(m_instances.at) + by;
  if (at < 0 || at > last) return;
  m_instances.at = static_cast<std::size_t>(at);
  askForPage();
}

void InstancePanel::askForPage() {
  m_bridge.ask(
      this, "instance",
      [address = m_instances.addresses[m_instances.at]](const engine::Snapshot& snapshot, std::stop_token) {
        return readObjectPage(snapshot, address, kLimits);
      },
      [this](engine::Result<std::shared_ptr<const ObjectPage>> page) { takePage(std::move(page)); });
}

void InstancePanel::takePage(engine::Result<std::shared_ptr<const ObjectPage>> page) {
  if (!page) {
    showState(u"The object cannot be read"_s, fromEngine(page.error().message()));
    return;
  }
  m_page = std::move(*page);
  m_hex->show(m_page);
  m_hex->select(m_selected);
  m_pages->setCurrentWidget(m_body);
  const QString address = addressText(m_page->address());
  const std::size_t number = m_instances.at + (m_instances.beginsWithSelected ? 0 : 1);
  m_which->setText(number == 0 ? u"%1 · one of %2"_s.arg(address, countText(m_instances.count))
                               : u"%1 · %2 of %3"_s.arg(address, countText(number), countText(m_instances.count)));
  if (m_instances.count > m_instances.addresses.size()) {
    m_which->setDetail(u"The first %1 can be stepped through."_s.arg(countText(m_instances.addresses.size())));
  }
  m_before->setEnabled(m_instances.at > 0);
  m_after->setEnabled(m_instances.at + 1 < m_instances.addresses.size());
  describe();
  Q_EMIT objectShown(*m_page);
}

void InstancePanel::showState(const QString& heading, const QString& text) {
  m_state->showEmpty(heading, text);
  m_pages->setCurrentWidget(m_state);
}

void InstancePanel::select(const ByteSpan& span) {
  m_selected = span;
  m_hex->select(span);
  describe();
}

void InstancePanel::describe() {
  const QString value = valueAt(m_selected);
  m_value->setText(value);
  m_value->setVisible(!value.isEmpty());  // else the address has its room
}

QString InstancePanel::valueAt(const ByteSpan& span) const {
  if (!m_page || span.isEmpty()) return {};
  const engine::FieldValue* field = fieldAt(m_page->object.fields, span);
  if (!field) return {};
  return u"%1 = %2"_s.arg(fieldNameText(field->name), valueText(field->value));
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/runtime/generics_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "models/rows/rows_panel.h"
#include "views/runtime/generic_rows.h"
#include "views/runtime/sharing_picture.h"
#include "widgets/arranging/split_page.h"
#include "widgets/section.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

namespace {

using Generics = RowListOf<engine::GenericDefinition>;
constexpr SplitPage::Shares kGenericsShares{.besideFrom = 190, .beside = 0.66, .above = 0.66};

RowsPanelSetup genericsSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("generics");
  setup.title = QStringLiteral("Generic types");
  setup.noun = QStringLiteral("generic types");
  setup.filterHint = QStringLiteral("Filter by name");
  setup.loading = QStringLiteral("Counting methods and code of generic types");
  setup.emptyHeading = QStringLiteral("No generic types");
  setup.emptyText = QStringLiteral("The runtime has loaded no instantiation of a generic type.");
  setup.columns = genericSchema().setups();
  return setup;
}

engine::Outcome<std::shared_ptr<const RowList>> loadGenerics(const engine::Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::GenericDefinition> list, engine::listGenerics(snapshot, {}, stop));
  return makeRowList(std::move(list), genericSchema());
}

}  // namespace

GenericsPanel::GenericsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_navigator(navigator),
      m_list(new RowsPanel(bridge, navigator, genericsSetup(), loadGenerics, this)),
      m_heading(makeHeading(QString(), this)),
      m_note(makeNote(QString(), this)),
      m_picture(new SharingPicture(this)),
      m_scroll(new QScrollArea(this)) {
  addParts();
  connect(m_list, &RowsPanel::rowPicked, this, &GenericsPanel::show);
  connect(m_list, &RowsPanel::loaded, this, [this] {
    if (m_list->rows()->size() > 0) m_list->pickFirst();
  });
  connect(m_picture, &SharingPicture::typePicked, this,
          [this](engine::Address type) { m_navigator.select({.object = {}, .methodTable = type, .segment = {}}); });
  connect(m_picture, &SharingPicture::typeActivated, this, &GenericsPanel::typeWanted);
  clear();
}

void GenericsPanel::addParts() {
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFrameShape(QFrame::NoFrame);
  auto* side = new QWidget(this);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 12, 0, 0);
  column->setSpacing(4);
  for (QLabel* label : {m_heading, m_note}) {
    label->setContentsMargins(16, 0, 16, 0);
    label->setWordWrap(true);
    column->addWidget(label);
  }
  column->addWidget(m_scroll, 1);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(new SplitPage(nullptr, m_list, side, kGenericsShares, this));
  setFocusProxy(m_list);
}

void GenericsPanel::load() {
  m_list->load();
}

void GenericsPanel::showWaiting(const QString& text) {
  m_list->showWaiting(text);
}

void GenericsPanel::showLacking() {
  m_list->showLacking();
}

void GenericsPanel::clear() {
  m_list->clear();
  m_picture->clear();
  m_heading->clear();
  m_note->setText(QStringLiteral("Pick a generic type to see which of its instantiations share their code."));
}

void GenericsPanel::follow(engine::Address methodTable) {
  m_picture->follow(methodTable);
}

void GenericsPanel::show(std::uint32_t row) {
  const engine::GenericDefinition& definition = static_cast<const Generics&>(*m_list->rows()).at(row);
  m_heading->setText(shortTypeName(definition.name));
  m_heading->setToolTip(fromEngine(definition.name));
  m_note->setText(
      QStringLiteral("%1, %2 of code. A box holds those that share one: they differ only in reference types.")
          .arg(countedText(definition.methodTables, QStringLiteral("instantiation")),
               countedText(definition.codeSets, QStringLiteral("set"))));
  m_picture->show(definition);
  m_scroll->verticalScrollBar()->setValue(0);
}

}  // namespace heapscape::gui

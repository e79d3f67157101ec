// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "models/rows/picked_sets.h"
#include "models/rows/rows_as_text.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/retained_query.h"
#include "views/references/dominators/dominator_breadcrumbs.h"
#include "views/references/dominators/dominator_forms.h"
#include "views/references/dominators/dominator_table.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/arranging/layouts.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/legend_chip.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

// Input of the dominator tree: look for something, zoom, pick, open the menu.

namespace heapscape::gui {
namespace {

constexpr int kPatienceMs = 250;
constexpr const char* kChannel = "scene";
constexpr const char* kFreedChannel = "freed";
const QString kDominatorZoom = u"dominators"_s;
constexpr int kFirstForm = static_cast<int>(DominatorForm::Icicle);

QString formKey() {
  return u"dominators/form"_s;
}

}  // namespace

DominatorView::DominatorView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_toolbar(new DominatorToolbar(this)),
      m_way(new DominatorBreadcrumbs(this)),
      m_table(new DominatorTable(bridge, this)),
      m_icicle(new DominatorIcicle(this)),
      m_sunburst(new DominatorSunburst(this)),
      m_treemap(new DominatorTreemap(this)),
      m_pictures{m_icicle, m_sunburst, m_treemap},
      m_cuts(new DominatorCuts(bridge, navigator, this)),
      m_legend(buildLegend()),
      m_state(new StatePanel(this)),
      m_forms(new QStackedWidget(this)),
      m_pages(new QStackedWidget(this)) {
  buildPage();
  connect(m_toolbar, &DominatorToolbar::formChanged, this, &DominatorView::showForm);
  connect(m_toolbar, &DominatorToolbar::searched, this, &DominatorView::search);
  connect(m_toolbar, &DominatorToolbar::stepWanted, this, &DominatorView::step);
  connect(m_toolbar, &DominatorToolbar::searchEdited, this, [this](const QString& text) {
    m_search.setText(text);
    showMatches();
  });
  connect(m_toolbar, &DominatorToolbar::exportWanted, this, [this] {
    if (m_scene) saveCollapsed(this, *m_scene);
  });
  connect(m_toolbar, &DominatorToolbar::treeChanged, this, [this] {
    m_isStale = true;
    m_isStepWanted = false;
    // On the other side there is nothing of it.
    const bool isSameSide = m_scene && m_scene->isOfGarbage == m_toolbar->isOfGarbage();
    if (m_marked && isSameSide) m_awaited = m_followed;
    m_marked.reset();
    catchUp();
  });
  connect(m_way, &DominatorBreadcrumbs::wanted, this, &DominatorView::goToStep);
  connect(m_table, &DominatorTable::picked, this, &DominatorView::pick);
  connect(m_table, &DominatorTable::opened, this, [this](const engine::DominatorNode& node) {
    if (m_snapshot) openDominator(m_navigator, selectionOf(node, *m_snapshot));
  });
  connect(m_table, &DominatorTable::zoomOutWanted, this, &DominatorView::zoomOut);
  connect(m_table, &DominatorTable::zoomWanted, this, [this](const DominatorWay& way) {
    DominatorWay whole = m_scene->way;
    whole.insert(whole.end(), way.begin() + 1, way.end());
    goDown(std::move(whole));
  });
  connect(m_table, &DominatorTable::menuWanted, this, [this](const engine::DominatorNode& node, QPoint position) {
    openMenu(node, std::nullopt, *m_table, position);
  });
  for (DominatorPicture* picture : m_pictures) connectPicture(picture);
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMs);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    m_state->showLoading(u"Laying out the dominator tree"_s);
    m_pages->setCurrentWidget(m_state);
  });
  m_toolbar->setForm(
      static_cast<DominatorForm>(std::clamp(QSettings().value(formKey(), kFirstForm).toInt(), 0, kDominatorForms - 1)));
  showForm();
  clear();
}

void DominatorView::buildPage() {
  m_forms->addWidget(m_table);
  for (DominatorPicture* picture : m_pictures) {
    m_forms->addWidget(picture);
    setPictureLegend(picture, m_legend);
  }
  m_pages->addWidget(m_forms);
  m_pages->addWidget(m_state);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  auto* way = new QHBoxLayout;
  way->setContentsMargins(12, 0, 0, 0);
  way->addWidget(m_toolbar->sides(), 0, Qt::AlignTop);
  way->addWidget(m_way, 1);
  column->addLayout(way);
  column->addWidget(m_pages, 1);
  column->addWidget(m_legend);
}

QWidget* DominatorView::buildLegend() {
  auto* legend = new QWidget(this);
  auto* flow = new FlowLayout(legend, 12);
  flow->setContentsMargins(12, 6, 12, 2);
  for (const DominatorFamily family : kDominatorFamilies) {
    flow->addWidget(new LegendChip(dominatorFamilyText(family), [family](const Colours& colours) {
      const QColor fill = dominatorColour(family, colours);
      ChipSample sample{fill, QPen(colours.outline(), 1)};
      if (family == DominatorFamily::Roots) sample.seam = rootSeamColour(Colours::textOn(fill), fill, colours);
      return sample;
    }));
  }
  auto* rest = new LegendChip(u"Others"_s, [](const Colours& colours) {
    return ChipSample{colours.freeSpaceBrush(), QPen(colours.outline(), 1)};
  });
  auto* own = new LegendChip(u"Blank: the object's own bytes"_s, [](const Colours& colours) {
    return ChipSample{colours.surface(), QPen(colours.outline(), 1)};
  });
  own->setToolTip(u"What an object takes up itself is left blank beneath it, behind all that it dominates"_s);
  m_freedChip = new LegendChip(u"Would be freed"_s, [](const Colours& colours) {
    return ChipSample{.fill = colours.paddingBrush(), .line = QPen(colours.outline(), 1), .isHatched = true};
  });
  m_freedChip->hide();
  flow->addWidget(rest);
  flow->addWidget(own);
  flow->addWidget(m_freedChip);
  return legend;
}

void DominatorView::connectPicture(DominatorPicture* picture) {
  connect(picture, &DominatorPicture::picked, this, [this](std::uint32_t shape) {
    const Location before = m_navigator.location();
    pick(m_scene->shapes[shape].node);
    m_isJustPicked = !(m_navigator.location() == before);
    QTimer::singleShot(0, this, [this] { m_isJustPicked = false; });
  });
  connect(picture, &DominatorPicture::zoomWanted, this, &DominatorView::zoomTo);
  connect(picture, &DominatorPicture::zoomOutWanted, this, &DominatorView::zoomOut);
  connect(picture, &DominatorPicture::wholeWanted, this, [this] { goDown({}); });
  connect(picture, &DominatorPicture::stepWanted, this, &DominatorView::goToStep);
  connect(picture, &DominatorPicture::opened, this, [this](std::uint32_t shape) {
    openDominator(m_navigator, selectionOf(m_scene->shapes[shape].node, *m_snapshot));
  });
  connect(picture, &DominatorPicture::menuWanted, this, [this, picture](std::uint32_t shape, QPoint position) {
    openMenu(m_scene->shapes[shape].node, shape, *picture, position);
  });
}

void DominatorView::showForm() {
  const DominatorForm form = m_toolbar->form();
  m_forms->setCurrentIndex(static_cast<int>(form));
  m_legend->setVisible(form != DominatorForm::Table);
  setFocusProxy(m_forms->currentWidget());
  showMatches();
  QSettings().setValue(formKey(), static_cast<int>(form));
}

void DominatorView::showSnapshot(const engine::Snapshot& snapshot) {
  m_snapshot = snapshot;
  m_steps.clear();  // their nodes are of the tree before
  m_isStepWanted = false;
  m_isStale = true;
  m_marked.reset();
  if (const engine::Address selected = m_navigator.location().selection.object) m_awaited = selected;
  catchUp();
}

void DominatorView::clear() {
  m_patience.stop();
  m_bridge.stopAsking(this, kChannel);
  m_snapshot.reset();
  m_steps.clear();
  m_step = 0;
  m_isStepWanted = false;
  m_isStale = false;
  m_set.clear();
  m_awaited = {};
  m_followed = {};
  m_marked.reset();
  m_toolbar->clearSearch();
  m_toolbar->setIsOfGarbage(false);
  setScene(nullptr);
}

void DominatorView::follow(const Location& location) {
  const engine::Address object = location.selection.object;
  const std::uint32_t step = location.zoomOf(kDominatorZoom);
  const bool isBack = location.place == PlaceId::References && step != 0 && step != m_step;
  if (isBack && location.set.isEmpty() && m_set.isEmpty() && showStep(step)) {
    m_followed = object;
    return;
  }
  if (location.set != m_set) {
    m_set = location.set;
    m_isStale = true;
    m_isStepWanted = false;
    m_marked.reset();
    // Who leaves a set without picking anything else looks at the whole again.
    m_awaited = object == m_followed ? engine::Address{} : object;
    m_followed = object;
    catchUp();
    return;
  }
  if (!object || object == m_followed) return;
  m_followed = object;
  m_toolbar->showNote({});
  if (m_scene && !m_isStale) {
    if (const engine::DominatorNode* shown = m_scene->nodeOf(object)) {
      mark(*shown);
      return;
    }
  }
  if (!m_set.isEmpty()) return;  // it is none of those that are shown
  m_isStepWanted = false;
  m_awaited = object;
  catchUp();
}

void DominatorView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  catchUp();
}

void DominatorView::catchUp() {
  if (!isVisible() || !m_snapshot) return;
  if (m_isStepWanted) {
    const Seen* seen = m_steps.find(m_step);
    look(seen ? seen->way : DominatorWay());
    return;
  }
  if (!m_set.isEmpty()) {
    if (m_isStale) lookAtSet();
  } else if (m_awaited) {
    reveal(m_awaited);
  } else if (m_isStale) {
    look({});
  }
}

void DominatorView::await() {
  if (!m_scene || m_isStale) m_patience.start();
}

void DominatorView::look(DominatorWay way) {
  if (!m_snapshot) return;
  // Above the set there is all that it was picked from.
  if (!m_set.isEmpty() && way.size() < 2) {
    m_navigator.showReferences(ReferencesPage::Dominators, m_navigator.location().selection);
    return;
  }
  askForScene(
      [grouping = m_toolbar->grouping(), way = std::move(way)](const engine::Snapshot& seen, std::stop_token stop) {
        return dominatorScene(seen, grouping, way, std::move(stop));
      },
      {});
}

void DominatorView::goDown(DominatorWay way) {
  if (!m_snapshot) return;
  if (m_set.isEmpty()) {
    m_step = m_steps.add({m_toolbar->grouping(), m_toolbar->isOfGarbage(), way});
    m_isStepWanted = true;
    if (m_isJustPicked) {
      m_navigator.keepZoom(kDominatorZoom, m_step);
    } else {
      m_navigator.zoom(kDominatorZoom, m_step);
    }
  }
  look(std::move(way));
}

bool DominatorView::showStep(std::uint32_t step) {
  const Seen* seen = m_steps.find(step);
  if (!m_snapshot || !seen) return false;
  m_step = step;
  m_isStepWanted = true;
  m_awaited = {};
  m_toolbar->setGrouping(seen->grouping);
  m_toolbar->setIsOfGarbage(seen->isOfGarbage);
  catchUp();
  return true;
}

// What was shown without being zoomed to, for what was picked elsewhere: back() is to find it again.
void DominatorView::keepStep() {
  if (std::exchange(m_isStepWanted, false) || !m_scene || !m_set.isEmpty()) return;
  m_step = m_steps.add({m_scene->grouping, m_scene->isOfGarbage, m_scene->way});
  if (m_navigator.location().place == PlaceId::References) m_navigator.keepZoom(kDominatorZoom, m_step);
}

void DominatorView::askForScene(const MakeScene& make, engine::Address wanted) {
  await();
  const auto take = [this, wanted](engine::Outcome<SharedScene> answer) { receive(std::move(answer), wanted); };
  if (!m_toolbar->isOfGarbage()) {
    m_bridge.ask(this, kChannel, make, take);
    return;
  }
  // The first time its tree has to be made.
  m_bridge.askLong(
      this, kChannel,
      [make](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
             std::stop_token stop) -> engine::Outcome<SharedScene> {
        HEAPSCAPE_TRY(const engine::Snapshot seen, dominatorSide(snapshot, true, progress, stop));
        return make(seen, std::move(stop));
      },
      [](const engine::Progress&) {}, take);
}

std::uint64_t DominatorView::wholeBytes() const {
  if (!m_snapshot) return 0;
  const engine::RetainedTotals totals = m_snapshot->retainedTotals();
  return m_toolbar->isOfGarbage() ? totals.garbageBytes() : totals.reachableBytes;
}

void DominatorView::lookAtSet() {
  const auto objects = PickedSets::of(m_bridge).find(m_set);
  if (!objects) {
    showNothing(u"There is no such set any more."_s);
    return;
  }
  m_toolbar->setIsOfGarbage(false);
  await();
  m_bridge.askLong(
      this, kChannel,
      [grouping = m_toolbar->grouping(), objects](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                                  std::stop_token stop) {
        return sceneOfSet(snapshot, grouping, *objects, progress, std::move(stop));
      },
      [](const engine::Progress&) {},
      [this](engine::Outcome<SharedScene> answer) {
        m_patience.stop();
        if (answer && *answer) {
          m_isStale = false;
          return setScene(*answer);
        }
        if (answer) return showNothing(u"No root leads to any object of the set any more."_s);
        if (!answer.error().isCancelled()) showFailure(answer.error().error());
      });
}

void DominatorView::showNothing(const QString& why) {
  setScene(nullptr);
  m_state->showEmpty(u"Nothing is live"_s, why);
  m_pages->setCurrentWidget(m_state);
}

void DominatorView::reveal(engine::Address object) {
  m_awaited = {};
  m_isStepWanted = false;
  const auto retained = engine::retainedOf(*m_snapshot, object);
  if (retained && (m_toolbar->isOfGarbage() ? retained->isReachable : retained->isGarbage)) {
    m_toolbar->setIsOfGarbage(retained->isGarbage);
    m_isStale = true;
  }
  askForScene(
      [grouping = m_toolbar->grouping(), object](const engine::Snapshot& seen, std::stop_token stop) {
        return sceneAround(seen, grouping, object, std::move(stop));
      },
      object);
}

void DominatorView::showMatches() {
  const bool isPicture = m_toolbar->form() != DominatorForm::Table;
  for (DominatorPicture* picture : m_pictures) picture->setMatches(m_search.matches());
  m_toolbar->showMatches(isPicture ? m_search.status() : QString(), isPicture && m_search.hasMatches());
}

void DominatorView::showCuts(std::shared_ptr<const engine::WhatIf> whatIf) {
  m_whatIf = std::move(whatIf);
  m_freedChip->setVisible(m_whatIf != nullptr);
  askForFreed();
}

void DominatorView::askForFreed() {
  m_bridge.stopAsking(this, kFreedChannel);
  for (DominatorPicture* picture : m_pictures) picture->setFreed(nullptr);
  if (!m_whatIf || !m_scene || m_scene->isOfGarbage || m_isStale) return;
  using Freed = std::shared_ptr<const std::vector<std::uint64_t>>;
  m_bridge.ask(
      this, kFreedChannel,
      [whatIf = m_whatIf, scene = m_scene](const engine::Snapshot& snapshot,
                                           std::stop_token stop) -> engine::Outcome<Freed> {
        HEAPSCAPE_TRY(auto freed,
                      engine::freedByShape(snapshot, *whatIf, scene->grouping, scene->shapes, std::move(stop)));
        return std::make_shared<const std::vector<std::uint64_t>>(std::move(freed));
      },
      [this, scene = m_scene](const engine::Outcome<Freed>& freed) {
        if (!freed || scene != m_scene) return;
        for (DominatorPicture* picture : m_pictures) picture->setFreed(*freed);
      });
}

void DominatorView::receive(engine::Outcome<SharedScene> answer, engine::Address wanted) {
  m_patience.stop();
  if (!answer) {
    if (!answer.error().isCancelled()) showFailure(answer.error().error());
    return;
  }
  if (*answer) {
    m_isStale = false;
    setScene(*answer);
    return;
  }
  m_toolbar->showNote(u"%1 is in no dominator tree"_s.arg(addressText(wanted)));
  if (!m_scene || m_isStale) look({});
}

void DominatorView::setScene(SharedScene scene) {
  m_scene = std::move(scene);
  keepStep();
  m_way->show(m_scene ? m_scene->way : DominatorWay());
  m_table->setScene(m_scene, wholeBytes());
  m_table->setColumnHidden(DominatorModel::AddressColumn,
                           m_scene && m_scene->grouping != engine::DominatorGrouping::Object);
  for (DominatorPicture* picture : m_pictures) picture->setScene(m_scene, wholeBytes());
  askForFreed();
  m_search.setScene(m_scene);
  showMatches();
  m_pages->setCurrentWidget(m_forms);
  if (!m_scene) return;
  if (m_scene->top().retainedBytes == 0 && m_scene->way.size() == 1) {
    if (m_scene->isOfGarbage)
      m_state->showEmpty(u"No garbage"_s, u"Roots lead to every object of this dump."_s);
    else
      m_state->showEmpty(u"Nothing is live"_s, u"No root leads to an object, so there is no dominator tree."_s);
    m_pages->setCurrentWidget(m_state);
  }
  mark(m_scene->marked ? m_scene->marked : markedIn(*m_scene));
}

// Of what is picked, and else what was marked before, though it is not drawn now.
std::optional<engine::DominatorNode> DominatorView::markedIn(const DominatorScene& scene) const {
  const engine::DominatorNode* picked = m_followed ? scene.nodeOf(m_followed) : nullptr;
  return picked ? std::optional(*picked) : m_marked;
}

void DominatorView::showFailure(const engine::Error& error) {
  m_state->showFailed(u"The dominator tree cannot be shown"_s, fromEngine(error.message()));
  m_state->setAction(u"Try again"_s, [this] { look({}); });
  m_pages->setCurrentWidget(m_state);
}

void DominatorView::mark(const std::optional<engine::DominatorNode>& node) {
  m_marked = node;
  const auto number = node ? std::optional(node->node) : std::nullopt;
  m_table->mark(number);
  for (DominatorPicture* picture : m_pictures) picture->mark(number);
}

void DominatorView::step(int step) {
  const std::optional<std::uint32_t> shape = m_search.next(step);
  if (!shape) return;
  pick(m_scene->shapes[*shape].node);
  showMatches();
}

// In a picture to the next of those that stand out; else, or where there are none, to the largest object of that type.
void DominatorView::search(const QString& text) {
  if (!m_snapshot) return;
  if (m_toolbar->form() != DominatorForm::Table && m_search.hasMatches()) {
    step(1);
    return;
  }
  m_bridge.ask(
      this, "search",
      [wanted = text.toStdString(), isOfGarbage = m_toolbar->isOfGarbage()](
          const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<engine::Address> {
        HEAPSCAPE_TRY(const engine::Snapshot seen, dominatorSide(snapshot, isOfGarbage, nullptr, stop));
        return findDominated(seen, wanted, std::move(stop));
      },
      [this, text](const engine::Outcome<engine::Address>& found) {
        if (found && *found && !m_set.isEmpty()) {
          m_navigator.showReferences(ReferencesPage::Dominators, {.object = *found, .methodTable = {}, .segment = {}});
        } else if (found && *found) {
          m_followed = *found;
          reveal(*found);
          m_navigator.select({.object = *found, .methodTable = {}, .segment = {}});
        } else if (found) {
          m_toolbar->showNote(u"Nothing here is called “%1”"_s.arg(text));
        }
      });
}

void DominatorView::zoomTo(std::uint32_t shape) {
  DominatorWay below;
  // Through a chain to where it divides.
  for (std::uint32_t i = shape; i != 0; i = m_scene->shapes[i].parent) {
    const engine::DominatorShape& step = m_scene->shapes[i];
    below.insert(below.end(), step.folded.rbegin(), step.folded.rend());
    below.push_back(step.node);
  }
  DominatorWay way = m_scene->way;
  way.insert(way.end(), below.rbegin(), below.rend());
  goDown(std::move(way));
}

void DominatorView::goToStep(std::size_t step) {
  if (m_scene) goDown(DominatorWay(m_scene->way.begin(), m_scene->way.begin() + static_cast<std::ptrdiff_t>(step) + 1));
}

void DominatorView::zoomOut() {
  if (!m_scene || m_scene->way.size() < 2) return;
  goDown(DominatorWay(m_scene->way.begin(), m_scene->way.end() - 1));
}

void DominatorView::pick(const engine::DominatorNode& node) {
  m_toolbar->showNote({});  // it was about what was picked before
  mark(node);
  const Selection selection = selectionOf(node, *m_snapshot);
  if (selection.isEmpty()) {
    m_navigator.tell({.kind = u"Dominators"_s,
                      .title = dominatorName(node),
                      .facts = {{u"Retains"_s, bytesText(node.retainedBytes)},
                                {m_toolbar->isOfGarbage() ? u"Of garbage"_s : u"Of what is live"_s,
                                 percentText(node.retainedBytes, wholeBytes())},
                                {u"Objects"_s, countText(node.retainedCount)}}});
    return;
  }
  m_followed = selection.object;
  m_navigator.select(selection);
}

void DominatorView::openMenu(const engine::DominatorNode& node, std::optional<std::uint32_t> shape,
                             const QWidget& source, QPoint globalPosition) {
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  const bool isRest = shape && m_scene->shapes[*shape].isRest;
  const bool isTop = node.node == m_scene->top().node;
  if (!isTop && !isRest && node.children > 0) {
    menu.addAction(symbolIcon(u"search"_s), u"Zoom in"_s, this,
                   [this, shape] { shape ? zoomTo(*shape) : m_table->zoomIntoCurrent(); });
  }
  if (m_scene->way.size() > 1) {
    menu.addAction(symbolIcon(u"back"_s), u"Zoom out"_s, this, &DominatorView::zoomOut);
    menu.addAction(symbolIcon(u"roots"_s), m_scene->isOfGarbage ? u"Back to all garbage"_s : u"Back to all roots"_s,
                   this, [this] { goDown({}); });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  if (!isRest) {
    m_cuts->addTo(menu, node, *m_scene);
    addDominatorLinks(menu, m_navigator, node, selectionOf(node, *m_snapshot));
    menu.addSeparator();
  }
  menu.addAction(symbolIcon(u"save"_s), u"Save for flame graph tools…"_s, this,
                 [this] { saveCollapsed(this, *m_scene); });
  menu.addActions(source.actions());
  menu.exec(globalPosition);
}

}  // namespace heapscape::gui

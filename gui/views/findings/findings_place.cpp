// SPDX-License-Identifier: MIT
#include "views/findings/findings_place.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>

#include "base/progress.h"
#include "models/address_target.h"
#include "models/cells/roles.h"
#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "tables/findings_table.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/finding_text.h"

namespace heapscape::gui {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(engine::FindingKind::NamesCut) + 1;

}  // namespace

RowSchema<FindingRow> findingSchema() {
  static const engine::TableOf<FindingRow> table = engine::findingsTable().within(&FindingRow::finding);
  RowSchema<FindingRow> schema{.table = &table};
  schema.columns.push_back({.setup = {.field = "kind", .letters = 31},
                            .words = [](const FindingRow& row) { return findingTitle(row.finding.kind); }});
  schema.columns.push_back({.setup = {.field = "address"}});
  schema.columns.push_back(
      {.setup = {.title = u"Found"_s, .letters = 14, .isExtra = true, .holdsContents = false},
       .words = [](const FindingRow& row) { return row.isOfCheck ? u"by the check"_s : u"on opening"_s; }});
  schema.columns.push_back({.setup = {.field = "message", .stretches = true}, .more = [](const FindingRow&, int role) {
                              return role == kCutAtEndRole ? QVariant(true) : QVariant();  // a sentence
                            }});
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    schema.kinds.push_back({.name = findingTitle(static_cast<engine::FindingKind>(kind)), .tip = {}});
  }
  schema.kindOf = [](const FindingRow& row) { return static_cast<std::size_t>(row.finding.kind); };
  schema.identity = [](const FindingRow& row) { return row.finding.address; };
  return schema;
}

/// Above the findings: what is known of the dump's health, and the button that checks the whole heap.
class CheckBar : public QWidget {
  Q_OBJECT

 public:
  explicit CheckBar(QWidget* parent = nullptr);

  enum class Health { Unknown, Good, Bad };

  void showIdle(const QString& headline, const QString& text, Health health);
  void showProgress(const engine::Progress& progress);
  void setCheckable(bool isCheckable);
  bool isRunning() const { return m_isRunning; }

 Q_SIGNALS:
  void checkWanted();
  void stopWanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void setRunning(bool isRunning);
  void updateLook();

  bool m_isRunning = false;
  Health m_health = Health::Unknown;
  QLabel* m_icon;
  QLabel* m_headline;
  QLabel* m_text;
  QProgressBar* m_progress;
  QPushButton* m_button;
};

namespace {

constexpr int kProgressSteps = 1000;

}  // namespace

CheckBar::CheckBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_headline(makeHeading(QString(), this, 1.2)),
      m_text(makeNote(QString(), this)),
      m_progress(new QProgressBar(this)),
      m_button(new QPushButton(this)) {
  m_headline->setObjectName(u"checkHeadline"_s);
  m_headline->setWordWrap(true);
  m_text->setObjectName(u"checkText"_s);
  m_progress->setRange(0, kProgressSteps);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(u"Progress of the check"_s);
  m_button->setObjectName(u"check"_s);
  connect(m_button, &QPushButton::clicked, this, [this] { m_isRunning ? Q_EMIT stopWanted() : Q_EMIT checkWanted(); });

  auto* words = new QVBoxLayout;
  words->setSpacing(4);
  words->addWidget(m_headline);
  words->addWidget(m_text);
  words->addWidget(m_progress);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(16, 12, 16, 8);
  line->setSpacing(12);
  line->addWidget(m_icon, 0, Qt::AlignTop);
  line->addLayout(words, 1);
  line->addWidget(m_button, 0, Qt::AlignTop);
  setFocusProxy(m_button);
  setRunning(false);
}

void CheckBar::setRunning(bool isRunning) {
  m_isRunning = isRunning;
  m_progress->setVisible(isRunning);
  m_button->setText(isRunning ? u"Stop"_s : u"Check the heap"_s);
  m_button->setToolTip(isRunning ? u"Stop the check; what it has found so far is dropped"_s
                                 : u"Look at every object, reference, handle, sync block and static"_s);
  m_button->setIcon(symbolIcon(isRunning ? u"close"_s : u"findings"_s));
}

void CheckBar::showIdle(const QString& headline, const QString& text, Health health) {
  setRunning(false);
  m_health = health;
  m_headline->setText(headline);
  m_text->setText(text);
  updateLook();
}

void CheckBar::showProgress(const engine::Progress& progress) {
  setRunning(true);
  m_headline->setText(u"Checking the heap"_s);
  m_text->setText(fromEngine(progress.activity));
  m_progress->setValue(qRound(progress.fraction * kProgressSteps));
}

void CheckBar::setCheckable(bool isCheckable) {
  m_button->setEnabled(isCheckable);
}

void CheckBar::updateLook() {
  const Colours colours(palette());
  m_icon->setVisible(m_health != Health::Unknown);
  const bool isGood = m_health == Health::Good;
  const QColor colour = isGood ? colours.of(engine::FieldKind::Primitive) : colours.warning();
  m_icon->setPixmap(
      symbolPixmap(isGood ? u"check"_s : u"warning"_s, colour, fontMetrics().height() * 3 / 2, devicePixelRatioF()));
}

void CheckBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) updateLook();
}

namespace {

constexpr auto kCheckChannel = "check";

RowsPanelSetup findingsSetup() {
  RowsPanelSetup setup;
  setup.name = u"findings"_s;
  setup.title = u"Findings"_s;
  setup.noun = u"findings"_s;
  setup.filterHint = u"Filter by words or address"_s;
  setup.columns = findingSchema().setups();
  return setup;
}

QString checkedText(const engine::HeapCheck& check) {
  QString text = u"%1, %2, %3, %4 and %5 were checked."_s.arg(
      countedText(check.objects, u"object"_s), countedText(check.references, u"reference"_s),
      countedText(check.handles, u"handle"_s), countedText(check.syncBlocks, u"sync block"_s),
      countedText(check.statics, u"static"_s));
  const std::uint64_t remains = check.ofDead.objects + check.ofDoubtful.objects;
  if (remains > 0) {
    text += QLatin1Char(' ');
    text += u"%1 with what a background collection leaves behind, which is normal."_s.arg(
        countedText(remains, u"dead object"_s));
  }
  return text;
}

}  // namespace

FindingsPlace::FindingsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_bar(new CheckBar(this)),
      m_list(new RowsPanel(bridge, navigator, findingsSetup(), {}, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bar);
  column->addWidget(m_list, 1);
  setFocusProxy(m_bar);
  connect(m_bar, &CheckBar::checkWanted, this, &FindingsPlace::check);
  connect(m_bar, &CheckBar::stopWanted, this, &FindingsPlace::stop);
  connect(m_list, &RowsPanel::rowActivated, this, &FindingsPlace::showAddress);
  clear();
}

void FindingsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_bar->show();
  m_bar->setCheckable(snapshot.has(engine::Stage::Objects));
  if (!m_bar->isRunning()) m_check ? showChecked() : showHealth();
  showRows();
}

void FindingsPlace::clear() {
  m_check.reset();
  m_bridge.stopAsking(this, kCheckChannel);
  m_bar->setCheckable(false);
  m_bar->showIdle({}, {}, CheckBar::Health::Unknown);
  m_bar->hide();  // the list says that there is none
  m_list->clear();
}

void FindingsPlace::check() {
  m_check.reset();
  showRows();
  m_bar->showProgress({.activity = {}, .fraction = 0});
  m_bridge.askLong(
      this, kCheckChannel,
      [](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::checkHeap(snapshot, progress, stop);
      },
      [this](const engine::Progress& progress) { m_bar->showProgress(progress); },
      [this](engine::Outcome<engine::HeapCheck> answer) {
        if (answer) {
          m_check = std::move(*answer);
          showHealth();
          showRows();
        } else if (!answer.error().isCancelled()) {
          m_bar->showIdle(u"The heap could not be checked"_s, fromEngine(answer.error().error().message()),
                          CheckBar::Health::Bad);
        }
      });
}

void FindingsPlace::stop() {
  m_bridge.stopAsking(this, kCheckChannel);
  showHealth();
}

void FindingsPlace::showHealth() {
  if (!m_bridge.snapshot()) return;
  if (m_check) {
    showChecked();
    return;
  }
  const std::size_t findings = m_bridge.snapshot()->findings().size() + m_bridge.snapshot()->findingsLeftOut();
  const QString offer = lacksHeap(*m_bridge.snapshot())
                            ? u"There is no heap in this dump that could be checked."_s
                            : u"A check looks at every object, reference, handle, sync block and static."_s;
  if (findings == 0) {
    const bool isOpened = m_bridge.snapshot()->has(engine::Stage::Layouts) || lacksHeap(*m_bridge.snapshot());
    m_bar->showIdle(isOpened ? u"No problems found while opening"_s : u"No problems found so far"_s, offer,
                    isOpened ? CheckBar::Health::Good : CheckBar::Health::Unknown);
  } else {
    m_bar->showIdle(
        findings == 1 ? u"1 finding while opening"_s : u"%1 findings while opening"_s.arg(countText(findings)), offer,
        CheckBar::Health::Bad);
  }
}

void FindingsPlace::showChecked() {
  const std::size_t found = m_check->findings.items().size() + m_check->findings.leftOut();
  const QString text = checkedText(*m_check);
  if (found == 0) {
    m_bar->showIdle(u"The heap is healthy"_s, text, CheckBar::Health::Good);
  } else {
    m_bar->showIdle(found == 1 ? u"The check found 1 thing"_s : u"The check found %1 things"_s.arg(countText(found)),
                    text, CheckBar::Health::Bad);
  }
}

// The check meets again what the references were found to lack, and says more of it.
bool FindingsPlace::isReportedByCheck(const engine::Finding& finding) const {
  return m_check && std::ranges::any_of(m_check->findings.items(), [&](const engine::Finding& checked) {
           return checked.kind == finding.kind && checked.address == finding.address;
         });
}

void FindingsPlace::showRows() {
  if (!m_bridge.snapshot()) return;
  std::vector<FindingRow> rows;
  for (const engine::Finding& finding : m_bridge.snapshot()->findings()) {
    if (!isReportedByCheck(finding)) rows.push_back({finding, false});
  }
  std::size_t leftOut = m_bridge.snapshot()->findingsLeftOut();
  if (m_check) {
    for (const engine::Finding& finding : m_check->findings.items()) rows.push_back({finding, true});
    leftOut += m_check->findings.leftOut();
  }
  m_list->setNote(leftOut == 0 ? QString() : u"%1 more of the same are not listed."_s.arg(countText(leftOut)));
  if (m_check) {
    m_list->setEmptyText(u"No findings"_s, u"Neither opening nor the check has met anything wrong."_s);
  } else {
    m_list->setEmptyText(u"No findings"_s,
                         u"All that was read on opening fits together. “Check the heap” checks everything."_s);
  }
  m_list->setRows(makeRowList(std::move(rows), findingSchema()));
}

void FindingsPlace::showAddress(std::uint32_t row) {
  const engine::Address address{m_list->rows()->identity(row)};
  if (!address) return;
  m_bridge.ask(
      this, "explain",
      [address](const engine::Snapshot& snapshot, std::stop_token stop) {
        return findAddressTargets(snapshot, address, stop);
      },
      [this](const engine::Outcome<std::vector<AddressTarget>>& targets) {
        if (targets && !targets->empty() && canShow(targets->front())) showTarget(m_navigator, targets->front());
      });
}

}  // namespace heapscape::gui

#include "findings_place.moc"

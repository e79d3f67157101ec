// SPDX-License-Identifier: MIT
#include "views/insights/insights_filter.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "models/names/insight_text.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/filter_line.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kRestMs = 150;
constexpr int kKindLetters = 16;

}  // namespace

InsightsFilter::InsightsFilter(QWidget* parent)
    : QWidget(parent),
      m_words(new QLineEdit(this)),
      m_kind(new QComboBox(this)),
      m_grouping(new QComboBox(this)),
      m_chipBox(new QWidget(this)),
      m_chipLine(new FlowLayout(m_chipBox, 6)),
      m_framework(new QCheckBox(this)),
      m_count(new QLabel(this)),
      m_rest(new QTimer(this)) {
  buildWords();
  buildChoices();
  addParts();
}

void InsightsFilter::buildWords() {
  m_words->setObjectName(QStringLiteral("insightsFilter"));
  m_words->setPlaceholderText(QStringLiteral("Filter by words"));
  m_words->setAccessibleName(QStringLiteral("Filter by words or owner"));
  setUpFilter(m_words);
  m_words->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMs);
  connect(m_rest, &QTimer::timeout, this, [this] {
    m_question.text = m_words->text();
    Q_EMIT changed();
  });
  connect(m_words, &QLineEdit::textChanged, this, [this] {
    m_isTextOld = false;
    m_rest->start();
  });
}

void InsightsFilter::buildChoices() {
  m_kind->setObjectName(QStringLiteral("insightsKind"));
  m_kind->setAccessibleName(QStringLiteral("Kind of insights"));
  m_kind->setToolTip(QStringLiteral("Only insights of one kind"));
  m_kind->setMinimumHeight(m_words->minimumHeight());
  m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_kind->setMinimumContentsLength(kKindLetters);
  connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int index) {
    const QVariant kind = m_kind->itemData(index);
    m_question.kind.reset();
    if (kind.isValid()) m_question.kind = static_cast<engine::InsightKind>(kind.toInt());
    Q_EMIT changed();
  });
  m_grouping->setObjectName(QStringLiteral("insightsGroup"));
  m_grouping->setAccessibleName(QStringLiteral("Group the insights by"));
  m_grouping->setMinimumHeight(m_words->minimumHeight());
  for (int grouping = 0; grouping < kInsightGroupings; ++grouping)
    m_grouping->addItem(
        QStringLiteral("By %1").arg(insightGroupingText(static_cast<InsightGrouping>(grouping)).toLower()));
  connect(m_grouping, &QComboBox::activated, this, [this](int index) {
    m_question.grouping = static_cast<InsightGrouping>(index);
    Q_EMIT regrouped();
    Q_EMIT changed();
  });
  m_framework->setObjectName(QStringLiteral("insightsFramework"));
  m_framework->setToolTip(QStringLiteral("What the framework's own types hold alone: not yours to change"));
  m_framework->setMinimumHeight(24);
  connect(m_framework, &QCheckBox::toggled, this, [this](bool isOn) {
    m_question.includesFramework = isOn;
    showChoices();
    Q_EMIT changed();
  });
  m_count->setObjectName(QStringLiteral("insightsCount"));
  m_count->setForegroundRole(QPalette::PlaceholderText);
}

void InsightsFilter::addParts() {
  auto* choices = new QWidget(this);
  auto* choiceLine = new FlowLayout(choices, 12);
  choiceLine->addWidget(m_kind);
  choiceLine->addWidget(m_grouping);
  auto* line = new HeadLayout;
  line->addWidget(m_words);
  line->addWidget(choices);
  line->addWidget(m_count);
  auto* chips = new QHBoxLayout;
  chips->setSpacing(12);
  chips->addWidget(m_chipBox, 1);
  chips->addWidget(m_framework);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 4, 12, 8);
  column->setSpacing(8);
  column->addLayout(line);
  column->addLayout(chips);
  setFocusProxy(m_words);
}

void InsightsFilter::show(std::shared_ptr<const FoundInsights> found) {
  m_found = std::move(found);
  showSwitch();
  showChoices();
}

void InsightsFilter::clear() {
  m_rest->stop();
  m_found.reset();
  m_question.text = m_words->text();
  m_isTextOld = !m_question.text.isEmpty();
  m_question.meanings.clear();
  m_question.kind.reset();
  m_count->clear();
  showChoices();
}

void InsightsFilter::showListed(std::uint64_t listed) {
  const std::size_t all = m_found->list.insights.size();
  const QString whole = countedText(all, QStringLiteral("insight"));
  m_count->setText(listed == all ? whole : QStringLiteral("%1 of %2").arg(countText(listed), whole));
}

bool InsightsFilter::dropUnlessFound(bool isFound) {
  if (!std::exchange(m_isTextOld, false) || isFound) return false;
  makeWay();
  return true;
}

void InsightsFilter::chooseKind(engine::InsightKind kind) {
  m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(kind)));
}

void InsightsFilter::includeFramework() {
  m_framework->setChecked(true);
}

void InsightsFilter::makeWay() {
  m_question.meanings.clear();
  m_question.kind.reset();
  m_question.text.clear();
  const QSignalBlocker quiet(m_words);
  m_words->clear();
  m_rest->stop();
  showChoices();
  Q_EMIT changed();
}

// Where all that was found is the framework's, there is nothing else to show.
void InsightsFilter::showSwitch() {
  const std::vector<engine::Insight>& insights = m_found->list.insights;
  const auto framework = static_cast<std::size_t>(std::ranges::count(insights, true, &engine::Insight::isFramework));
  const QSignalBlocker quiet(m_framework);
  if (framework == insights.size()) m_framework->setChecked(true);
  m_question.includesFramework = m_framework->isChecked();
  m_framework->setText(QStringLiteral("The framework's own (%1)").arg(countText(framework)));
  m_framework->setVisible(framework > 0);
}

void InsightsFilter::showChoices() {
  const InsightCounts counts = m_found ? countInsights(*m_found, m_question.includesFramework) : InsightCounts();
  showKinds(counts);
  showMeanings(counts);
}

void InsightsFilter::showKinds(const InsightCounts& counts) {
  const QSignalBlocker quiet(m_kind);
  m_kind->clear();
  m_kind->addItem(QStringLiteral("All kinds"));
  for (std::size_t index = 0; index < counts.kinds.size(); ++index) {
    if (counts.kinds[index] == 0) continue;
    const auto kind = static_cast<engine::InsightKind>(index);
    m_kind->addItem(QStringLiteral("%1 (%2)").arg(insightKindText(kind), countText(counts.kinds[index])),
                    static_cast<int>(index));
    m_kind->setItemData(m_kind->count() - 1, insightKindTip(kind), Qt::ToolTipRole);
    if (kind == m_question.kind) m_kind->setCurrentIndex(m_kind->count() - 1);
  }
  m_kind->setVisible(m_kind->count() > 2);
}

void InsightsFilter::showMeanings(const InsightCounts& counts) {
  for (BarRow* chip : m_chips) {
    m_chipLine->removeWidget(chip);
    chip->hide();
    chip->deleteLater();
  }
  m_chips.clear();
  for (std::size_t index = 0; index < counts.meanings.size(); ++index) {
    const auto meaning = static_cast<engine::InsightMeaning>(index);
    const std::uint64_t count = counts.meanings[index];
    if (count == 0) continue;
    auto* chip = makeKindChip(insightMeaningText(meaning), count, m_found->list.insights.size(), m_chipBox);
    chip->setObjectName(QStringLiteral("insightsMeaning%1").arg(index));
    chip->setToolTip(insightMeaningTip(meaning));
    chip->setChecked(m_question.meanings.contains(meaning));
    connect(chip, &QAbstractButton::toggled, this, [this, meaning](bool isOn) {
      isOn ? static_cast<void>(m_question.meanings.insert(meaning))
           : static_cast<void>(m_question.meanings.erase(meaning));
      Q_EMIT changed();
    });
    m_chipLine->addWidget(chip);
    m_chips.push_back(chip);
  }
}

}  // namespace heapscape::gui

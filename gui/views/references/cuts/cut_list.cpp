// SPDX-License-Identifier: MIT
#include "views/references/cuts/cut_list.h"

#include <algorithm>
#include <utility>

#include "models/rows/picked_sets.h"
#include "review/review_cells.h"
#include "tables/cut_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "cuts";
constexpr std::size_t kMostUndone = 200;

using Sets = std::shared_ptr<const engine::ObjectSets>;

engine::Outcome<std::shared_ptr<const CutAnswer>> answerOf(const engine::Snapshot& snapshot, const QStringList& asked,
                                                           const Sets& sets, engine::ProgressSink* progress,
                                                           std::stop_token stop) {
  const auto setNamed = [&](std::string_view name) -> engine::Outcome<std::vector<std::uint32_t>> {
    const auto known = sets ? sets->find(std::string(name)) : engine::ObjectSets::const_iterator();
    return sets && known != sets->end() ? *known->second : std::vector<std::uint32_t>();
  };
  std::vector<engine::Cut> cuts;
  std::vector<FailedCut> failed;
  for (const QString& text : asked) {
    auto cut = engine::readCut(snapshot, text.toStdString(), stop, setNamed);
    if (cut) {
      cuts.push_back(std::move(*cut));
    } else if (cut.error().isCancelled()) {
      return tl::unexpected(cut.error());
    } else {
      failed.push_back({text, fromEngine(cut.error().error().what)});
    }
  }
  HEAPSCAPE_TRY(engine::WhatIf whatIf, engine::WhatIf::ask(snapshot, std::move(cuts), progress, stop));
  HEAPSCAPE_TRY(std::vector<engine::FreedType> types, whatIf.types(std::move(stop)));
  std::vector<engine::RetainedRow> objects = whatIf.outermost(kFreedObjects);
  return std::make_shared<const CutAnswer>(
      CutAnswer{asked, std::move(whatIf), std::move(failed), std::move(types), std::move(objects)});
}

}  // namespace

CutList::CutList(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

void CutList::addAll(const QStringList& cuts) {
  QStringList all = m_cuts;
  for (const QString& cut : cuts) {
    if (!all.contains(cut)) all << cut;
  }
  if (all != m_cuts) change(std::move(all));
}

void CutList::remove(const QString& cut) {
  QStringList cuts = m_cuts;
  if (cuts.removeOne(cut)) change(std::move(cuts));
}

void CutList::removeAll() {
  if (!m_cuts.isEmpty()) change({});
}

void CutList::change(QStringList cuts) {
  m_past.push_back(std::exchange(m_cuts, std::move(cuts)));
  if (m_past.size() > kMostUndone) m_past.erase(m_past.begin());
  m_future.clear();
  ask();
}

void CutList::undo() {
  if (!canUndo()) return;
  m_future.push_back(std::exchange(m_cuts, std::move(m_past.back())));
  m_past.pop_back();
  ask();
}

void CutList::redo() {
  if (!canRedo()) return;
  m_past.push_back(std::exchange(m_cuts, std::move(m_future.back())));
  m_future.pop_back();
  ask();
}

void CutList::showSnapshot(const engine::Snapshot& snapshot) {
  if (snapshot.has(engine::Stage::Retained)) ask();
}

void CutList::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_cuts.clear();
  m_past.clear();
  m_future.clear();
  m_answer.reset();
  m_isAsking = false;
  m_trouble.clear();
  Q_EMIT changed();
}

void CutList::ask() {
  m_bridge.stopAsking(this, kChannel);
  m_trouble.clear();
  const engine::Snapshot* snapshot = m_bridge.snapshot();
  m_isAsking = !m_cuts.isEmpty() && snapshot && snapshot->has(engine::Stage::Retained);
  if (m_cuts.isEmpty()) m_answer.reset();
  Q_EMIT changed();
  if (!m_isAsking) return;
  const auto query = [asked = m_cuts, sets = PickedSets::of(m_bridge).sets()](
                         const engine::Snapshot& of, engine::ProgressSink* progress, std::stop_token stop) {
    return answerOf(of, asked, sets, progress, std::move(stop));
  };
  const auto told = [this](const engine::Progress& progress) { Q_EMIT progressed(progress); };
  m_bridge.askLong(this, kChannel, query, told,
                   [this](engine::Outcome<std::shared_ptr<const CutAnswer>> answer) { take(std::move(answer)); });
}

void CutList::take(engine::Outcome<std::shared_ptr<const CutAnswer>> answer) {
  if (!answer && answer.error().isCancelled()) return;
  m_isAsking = false;
  m_answer = answer ? *answer : nullptr;
  if (!answer) m_trouble = fromEngine(answer.error().error().message());
  Q_EMIT changed();
}

QString CutList::command() const {
  QStringList words{u"heapscape-cli retained"_s, shellWord(m_bridge.path())};
  const engine::RootOptions& roots = m_bridge.rootOptions();
  if (!roots.includeStacks) words << u"--no-stacks"_s;
  if (!roots.includeInexact) words << u"--exact"_s;
  for (const QString& cut : m_cuts) words << u"--without"_s << shellWord(cut);
  return words.join(QLatin1Char(' '));
}

QString shellWord(const QString& word) {
  constexpr QLatin1String kPlain("+-_./:,=@%");
  const auto isPlain = [&](QChar letter) {
    return (letter.unicode() < 128 && letter.isLetterOrNumber()) || kPlain.contains(letter);
  };
  if (!word.isEmpty() && std::ranges::all_of(word, isPlain)) return word;
  QString quoted = word;
  quoted.replace(QLatin1Char('\''), u"'\\''"_s);
  return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString freedText(const CutAnswer& answer) {
  const engine::Retained freed = answer.whatIf.freed();
  const QString cuts = countedText(answer.whatIf.cuts().size(), u"cut"_s);
  if (freed.objects == 0) return u"%1 would free nothing: something else holds it all"_s.arg(cuts);
  return u"%1 would free %2 in %3: %4 of what is live"_s.arg(
      cuts, bytesText(freed.bytes), countedText(freed.objects, u"object"_s),
      percentText(freed.bytes, answer.whatIf.snapshot().retainedTotals().reachableBytes));
}

QString togetherText(const CutAnswer& answer) {
  std::uint64_t alone = 0;
  for (const engine::CutShare& share : answer.whatIf.cuts()) alone += share.alone.bytes;
  const std::uint64_t freed = answer.whatIf.freed().bytes;
  if (alone == freed) return {};
  if (alone > freed) return u"Separately they add up to %1; they overlap."_s.arg(bytesText(alone));
  return u"Separately they add up to %1: the rest is retained by several of them together."_s.arg(bytesText(alone));
}

engine::ReviewPage cutPage(const CutAnswer& answer) {
  const std::vector<engine::CutShare>& cuts = answer.whatIf.cuts();
  engine::ReviewTable table =
      engine::describedRows(engine::cutsTable().over(cuts), {"name", "kind", "places", "objects", "bytes", "cut"}, {});
  const engine::Retained freed = answer.whatIf.freed();
  const auto figure = [](std::uint64_t number, const QString& text) {
    return engine::ReviewCell{.text = text.toStdString(), .number = static_cast<std::int64_t>(number)};
  };
  if (cuts.size() > 1) {
    table.rows.push_back({{.text = u"All together"_s.toStdString()},
                          {},
                          {},
                          figure(freed.objects, countText(freed.objects)),
                          figure(freed.bytes, bytesText(freed.bytes)),
                          {}});
  }
  return {.title = u"What if: %1"_s.arg(freedText(answer)).toStdString(),
          .remark = u"Exact: all that no root leads to any more without the cuts. %1"_s.arg(togetherText(answer))
                        .trimmed()
                        .toStdString(),
          .content = std::move(table)};
}

}  // namespace heapscape::gui

// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_scene.h"

#include <QDir>
#include <QMessageBox>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "bridge/literals.h"
#include "session/details/go_to.h"
#include "session/dominators/collapsed_stacks.h"
#include "session/dominators/dominator_chains.h"
#include "session/open/garbage_tree.h"
#include "widgets/file_to_write.h"

namespace heapscape::gui {

namespace {

using engine::DominatorNode;
using engine::Outcome;

constexpr double kSmallestShape = 0.0004;  // less than a pixel and a half on a wide screen
constexpr std::size_t kMostShapes = 4000;
// So large is what was looked for, at least, beside the top: then it is among the first 200 on each level.
constexpr double kSmallestMarked = 0.008;
constexpr std::size_t kLevelsAroundMarked = 12;

/// How much of the way is left above the mark for it to be still in sight.
std::size_t topFor(const DominatorWay& way) {
  const auto marked = static_cast<double>(way.back().retainedBytes);
  std::size_t top = way.size() - 1;
  while (top > 0 && way.size() - top <= kLevelsAroundMarked &&
         marked >= kSmallestMarked * static_cast<double>(way[top - 1].retainedBytes)) {
    --top;
  }
  return top;
}

}  // namespace

const DominatorNode* DominatorScene::nodeOf(engine::Address object) const {
  const auto isIt = [object](const DominatorNode& node) {
    return node.object == object && node.kind != engine::DominatorKind::Root;
  };
  for (const engine::DominatorShape& shape : shapes) {
    if (isIt(shape.node)) return &shape.node;
    const auto folded = std::ranges::find_if(shape.folded, isIt);
    if (folded != shape.folded.end()) return &*folded;
  }
  return nullptr;
}

Outcome<engine::Snapshot> dominatorSide(const engine::Snapshot& snapshot, bool isOfGarbage,
                                        engine::ProgressSink* progress, std::stop_token stop) {
  if (!isOfGarbage) return snapshot;
  return engine::seenFromGarbage(snapshot, progress, std::move(stop));
}

Outcome<SharedScene> dominatorScene(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                    DominatorWay way, std::stop_token stop) {
  DominatorScene scene;
  scene.grouping = grouping;
  scene.isOfGarbage = engine::isSeenFromGarbage(snapshot);
  scene.way = std::move(way);
  engine::DominatorPictureOptions options;
  options.top = scene.way.empty() ? 0 : scene.top().node;
  options.smallestShare = kSmallestShape;
  options.shapes = kMostShapes;
  HEAPSCAPE_TRY(scene.unfolded, engine::dominatorPicture(snapshot, grouping, options, stop));
  scene.shapes = engine::foldChains(scene.unfolded);
  HEAPSCAPE_TRY(engine::DominatorPage page,
                engine::dominatedBy(snapshot, grouping, options.top, 0, kDominatorPage, stop));
  if (scene.way.empty()) scene.way.push_back(scene.shapes[0].node);
  scene.opened.push_back(options.top);
  scene.pages.push_back(std::move(page));
  return std::make_shared<const DominatorScene>(std::move(scene));
}

Outcome<SharedScene> sceneAround(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                 engine::Address object, std::stop_token stop) {
  HEAPSCAPE_TRY(DominatorWay way, engine::dominatorsOf(snapshot, grouping, object, stop));
  if (way.empty()) return SharedScene();
  const auto top = static_cast<std::ptrdiff_t>(topFor(way));
  HEAPSCAPE_TRY(const SharedScene found,
                dominatorScene(snapshot, grouping, DominatorWay(way.begin(), way.begin() + top + 1), stop));
  DominatorScene scene = *found;
  scene.marked = way.back();
  for (auto step = way.begin() + top + 1; step < way.end() - 1; ++step) {
    HEAPSCAPE_TRY(engine::DominatorPage page,
                  engine::dominatedBy(snapshot, grouping, step->node, 0, kDominatorPage, stop));
    scene.opened.push_back(step->node);
    scene.pages.push_back(std::move(page));
  }
  return std::make_shared<const DominatorScene>(std::move(scene));
}

Outcome<SharedScene> sceneOfSet(const engine::Snapshot& snapshot, engine::DominatorGrouping grouping,
                                const std::vector<std::uint32_t>& objects, engine::ProgressSink* progress,
                                std::stop_token stop) {
  HEAPSCAPE_TRY(DominatorNode whole, engine::wholeOf(snapshot, grouping, stop));
  HEAPSCAPE_TRY(std::optional<DominatorNode> set,
                engine::dominatorNodeOfSet(snapshot, grouping, objects, progress, stop));
  if (!set) return SharedScene();
  return dominatorScene(snapshot, grouping, {std::move(whole), std::move(*set)}, stop);
}

Outcome<engine::Address> findDominated(const engine::Snapshot& snapshot, const std::string& text,
                                       std::stop_token stop) {
  constexpr std::size_t kLookedAt = 20;
  for (const engine::Destination& destination : engine::findDestinations(snapshot, text, kLookedAt)) {
    if (destination.object) return destination.object;
    if (destination.kind != engine::Destination::Kind::Type) continue;
    const auto& types = snapshot.types();
    const auto type = std::ranges::find(types, destination.methodTable, &engine::TypeRow::methodTable);
    if (type == types.end()) continue;
    const engine::TypeId id{static_cast<std::uint32_t>(type - types.begin())};
    HEAPSCAPE_TRY(const engine::Address largest, engine::largestOfType(snapshot, id, stop));
    if (largest) return largest;
  }
  return engine::Address{};
}

QByteArray collapsedText(const DominatorScene& scene) {
  QByteArray text;
  engine::forEachCollapsedStack(scene.unfolded, false, [&](std::string_view frames, std::uint64_t bytes) {
    text.append(frames.data(), static_cast<qsizetype>(frames.size()));
    text.append(' ').append(QByteArray::number(static_cast<qulonglong>(bytes))).append('\n');
    return true;
  });
  return text;
}

void saveCollapsed(QWidget* parent, const DominatorScene& scene) {
  const QString title = u"Save for flame graph tools"_s;
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString path = askFileToWrite(parent->window(), title, QDir(folder).filePath(u"dominators.collapsed"_s),
                                      u"collapsed"_s, u"Collapsed stacks (*.collapsed *.folded *.txt)"_s);
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const QByteArray text = collapsedText(scene);
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return;
  QMessageBox::warning(parent->window(), title, u"%1 could not be written."_s.arg(QDir::toNativeSeparators(path)));
}

}  // namespace heapscape::gui

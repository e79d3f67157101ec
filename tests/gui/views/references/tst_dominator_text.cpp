// SPDX-License-Identifier: MIT
// What is said of the nodes of the dominator tree; without a dump.
#include <QPalette>
#include <QTest>

#include "support/window_test.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::DominatorKind;
using engine::DominatorNode;
using engine::DominatorShape;

Colours plainColours() {
  return Colours(QPalette(Qt::white));
}

DominatorNode nodeOf(DominatorKind kind, const char* name, std::uint64_t objects = 1, std::uint64_t roots = 0) {
  DominatorNode node;
  node.kind = kind;
  node.name = name;
  node.objects = objects;
  node.roots = roots;
  return node;
}

QString labelOf(DominatorKind kind, const char* name, std::uint64_t objects = 1, std::uint64_t roots = 0) {
  return dominatorLabel(nodeOf(kind, name, objects, roots));
}

QStringList bubbleFacts(const DominatorNode& node, std::uint64_t whole = 1'000) {
  DominatorShape shape;
  shape.node = node;
  return dominatorBubble(shape, whole, plainColours()).facts;
}

}  // namespace

class DominatorTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void namesAreFullAndNeverEmpty() {
    QCOMPARE(dominatorName(nodeOf(DominatorKind::Whole, "")), QStringLiteral("All roots"));
    QCOMPARE(dominatorName(nodeOf(DominatorKind::Whole, "whatever")), QStringLiteral("All roots"));
    for (const DominatorKind kind : {DominatorKind::RootGroup, DominatorKind::Root, DominatorKind::Object,
                                     DominatorKind::Type, DominatorKind::Namespace})
      QCOMPARE(dominatorName(nodeOf(kind, "")), QStringLiteral("(unknown)"));
    QCOMPARE(dominatorName(nodeOf(DominatorKind::Type, "Shop.Box<Shop.Order>")),
             QStringLiteral("Shop.Box<Shop.Order>"));
  }

  void namesThatAProgramGaveAThreadAreHiddenWithContents() {
    const DominatorNode stack = nodeOf(DominatorKind::RootGroup, "stack of thread 5 \"Alice\"");
    const DominatorNode type = nodeOf(DominatorKind::Type, "Shop.Order");
    QVERIFY(dominatorName(stack).contains(QStringLiteral("Alice")));
    const HiddenContents hidden;
    QCOMPARE(dominatorName(stack), QStringLiteral("stack of thread 5"));
    QVERIFY(!dominatorLabel(stack).contains(QStringLiteral("Alice")));
    QCOMPARE(dominatorName(type), QStringLiteral("Shop.Order"));
  }

  void labelsOfTypesAreShortAndThoseOfNamespacesWhole() {
    QCOMPARE(labelOf(DominatorKind::Type, "Shop.Orders.Order"), QStringLiteral("Order"));
    QCOMPARE(labelOf(DominatorKind::Object, "Shop.Box<Shop.Order>[]"), QStringLiteral("Box<Order>[]"));
    QCOMPARE(labelOf(DominatorKind::Namespace, "Shop.Orders"), QStringLiteral("Shop.Orders"));
    QCOMPARE(labelOf(DominatorKind::Object, ""), QStringLiteral("(unknown)"));
  }

  void aStaticIsNamedWithoutSayingSo() {
    QVERIFY(!labelOf(DominatorKind::Root, "static Shop.Statics.orders").startsWith(QStringLiteral("static")));
    QVERIFY(labelOf(DominatorKind::Root, "static Shop.Statics.orders").endsWith(QStringLiteral("orders")));
    QCOMPARE(labelOf(DominatorKind::RootGroup, "static Shop.Statics"), QStringLiteral("static Shop.Statics"));
  }

  void labelsSayHowManyTheyStandFor() {
    QCOMPARE(labelOf(DominatorKind::Type, "Shop.Order", 12'345), QStringLiteral("Order × 12,345"));
    QCOMPARE(labelOf(DominatorKind::Type, "Shop.Order", 1, 9), QStringLiteral("Order"));
    QCOMPARE(labelOf(DominatorKind::Root, "pinned handle", 9, 2), QStringLiteral("pinned handle × 2"));
    QCOMPARE(labelOf(DominatorKind::Namespace, "Shop", 9), QStringLiteral("Shop"));
  }

  void whatIsTooSmallToBeDrawnIsCounted() {
    DominatorShape rest;
    rest.isRest = true;
    rest.siblings = 1;
    QCOMPARE(dominatorLabel(rest), QStringLiteral("1 more"));
    rest.siblings = 1'234;
    QCOMPARE(dominatorLabel(rest), QStringLiteral("1,234 smaller"));
    rest.node.retainedBytes = 500;
    rest.node.retainedCount = 2;
    const BubbleText bubble = dominatorBubble(rest, 1'000, plainColours());
    QCOMPARE(bubble.title, QStringLiteral("1,234 smaller"));
    QCOMPARE(bubble.facts,
             (QStringList{QStringLiteral("too small to be drawn one by one"),
                          QStringLiteral("retain 500 bytes · 50.0% of what is live"), QStringLiteral("2 objects")}));
  }

  void aBubbleSaysWhatANodeIs() {
    DominatorNode node = nodeOf(DominatorKind::Object, "Shop.Order");
    node.object = {0x7f10};
    node.retainedBytes = 1'000;
    node.retainedCount = 1;
    QCOMPARE(bubbleFacts(node),
             (QStringList{QStringLiteral("object at 0x7f10"),
                          QStringLiteral("retains 1,000 bytes · 100% of what is live"), QStringLiteral("1 object")}));
    node.bytes = 24;
    QCOMPARE(bubbleFacts(node).last(), QStringLiteral("24 bytes of its own"));
    node.kind = DominatorKind::Type;
    QCOMPARE(bubbleFacts(node).first(), QStringLiteral("object at 0x7f10"));
    node.objects = 2;
    QCOMPARE(bubbleFacts(node).first(), QStringLiteral("2 objects of this type"));
    node.kind = DominatorKind::Namespace;
    QCOMPARE(bubbleFacts(node).first(), QStringLiteral("2 objects of types in this namespace"));
    node.kind = DominatorKind::Root;
    QCOMPARE(bubbleFacts(node).first(), QStringLiteral("a root"));
    node.roots = 3;
    QCOMPARE(bubbleFacts(node).first(), QStringLiteral("3 roots of this name"));
  }

  void sharesOfNothingAreNone() {
    QCOMPARE(bubbleFacts(nodeOf(DominatorKind::Whole, ""), 0)[1],
             QStringLiteral("retains 0 bytes · 0% of what is live"));
  }
};

HEAPSCAPE_WINDOW_TEST(DominatorTextTest)

}  // namespace heapscape::gui

#include "tst_dominator_text.moc"

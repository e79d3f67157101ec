// SPDX-License-Identifier: MIT
// What is said of an object's header and of its bytes; without a dump.
#include <QTest>

#include "support/window_test.h"
#include "views/object/anatomy/header_ruler.h"
#include "widgets/hex_view/byte_window.h"

namespace heapscape::gui {

namespace {

using engine::ByteOwner;
using engine::HeaderKind;
using engine::LockKind;

engine::HeaderBits bitsNamed(const char* name, std::uint8_t count, std::uint32_t value, const char* meaning = "") {
  return {0, count, name, value, meaning};
}

engine::ObjectDetails objectWith(HeaderKind kind) {
  engine::ObjectDetails object{};
  object.header = engine::ObjectHeader{};
  object.header->kind = kind;
  return object;
}

engine::ObjectDetails objectWithBlock(std::uint32_t entered) {
  engine::ObjectDetails object = objectWith(HeaderKind::SyncBlock);
  object.header->syncBlockIndex = 1'234;
  object.lock = engine::LockRow{};
  object.lock->kind = LockKind::SyncBlock;
  object.lock->isHeld = entered > 0;
  object.lock->ownerManagedId = 5;
  object.lock->recursion = entered;
  return object;
}

engine::ByteRun runOf(ByteOwner owner, const char* name, const char* type = "") {
  return {owner, -4, 4, name, type};
}

}  // namespace

class HeaderTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bitsAreNamedAsPeopleSayIt() {
    QCOMPARE(headerBitsName(bitsNamed("threadId", 16, 5)), QStringLiteral("thread id"));
    QCOMPARE(headerBitsName(bitsNamed("unused31", 1, 0)), QStringLiteral("unused"));
    QCOMPARE(headerBitsName(bitsNamed("somethingNew", 3, 1)), QStringLiteral("somethingNew"));
  }

  void numbersAreToldAndFlagsAreNot() {
    QCOMPARE(headerBitsText(bitsNamed("threadId", 16, 12'345)), QStringLiteral("thread id 12,345"));
    QCOMPARE(headerBitsText(bitsNamed("spinLock", 1, 1)), QStringLiteral("spin lock"));
    QCOMPARE(headerBitsText(bitsNamed("unused", 10, 7)), QStringLiteral("unused"));
    QCOMPARE(headerBitsText(bitsNamed("hashCode", 26, 0x33c0d9d)), QStringLiteral("hash code 033c0d9d"));
  }

  void unusedBitsAreIdleWhateverTheyHold() {
    QVERIFY(isIdle(bitsNamed("spinLock", 1, 0)));
    QVERIFY(isIdle(bitsNamed("unused31", 1, 1)));
    QVERIFY(!isIdle(bitsNamed("spinLock", 1, 1)));
  }

  void whatIsNotThereIsSaid() {
    engine::ObjectDetails object{};
    QVERIFY(headerSentence(object).startsWith(QStringLiteral("The dump does not hold the header")));
    QVERIFY(headerRemarks(object).isEmpty());
    QVERIFY(headerSentence(objectWith(HeaderKind::None)).startsWith(QStringLiteral("Not in use")));
    object = objectWithBlock(1);
    object.isFree = true;
    QVERIFY(headerSentence(object).startsWith(QStringLiteral("Left over")));
    QVERIFY(headerRemarks(object).isEmpty());
  }

  void aThinLockCountsItsFirstEntry() {
    engine::ObjectDetails object = objectWith(HeaderKind::ThinLock);
    object.header->threadId = 7;
    QVERIFY(headerSentence(object).startsWith(QStringLiteral("Locked by thread 7, which has entered once.")));
    object.header->recursion = 2;
    QVERIFY(headerSentence(object).startsWith(QStringLiteral("Locked by thread 7, which has entered 3 times.")));
    object.header->recursion = UINT32_MAX;
    QVERIFY(headerSentence(object).contains(QStringLiteral("4,294,967,296 times")));
    object.headerThread = "thread 7 \"worker\"";
    QVERIFY(headerSentence(object).startsWith(QStringLiteral("Locked by thread 7 \"worker\",")));
  }

  void aSyncBlockSaysWhoHoldsItAndHowOften() {
    QCOMPARE(headerSentence(objectWithBlock(0)),
             QStringLiteral("The header leads to sync block 1,234. Nobody holds its lock."));
    QCOMPARE(headerSentence(objectWithBlock(1)),
             QStringLiteral("The header leads to sync block 1,234, locked by thread 5, which has entered once."));
    engine::ObjectDetails named = objectWithBlock(2);
    named.lock->ownerName = "worker";
    QCOMPARE(headerSentence(named), QStringLiteral("The header leads to sync block 1,234, locked by thread 5 “worker”, "
                                                   "which has entered 2 times."));
    named.lock.reset();
    QVERIFY(headerSentence(named).endsWith(QStringLiteral("Nobody holds its lock.")));
  }

  void remarksTellWhoWaitsAndWhatElseTheBlockKeeps() {
    engine::ObjectDetails object = objectWithBlock(1);
    QVERIFY(headerRemarks(object).isEmpty());
    object.lock->waiting = 1;
    QCOMPARE(headerRemarks(object), QStringList{QStringLiteral("1 thread waits to enter.")});
    object.lock->waiting = 2;
    object.lock->hashCode = 0xabc;
    object.lock->hasInterop = true;
    object.header->bits = {bitsNamed("spinLock", 1, 1, "Somebody changes it."), bitsNamed("gcReserve", 1, 0, "Marked."),
                           bitsNamed("syncBlockIndex", 26, 9, "The index.")};
    QCOMPARE(headerRemarks(object),
             (QStringList{QStringLiteral("2 threads wait to enter."),
                          QStringLiteral("The sync block keeps the identity hash code 00000abc."),
                          QStringLiteral("The sync block holds data of COM interop."),
                          QStringLiteral("Somebody changes it.")}));
  }

  void bytesAreNamedByTheirFieldOrByWhatTheyAre() {
    QCOMPARE(runName(runOf(ByteOwner::Field, "<Id>k__BackingField")), QStringLiteral("Id"));
    QCOMPARE(runName(runOf(ByteOwner::Field, "")), QStringLiteral("field"));
    QCOMPARE(runName(runOf(ByteOwner::Element, "[3]")), QStringLiteral("[3]"));
    QCOMPARE(runName(runOf(ByteOwner::Header, "ignored")), QStringLiteral("object header"));
    QCOMPARE(runName(runOf(ByteOwner::Missing, "Id")), QStringLiteral("missing"));
    QCOMPARE(runFacts(runOf(ByteOwner::Field, "Id", "System.Int32")),
             (QStringList{QStringLiteral("System.Int32"), QStringLiteral("offset −4, 4 bytes")}));
    QCOMPARE(runFacts(runOf(ByteOwner::Padding, "")).first(), QStringLiteral("No field uses it"));
  }

  void bytesAreCopiedAsFarAsTheyAreRead() {
    const ByteWindow window({.object = {0x1000},
                             .totalBytes = 16,
                             .skipped = 4,
                             .bytes = {0x1f, 0x00, 0x2c},
                             .runs = {{ByteOwner::Header, -4, 3, "", ""}}});
    QCOMPARE(bytesAsText(window, {-4, -1}), QStringLiteral("1f 00 2c"));
    QCOMPARE(bytesAsText(window, {-3, 100}), QStringLiteral("00 2c"));
    QCOMPARE(bytesAsText(window, {-4, -4}), QString());
    QCOMPARE(bytesAsText(window, {-8, 0}), QString());
  }
};

HEAPSCAPE_WINDOW_TEST(HeaderTextTest)

}  // namespace heapscape::gui

#include "tst_header_text.moc"

// SPDX-License-Identifier: MIT
#include "app/guide/guided_questions.h"

namespace heapscape::gui {

namespace {

Location at(PlaceId place) {
  Location location;
  location.place = place;
  return location;
}

Location atReferences(ReferencesPage page) {
  Location location = at(PlaceId::References);
  location.page = page;
  return location;
}

bool isOnPage(const Location& now, ReferencesPage page) {
  return now.place == PlaceId::References && now.page == page;
}

const QString kCache = u"Catalog.Cache<System.String, Catalog.Rendered>"_s;
const QString kOrder = u"Catalog.Order"_s;
const QString kProduct = u"Catalog.Product"_s;

GuidedQuestion findALeak() {
  return {
      .title = u"Find a leak"_s,
      .subject = u"leaks"_s,
      .about = u"From the size of the heap to the one field that keeps objects nobody needs"_s,
      .steps =
          {{.text = u"The solid part of the bar is live: something still refers to these objects. A leak is live "
                    "memory that nobody needs, so the question is what holds it."_s,
            .part = u"heapHead"_s,
            .where = at(PlaceId::Overview)},
           {.text =
                u"The largest single owners: static fields of Shop.Warehouse lead by far. Open References in the list of places to see which of their objects hold so much."_s,
            .part = u"owners"_s,
            .where = at(PlaceId::Overview),
            .isDone = [](const Location& now) { return now.place == PlaceId::References; }},
           {.text = u"Here retained bytes come together: objects that hold much, by many small ones. Click "
                    "Cache<String, Rendered>, which a static field named pages holds."_s,
            .part = u"graphStart"_s,
            .where = atReferences(ReferencesPage::Graph),
            .isDone = [](const Location& now) { return isOnPage(now, ReferencesPage::Graph) && now.selection.object; }},
           {.text =
                u"The wider an arrow, the more bytes flow through it. The cache has 48 bytes of its own; all else are 200 rendered pages, as many as its capacity allows: it will never hold fewer."_s,
            .part = u"referenceGraph"_s,
            .where = atReferences(ReferencesPage::Graph),
            .picked = kCache},
           {.text =
                u"What would be free without it? Open the page What if: it lists what holds most, and shows what releasing those you tick would free."_s,
            .part = u"referencesPages"_s,
            .where = atReferences(ReferencesPage::Graph),
            .picked = kCache,
            .isDone = [](const Location& now) { return isOnPage(now, ReferencesPage::WhatIf); }}},
      .answer =
          u"Found: a static cache that keeps 199 KB for good. Whether that is a leak only you know; this one has a limit. Of your own program take two dumps some minutes apart and open Compare: what grew is where to begin."_s};
}

GuidedQuestion whyIsItAlive() {
  return {
      .title = u"Why is it alive?"_s,
      .subject = u"references"_s,
      .about = u"From a type to one object, and to the path of references that keeps it"_s,
      .steps =
          {{.text = u"All types on the heap, the largest first. Type Order into the field, and pick Catalog.Order in "
                    "the list."_s,
            .part = u"typeFilter"_s,
            .where = at(PlaceId::Types),
            .isDone = [](const Location& now) { return now.place == PlaceId::Types && now.selection.methodTable; }},
           {.text = u"Its objects are listed below. Pick any of them: the inspector on the right tells what it is "
                    "and what it holds."_s,
            .part = u"instances"_s,
            .where = at(PlaceId::Types),
            .picked = kOrder,
            .isTypePicked = true,
            .isDone = [](const Location& now) { return bool(now.selection.object); }},
           {.text = u"Now press Why alive? in the inspector."_s,
            .part = u"whyAlive"_s,
            .where = at(PlaceId::Types),
            .picked = kOrder,
            .isDone = [](const Location& now) { return isOnPage(now, ReferencesPage::WhyAlive); }},
           {.text = u"Each path leads from a root, such as a static field, to the object; the shortest comes first. "
                    "The line below has it as C#, to be found in the source."_s,
            .part = u"pathExpression"_s,
            .where = atReferences(ReferencesPage::WhyAlive),
            .picked = kOrder},
           {.text = u"As long as one path is left, the object stays. Right-click a step and choose What if this "
                    "reference were cut? to see what that would free."_s,
            .part = u"pathSteps"_s,
            .where = atReferences(ReferencesPage::WhyAlive),
            .picked = kOrder,
            .isDone = [](const Location& now) { return isOnPage(now, ReferencesPage::WhatIf); }}},
      .answer =
          u"That is all there is to it: an object is alive because of a path from a root, and is freed when the "
          "last one is cut. Any object and type can be asked so, with Why alive? in the inspector."_s};
}

GuidedQuestion whatDoesPaddingCost() {
  Location waste = at(PlaceId::Layouts);
  waste.layoutsPage = LayoutsPage::Waste;
  return {
      .title = u"What does padding cost?"_s,
      .subject = u"padding"_s,
      .about = u"From a type's bytes to a better order of its fields, and what that saves"_s,
      .steps = {{.text = u"First come types that would be smaller with their fields in another order. Pick "
                         "Catalog.Product."_s,
                 .part = u"layoutTypes"_s,
                 .where = at(PlaceId::Layouts),
                 .isDone =
                     [](const Location& now) { return now.place == PlaceId::Layouts && now.selection.methodTable; }},
                {.text = u"Left is what the runtime made, right the best order; a row is eight bytes, and hatched "
                         "bytes are padding. Each object could be 8 bytes smaller."_s,
                 .part = u"layoutDiagram"_s,
                 .where = at(PlaceId::Layouts),
                 .picked = kProduct,
                 .isTypePicked = true},
                {.text = u"Click a hatched part: below, Advice tells why nothing lies there, and how the type would be "
                         "declared instead."_s,
                 .part = u"layoutAdvice"_s,
                 .where = at(PlaceId::Layouts),
                 .picked = kProduct,
                 .isTypePicked = true},
                {.text = u"Press Playground and drag a field to another place. The sizes of an object, of an array and "
                         "of all objects on this heap follow at once."_s,
                 .part = u"layoutPlay"_s,
                 .where = at(PlaceId::Layouts),
                 .picked = kProduct,
                 .isTypePicked = true},
                {.text = u"What do all types lose together? Open the page Waste."_s,
                 .part = u"layoutsPages"_s,
                 .where = at(PlaceId::Layouts),
                 .picked = kProduct,
                 .isTypePicked = true,
                 .isDone =
                     [](const Location& now) {
                       return now.place == PlaceId::Layouts && now.layoutsPage == LayoutsPage::Waste;
                     }}},
      .answer =
          u"Most padding costs nothing worth a change, and this list says so, too: only the types on top would "
          "save anything. Copy the best declaration from Advice where it does."_s};
}

}  // namespace

std::span<const GuidedQuestion> guidedQuestions() {
  static const std::vector<GuidedQuestion> kQuestions{findALeak(), whyIsItAlive(), whatDoesPaddingCost()};
  return kQuestions;
}

}  // namespace heapscape::gui

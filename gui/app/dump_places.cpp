// SPDX-License-Identifier: MIT
#include "app/dump_places.h"

#include "views/findings/findings_place.h"
#include "views/generations/generations_place.h"
#include "views/insights/insights_place.h"
#include "views/layouts/layouts_place.h"
#include "views/memory/memory_place.h"
#include "views/object/object_place.h"
#include "views/overview/overview_place.h"
#include "views/references/references_place.h"
#include "views/roots/roots_place.h"
#include "views/runtime/runtime_place.h"
#include "views/segments/segments_place.h"
#include "views/threads/threads_place.h"
#include "views/types/types_place.h"

namespace heapscape::gui {

std::vector<Place*> makeDumpPlaces(EngineBridge& bridge, Navigator& navigator, QWidget* parent) {
  return {new OverviewPlace(bridge, navigator, parent),    new InsightsPlace(bridge, navigator, parent),
          new MemoryPlace(bridge, navigator, parent),      new SegmentsPlace(bridge, navigator, parent),
          new GenerationsPlace(bridge, navigator, parent), new TypesPlace(bridge, navigator, parent),
          new LayoutsPlace(bridge, navigator, parent),     new ReferencesPlace(bridge, navigator, parent),
          new ObjectPlace(bridge, navigator, parent),      new RuntimePlace(bridge, navigator, parent),
          new RootsPlace(bridge, navigator, parent),       new ThreadsPlace(bridge, navigator, parent),
          new FindingsPlace(bridge, navigator, parent)};
}

}  // namespace heapscape::gui

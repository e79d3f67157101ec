// SPDX-License-Identifier: MIT
#include "insight/detectors.h"

#include "insight/boxed_values.h"
#include "insight/delegate_leaks.h"
#include "insight/duplicate_strings.h"
#include "insight/empty_arrays.h"
#include "insight/empty_collections.h"
#include "insight/finalizer_behind.h"
#include "insight/fragmentation.h"
#include "insight/generic_growth.h"
#include "insight/one_element_collections.h"
#include "insight/oversized_collections.h"
#include "insight/padding_waste.h"
#include "insight/pending_async.h"
#include "insight/poor_hashing.h"
#include "insight/repeated_elements.h"
#include "insight/single_field_wrappers.h"
#include "insight/small_objects.h"
#include "insight/stuck_load_contexts.h"
#include "insight/suspects.h"
#include "insight/timer_leaks.h"
#include "insight/undisposed_finalizables.h"

namespace heapscape::engine {

std::vector<WeighedDetector> makeDetectors() {
  std::vector<WeighedDetector> detectors;
  detectors.push_back({std::make_unique<DuplicateStrings>(), 4});
  detectors.push_back({std::make_unique<BoxedValues>(), 1});
  detectors.push_back({std::make_unique<EmptyArrays>(), 1});
  detectors.push_back({std::make_unique<RepeatedElements>(), 3});
  detectors.push_back({std::make_unique<EmptyCollections>(), 1});
  detectors.push_back({std::make_unique<OversizedCollections>(), 1});
  detectors.push_back({std::make_unique<OneElementCollections>(), 1});
  detectors.push_back({std::make_unique<PoorHashing>(), 1});
  detectors.push_back({std::make_unique<PaddingWaste>(), 3});
  detectors.push_back({std::make_unique<SmallObjects>(), 1});
  detectors.push_back({std::make_unique<SingleFieldWrappers>(), 1});
  detectors.push_back({std::make_unique<DelegateLeaks>(), 1});
  detectors.push_back({std::make_unique<TimerLeaks>(), 1});
  detectors.push_back({std::make_unique<UndisposedFinalizables>(), 1});
  detectors.push_back({std::make_unique<FinalizerBehind>(), 1});
  detectors.push_back({std::make_unique<PendingAsync>(), 1});
  detectors.push_back({std::make_unique<StuckLoadContexts>(), 1});
  detectors.push_back({std::make_unique<GenericGrowth>(), 1});
  detectors.push_back({std::make_unique<Fragmentation>(), 1});
  detectors.push_back({std::make_unique<Suspects>(), 3});
  return detectors;
}

}  // namespace heapscape::engine

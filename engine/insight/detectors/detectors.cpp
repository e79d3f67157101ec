// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include "insight/detectors/boxed_values.h"
#include "insight/detectors/delegate_leaks.h"
#include "insight/detectors/duplicate_strings.h"
#include "insight/detectors/empty_arrays.h"
#include "insight/detectors/empty_collections.h"
#include "insight/detectors/finalizer_behind.h"
#include "insight/detectors/fragmentation.h"
#include "insight/detectors/generic_growth.h"
#include "insight/detectors/one_element_collections.h"
#include "insight/detectors/oversized_collections.h"
#include "insight/detectors/padding_waste.h"
#include "insight/detectors/pending_async.h"
#include "insight/detectors/poor_hashing.h"
#include "insight/detectors/repeated_elements.h"
#include "insight/detectors/single_field_wrappers.h"
#include "insight/detectors/small_objects.h"
#include "insight/detectors/stuck_load_contexts.h"
#include "insight/detectors/suspects.h"
#include "insight/detectors/timer_leaks.h"
#include "insight/detectors/undisposed_finalizables.h"

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

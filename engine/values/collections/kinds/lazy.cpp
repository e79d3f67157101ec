// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

namespace heapscape::engine {

Result<std::unique_ptr<Collection>> makeLazy(const Instance& lazy) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(lazy, ItemLabels::None));
  HEAPSCAPE_TRY(const FieldPlace value, lazy.field("_value"));
  HEAPSCAPE_TRY(const Address state, lazy.reference("_state"));
  facts.isHolder = true;
  std::vector<ItemPlace> items;
  facts.state = "not created";
  if (!state) {  // it goes when the value comes
    facts.state = "created";
    items.push_back({{}, value.address, "Value"});
  } else {
    HEAPSCAPE_TRY(const Instance helper, Instance::at(lazy.sources(), state));
    HEAPSCAPE_TRY(const Address dispatch, helper.reference("_exceptionDispatch"));
    if (dispatch) {
      HEAPSCAPE_TRY(const Instance info, Instance::at(lazy.sources(), dispatch));
      HEAPSCAPE_TRY(const FieldPlace exception, info.field("_exception"));
      HEAPSCAPE_TRY(const Address anyType, lazy.sources().readers.runtime.globalPointer("ObjectMethodTable"));
      facts.state = "faulted";
      items.push_back({{}, exception.address, "Exception", anyType});
    }
  }
  facts.count = items.size();
  return std::make_unique<FewItems>(std::move(facts), std::move(items));
}

}  // namespace heapscape::engine

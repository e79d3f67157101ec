// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "runtime/methods/method_code.h"
#include "runtime/types/ee_class.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/snapshot.h"
#include "session/types/generic_lookups.h"
#include "values/value.h"

namespace heapscape::engine {

/// A loaded type by name and address; the address is 0 where it is not loaded.
struct TypeLink {
  std::string name;
  Address methodTable;
};

struct TypeField {
  std::uint32_t token = 0;
  std::string name;
  std::string typeName;      // as instantiated
  std::string declaredType;  // as written in the definition, with its type parameters: "T", "List<!0>" as "List<T>"
  Address typeMethodTable;   // of the field's type where it is loaded
  std::uint8_t elementType = 0;
  /// Instance: from the first field, as the runtime counts; `objectOffset` counts from the object's address, as SOS
  /// does. Static: in its statics area, both the same.
  std::uint32_t offset = 0, objectOffset = 0;
  std::uint32_t sizeBytes = 0;
  std::string attributes;  // "private readonly", "public static"
  std::string declaringType;
  Address declaringMethodTable;
  bool isStatic = false, isThreadStatic = false, isRva = false;
  bool isValueType = false;  // a value lies in the field itself: a struct, an enum or a primitive
  /// Value of an instance field in the object that was asked for; nullopt if none was.
  std::optional<Value> value;
  Address fieldDesc;
};

struct TypeMethod {
  std::string name;  // with parameters: "Notify(System.Object)"
  std::string declaringType;
  Address methodDesc;
  std::uint32_t token = 0;
  std::uint32_t slot = 0;
  bool isVirtual = false;    // the slot is one of the vtable
  bool isInherited = false;  // declared by a parent
  bool isStatic = false;
  Address entry;  // what a call jumps to; 0 if unknown
  // The native code that calls run now; none if `code` is 0.
  Address code;
  MethodState state = MethodState::None;
  std::string tier;             // "tier-0", "tier-1", "optimized" …; empty if it cannot be told
  std::uint32_t codeBytes = 0;  // 0 if unknown
  // All code that the runtime has of it, what it came with first: several with tiered compilation.
  std::vector<MethodCode> versions;
  std::string classification;                      // "IL", "FCall", "P/Invoke" …
  bool isShared = false;                           // its code serves several instantiations
  LookupSource lookupSource = LookupSource::None;  // where its code gets type arguments from
  /// Instantiations of a generic method that the runtime has made, each with its code; by name.
  std::vector<TypeMethod> instantiations;
  std::vector<std::string> methodArguments;  // of an instantiation: what its type parameters stand for
  /// Method whose code an instantiation runs that only adds its type arguments: "Map<System.__Canon>".
  Address sharedMethodDesc;
  bool isAsyncVariant = false;  // see MethodDesc
  /// Form that awaits call of a method that returns a task (.NET 11); one of the two runs the other one's code.
  std::vector<TypeMethod> asyncForms;
};

/// A member of an enum.
struct TypeEnumMember {
  std::string name;
  std::uint64_t bits = 0;  // its value, as wide as the enum, not sign-extended
  std::string value;       // the same as a number with its sign
};

struct TypeArgument {
  std::string parameter;  // "TKey"
  TypeLink argument;
  std::string canonicalName;  // "System.__Canon" for references, the argument itself for value types
  bool isShared = false;      // code of instantiations that differ in this argument is shared
};

/// Everything the runtime knows about a loaded type (SOS: dumpmt -md, dumpclass).
struct TypeDetails {
  std::string name;        // "System.Collections.Generic.List<System.String>"
  std::string clrName;     // as metadata has it: "System.Collections.Generic.List`1"
  std::string csharpName;  // "List<string>"
  Address methodTable;
  TypeLink canonical;  // the method table that owns the EEClass; itself unless shared
  Address eeClass;
  std::optional<EEClassOptionalFields> eeClassOptionalFields;
  std::optional<EEClassLayout> eeClassLayout;
  std::vector<EEClassFigure> eeClassFigures;
  Address auxiliaryData;
  Address module;
  std::string moduleName, modulePath, loadContext;
  Address loaderModule;
  Address loaderAllocator;
  std::uint32_t token = 0;
  TypeLink parent;
  std::vector<TypeLink> parents;  // up to System.Object
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;
  std::uint32_t flags = 0, flags2 = 0;  // of the method table
  std::vector<std::string> flagNames;
  std::uint32_t attributes = 0;             // TypeAttributes
  std::vector<std::string> attributeNames;  // "public", "sealed", "abstract", "sequential layout" …
  std::string kind;                         // class, struct, enum, delegate, interface, array, string
  std::string elementType;                  // normalised, by name: "class", "valuetype", "i4"
  bool containsPointers = false, isCollectible = false, isDynamicStatics = false, hasFinalizer = false;
  bool isClassInitialised = true;  // the static constructor has run, or there is none
  std::uint32_t vtableSlots = 0, totalSlots = 0;
  std::uint32_t methodCount = 0, instanceFieldCount = 0, staticFieldCount = 0, threadStaticFieldCount = 0;
  std::vector<TypeLink> interfaces;
  std::vector<TypeEnumMember> members;  // of an enum, by value as unsigned numbers, as Enum.GetNames has them
  bool isFlags = false;                 // an enum with [Flags]
  std::string underlyingType;           // of an enum: "System.UInt16"
  std::vector<TypeField> fields;        // with those of parents, base-most first, then statics
  std::vector<TypeMethod> methods;      // vtable slots first (inherited ones too), then the others
  std::vector<TypeArgument> typeArguments;
  std::vector<TypeLink> sharedWith;  // instantiations with the same canonical method table
  std::vector<DictionarySlot> dictionary;
  DictionaryFigures dictionaryFigures;
  std::vector<InheritedLookups> inheritedLookups;  // of generic parents, nearest first
  std::vector<MethodLookups> methodLookups;        // of instantiations of its generic methods, by name
  std::vector<LookupPath> lookupPaths;             // that its methods' code goes
  std::optional<TypeLink> elementTypeLink;         // arrays
  std::uint32_t rank = 0;
  std::uint64_t objects = 0, bytes = 0;  // on the heap
  // Where the parts of the method table lie, for the picture: name, address and bytes.
  struct Part {
    std::string name;
    Address address;
    std::uint32_t sizeBytes = 0;
    std::string note;
  };
  std::vector<Part> parts;
  std::vector<Finding> findings;
};

/// Describes a type, with the values of one object's fields if it is given: an instance of the type or of one that
/// derives from it. Fails with NotFound, BadQuery if the object is none, or Damaged.
Result<TypeDetails> typeDetails(const Snapshot& snapshot, Address methodTable, Address object = {});

/// The loaded type of that name (equal, or the only one that holds the text), or of that address.
/// Fails with NotFound, or with BadQuery naming some if several hold it.
Result<Address> findType(const Snapshot& snapshot, const std::string& nameOrAddress, std::stop_token stop = {});

}  // namespace heapscape::engine

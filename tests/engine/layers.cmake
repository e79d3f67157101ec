# SPDX-License-Identifier: MIT
# Fails where two headers define a type of one name, and where an include points against the data's way: base < memory < metadata < runtime < stacks < heap < graph < layout < values < session < query <
# insight < output < review < cli;
# Qt in the engine; anything of the engine but session, query, insight, review and plain values in the window.
cmake_policy(VERSION 3.25)
set(layers base memory metadata runtime stacks heap graph layout values session query insight output review cli)
set(values_for_gui graph/edge.h graph/retained/retained_of_type.h heap/heap_totals.h heap/object_header.h heap/segment.h layout/type_layout.h layout/advice/layout_advice.h layout/advice/layout_difference.h layout/rules/rule_set.h
    output/given_name.h runtime/gc/handle_kind.h runtime/methods/method_code.h values/code_address.h values/string_object.h values/value.h)
set(wrong "")

function(includes_of file out)
  file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  list(TRANSFORM lines REPLACE "^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"].*" "\\1")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Two types of one name would be one to the linker, which keeps the functions of either.
file(GLOB_RECURSE engine_headers RELATIVE ${SOURCE} ${SOURCE}/engine/*.h)
foreach(header ${engine_headers})
  file(STRINGS ${SOURCE}/${header} defined REGEX "^(struct|class|enum class) [A-Za-z]+( final)?( :.*)? {")
  foreach(line ${defined})
    string(REGEX REPLACE "^(struct|enum class|class) ([A-Za-z]+).*" "\\2" name "${line}")
    if(DEFINED header_of_${name})
      string(APPEND wrong "${header} and ${header_of_${name}} both define ${name}\n")
    endif()
    set(header_of_${name} ${header})
  endforeach()
endforeach()

file(GLOB_RECURSE engine_files RELATIVE ${SOURCE}/engine ${SOURCE}/engine/*.h ${SOURCE}/engine/*.cpp ${SOURCE}/engine/*.in)
foreach(file ${engine_files})
  string(REGEX REPLACE "/.*" "" layer ${file})
  list(FIND layers ${layer} own)
  includes_of(${SOURCE}/engine/${file} includes)
  foreach(include ${includes})
    if(include MATCHES "^Q[A-Z]")
      string(APPEND wrong "engine/${file} includes ${include}: the engine knows no Qt\n")
    endif()
    string(REGEX REPLACE "/.*" "" target ${include})
    list(FIND layers ${target} other)
    if(include MATCHES "/" AND other GREATER own)
      string(APPEND wrong "engine/${file} includes ${include}: ${target} comes after ${layer}\n")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE gui_files RELATIVE ${SOURCE}/gui ${SOURCE}/gui/*.h ${SOURCE}/gui/*.cpp)
foreach(file ${gui_files})
  includes_of(${SOURCE}/gui/${file} includes)
  foreach(include ${includes})
    string(REGEX REPLACE "/.*" "" target ${include})
    if(include MATCHES "/" AND target IN_LIST layers AND NOT target MATCHES "^(base|session|query|insight|review)$" AND NOT include IN_LIST values_for_gui
       AND EXISTS ${SOURCE}/engine/${include})
      string(APPEND wrong "gui/${file} includes ${include}: the window sees session, query, insight, review and plain values only\n")
    endif()
    if(include MATCHES "^(QThread|thread|mutex|future|QMutex|QtConcurrent.*)$" AND NOT file MATCHES "^bridge/")
      string(APPEND wrong "gui/${file} includes ${include}: threads are the bridge's business\n")
    endif()
  endforeach()
endforeach()

if(wrong)
  message(FATAL_ERROR "Names that clash, or includes that break the layers:\n${wrong}")
endif()

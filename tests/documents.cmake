# SPDX-License-Identifier: MIT
# Fails where a document names a file of this tree, or leads to one, that is not there.
#   cmake -D SOURCE=. -P tests/documents.cmake
cmake_policy(VERSION 3.25)
set(wrong "")

# As HACKING.md writes them: from the root, or from engine or gui on, often without the ending.
function(find_named path out)
  set(${out} FALSE PARENT_SCOPE)
  foreach(root . engine gui)
    foreach(ending "" .h .cpp)
      if(EXISTS ${SOURCE}/${root}/${path}${ending})
        set(${out} TRUE PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

foreach(document HACKING.md README.md docs/architecture.md docs/adding.md)
  file(READ ${SOURCE}/${document} text)
  string(REGEX MATCHALL "`[a-z.][a-z0-9_.-]*/[a-z0-9_./-]+`" names "${text}")
  foreach(name ${names})
    string(REPLACE "`" "" name ${name})
    find_named(${name} is_there)
    if(NOT is_there AND NOT name MATCHES "^(\\.|build)/")
      string(APPEND wrong "${document} names ${name}\n")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE documents RELATIVE ${SOURCE} ${SOURCE}/*.md)
list(FILTER documents EXCLUDE REGEX "^build/|/build/")
foreach(document ${documents})
  file(READ ${SOURCE}/${document} text)
  string(REPLACE "](" "@(" text "${text}")  # CMake takes brackets for parts of its lists
  string(REGEX MATCHALL "@\\([A-Za-z0-9_./-]+[)#]" links "${text}")
  cmake_path(GET document PARENT_PATH folder)
  foreach(link ${links})
    string(REGEX REPLACE "^..(.*).$" "\\1" link ${link})
    if(NOT EXISTS ${SOURCE}/${folder}/${link})
      string(APPEND wrong "${document} leads to ${link}\n")
    endif()
  endforeach()
endforeach()

if(wrong)
  message(FATAL_ERROR "${wrong}")
endif()

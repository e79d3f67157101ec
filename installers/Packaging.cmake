# SPDX-License-Identifier: MIT
# What an installation has beside the programs, and how cpack makes Debian packages of it: heapscape-cli, which needs no Qt,
# and heapscape with the window. docs/releasing.md says how a release is cut.
include_guard(GLOBAL)

set(HEAPSCAPE_MAINTAINER "The Heapscape authors <noreply@heapscape.github.io>" CACHE STRING "Whom the packages name to write to")
# The day of the release where SOURCE_DATE_EPOCH is set, as by package.sh.
string(TIMESTAMP HEAPSCAPE_DAY "%Y-%m-%d" UTC)
string(TIMESTAMP HEAPSCAPE_MAIL_DATE "%a, %d %b %Y 00:00:00 +0000" UTC)
string(TIMESTAMP HEAPSCAPE_MAN_DAY "%B %d, %Y" UTC)
string(REPLACE " 0" " " HEAPSCAPE_MAN_DAY ${HEAPSCAPE_MAN_DAY})
# Packages of a later Debian are newer, so that an upgrade of the system takes them.
cmake_host_system_information(RESULT distribution QUERY DISTRIB_ID)
cmake_host_system_information(RESULT distribution_version QUERY DISTRIB_VERSION_ID)
set(HEAPSCAPE_DEBIAN_REVISION "1~${distribution}${distribution_version}")

set(packaging_folder ${CMAKE_CURRENT_BINARY_DIR}/packaging)
find_program(HEAPSCAPE_GZIP gzip REQUIRED)

# Packs a file as Debian wants documents packed, without name and time.
function(heapscape_gzip source target)
  execute_process(COMMAND ${HEAPSCAPE_GZIP} -9nc ${source} OUTPUT_FILE ${target} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${packaging_folder}/changelog @ONLY)
heapscape_gzip(${packaging_folder}/changelog ${packaging_folder}/changelog.Debian.gz)
heapscape_gzip(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${packaging_folder}/changelog.gz)

set(components cli)
if(HEAPSCAPE_GUI)
  list(APPEND components window)
endif()
set(package_of_cli heapscape-cli)
set(package_of_window heapscape)
foreach(component IN LISTS components)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/copyright ${packaging_folder}/changelog.Debian.gz ${packaging_folder}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package_of_${component}} COMPONENT ${component})
endforeach()

# The manual page and the completion of the command line, as the program itself writes them.
set(completion_of_bash bash-completion/completions/heapscape-cli)
set(completion_of_fish fish/vendor_completions.d/heapscape-cli.fish)
set(completion_of_zsh zsh/site-functions/_heapscape-cli)
if(EXISTS /etc/debian_version)
  set(completion_of_zsh zsh/vendor-completions/_heapscape-cli)
endif()
foreach(shell bash zsh fish)
  set(script ${packaging_folder}/completion.${shell})
  add_custom_command(OUTPUT ${script} COMMAND heapscape-cli completion ${shell} > ${script} VERBATIM)
  list(APPEND written_by_cli ${script})
  cmake_path(GET completion_of_${shell} PARENT_PATH folder)
  cmake_path(GET completion_of_${shell} FILENAME name)
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name} COMPONENT cli)
endforeach()
set(page ${packaging_folder}/heapscape-cli.1)
add_custom_command(OUTPUT ${page}.gz COMMAND heapscape-cli man > ${page} COMMAND ${HEAPSCAPE_GZIP} -9nf ${page} VERBATIM)
add_custom_target(heapscape_documents ALL DEPENDS ${written_by_cli} ${page}.gz)
install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cli)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/manual DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heapscape-cli COMPONENT cli
  FILES_MATCHING PATTERN "*.md" PATTERN screenshots EXCLUDE)

if(HEAPSCAPE_GUI)
  configure_file(${PROJECT_SOURCE_DIR}/resources/man/heapscape.1.in ${packaging_folder}/heapscape.1 @ONLY)
  heapscape_gzip(${packaging_folder}/heapscape.1 ${packaging_folder}/heapscape.1.gz)
  install(FILES ${packaging_folder}/heapscape.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT window)
  set(metainfo io.github.heapscape.Heapscape.metainfo.xml)
  configure_file(${PROJECT_SOURCE_DIR}/resources/desktop/${metainfo}.in ${packaging_folder}/${metainfo} @ONLY)
  install(FILES ${packaging_folder}/${metainfo} DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/heapscape.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/heapscape.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/heapscape.lintian-overrides
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME heapscape COMPONENT window)
  set(icon io.github.heapscape.Heapscape)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/heapscape.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME ${icon}.svg COMPONENT window)
  foreach(size 16 24 32 48 64 128 256)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/hicolor/${size}.png
      DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps RENAME ${icon}.png COMPONENT window)
  endforeach()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heapscape)
set(CPACK_PACKAGE_CONTACT ${HEAPSCAPE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has one of its own, its first line
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENT_CLI_DESCRIPTION "read a .NET program's memory from its core dump (command line)
heapscape-cli opens a Linux core dump of a .NET process and tells what fills
its heap, what keeps each object alive, what is wasted, how types are laid out
and what threads were doing, as text, JSON or tab-separated values.
.
It needs neither .NET nor a debugger nor a network.")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "see what a .NET program keeps in memory, from its core dump
Heapscape opens a Linux core dump of a .NET process and shows what fills its
heap, what keeps each object alive, what is wasted and how every type is laid
out, byte by byte. It maps the heap's segments down to single objects, compares
dumps, and turns all of it into pages for a review.
.
It needs neither .NET nor a debugger nor a network. The package heapscape-cli
has the command line.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE heapscape)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${HEAPSCAPE_DEBIAN_REVISION})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME heapscape-cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME heapscape)
# The libraries are found out by dpkg-shlibdeps; the icons' reader and the fonts are not linked to.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "libqt6svg6, fonts-dejavu-core")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS heapscape-cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "qt6-wayland, qt6-gtk-platformtheme")
set(CPACK_SET_DESTDIR OFF)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)

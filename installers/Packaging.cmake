# SPDX-License-Identifier: MIT
# What an installation has beside the programs, and how cpack makes a Debian package of it.
include_guard(GLOBAL)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heapscape)
set(CPACK_PACKAGE_VENDOR "The Heapscape authors")
set(CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_VENDOR})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION
    "Heapscape opens Linux core dumps of .NET 8, 9 and 10 programs and shows their segments, generations, types and the layout
of their objects, in a window and on the command line. It needs no .NET and no network.")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The libraries are found out by dpkg-shlibdeps; the icons' reader and the fonts are not linked to.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(HEAPSCAPE_GUI)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6svg6, fonts-dejavu-core")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "qt6-wayland, qt6-gtk-platformtheme")
endif()
set(CPACK_SET_DESTDIR OFF)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)

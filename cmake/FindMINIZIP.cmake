# Finds minizip, the part of zlib for ZIP archives, which has no CMake package.
#   MINIZIP::MINIZIP             the library
#   MINIZIP_USE_STATIC_LIBS      ON: use the static library

if(MINIZIP_USE_STATIC_LIBS)
  set(MINIZIP_names libminizip.a)
else()
  set(MINIZIP_names minizip)
endif()
find_path(MINIZIP_INCLUDE_DIR minizip/unzip.h)
find_library(MINIZIP_LIBRARY NAMES ${MINIZIP_names})
unset(MINIZIP_names)
mark_as_advanced(MINIZIP_INCLUDE_DIR MINIZIP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MINIZIP REQUIRED_VARS MINIZIP_LIBRARY MINIZIP_INCLUDE_DIR)

if(MINIZIP_FOUND AND NOT TARGET MINIZIP::MINIZIP)
  find_package(ZLIB REQUIRED)
  add_library(MINIZIP::MINIZIP UNKNOWN IMPORTED)
  set_target_properties(
    MINIZIP::MINIZIP PROPERTIES IMPORTED_LOCATION "${MINIZIP_LIBRARY}"
                                INTERFACE_INCLUDE_DIRECTORIES "${MINIZIP_INCLUDE_DIR}"
                                INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
endif()

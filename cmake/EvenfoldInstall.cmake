# `cmake --install BUILD --component evenfold_headers` installs only the library, and
# `... --component evenfold_program` only the command-line program.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/evenfold")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/evenfold"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT evenfold_headers
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
# Each component of the package has a file of its own, so that a program needs only what it uses.
install(TARGETS evenfold evenfold_unfused evenfold_nccl EXPORT evenfold_targets COMPONENT evenfold_headers)
install(TARGETS evenfold_io EXPORT evenfold_io_targets COMPONENT evenfold_headers)
install(TARGETS evenfold_mpi EXPORT evenfold_mpi_targets COMPONENT evenfold_headers)
foreach(name evenfold evenfold_io evenfold_mpi)
  string(REPLACE "_" "-" file "${name}-targets.cmake")
  install(EXPORT ${name}_targets
          NAMESPACE evenfold::
          FILE "${file}"
          DESTINATION "${package_dir}"
          COMPONENT evenfold_headers)
endforeach()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/evenfold-config.cmake.in"
  "${PROJECT_BINARY_DIR}/evenfold-config.cmake"
  INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/evenfold-config-version.cmake"
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/evenfold-config.cmake"
              "${PROJECT_BINARY_DIR}/evenfold-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindMINIZIP.cmake"
        DESTINATION "${package_dir}"
        COMPONENT evenfold_headers)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        COMPONENT evenfold_headers)

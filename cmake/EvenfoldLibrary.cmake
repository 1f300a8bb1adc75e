# The library itself: headers only.
#   evenfold::evenfold   everything under include/evenfold but io/; needs OpenMP
#   evenfold::io         the readers and writers of files; needs zlib and its minizip

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "Evenfold needs g++ 12 or later; this is ${CMAKE_CXX_COMPILER_VERSION}")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A path, where there is such a file.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libgomp.a
                  OUTPUT_VARIABLE evenfold_static_openmp OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(EVENFOLD_RELOCATABLE)
  # Programs that travel take zlib, minizip and g++'s OpenMP runtime along.
  set(ZLIB_USE_STATIC_LIBS ON)
  set(MINIZIP_USE_STATIC_LIBS ON)
  if(EXISTS "${evenfold_static_openmp}")
    set(OpenMP_gomp_LIBRARY "${evenfold_static_openmp}" CACHE FILEPATH "The OpenMP runtime, static")
  endif()
endif()
# Installing the headers needs none of these: the installed package looks for them where it is used.
# A project that includes this one sees what is found here, and needs what it links.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
if(EVENFOLD_CLI OR EVENFOLD_TESTS OR EVENFOLD_BENCH OR EVENFOLD_FUZZ)
  set(needed REQUIRED)
else()
  set(needed QUIET)
endif()
find_package(OpenMP ${needed} COMPONENTS CXX)
find_package(ZLIB ${needed})
find_package(MINIZIP ${needed})

add_library(evenfold INTERFACE)
add_library(evenfold::evenfold ALIAS evenfold)
target_include_directories(
  evenfold INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                     "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(evenfold INTERFACE cxx_std_20)
# By hand, because CMake 3.25 knows no C++20 dialect for CUDA.
target_compile_options(
  evenfold
  INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20;--extended-lambda>")
# A project in CUDA alone has no OpenMP for C++, and needs none.
target_link_libraries(evenfold INTERFACE "$<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>")

add_library(evenfold_io INTERFACE)
add_library(evenfold::io ALIAS evenfold_io)
set_target_properties(evenfold_io PROPERTIES EXPORT_NAME io)
target_link_libraries(evenfold_io INTERFACE evenfold ZLIB::ZLIB MINIZIP::MINIZIP)

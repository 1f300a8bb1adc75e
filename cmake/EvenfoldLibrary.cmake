# The library itself: headers only.
#   evenfold::evenfold   everything in include/evenfold except for io/; needs OpenMP
#   evenfold::io         the readers and writers of files; also needs zlib and its minizip
#   evenfold::mpi        distributed/mpi.hpp; also needs an MPI
#   evenfold::nccl       distributed/nccl.cuh; also needs NCCL

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "Evenfold needs g++ 12 or later; this is ${CMAKE_CXX_COMPILER_VERSION}")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler prints a path if the file exists.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libgomp.a
                  OUTPUT_VARIABLE evenfold_static_openmp OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(EVENFOLD_RELOCATABLE)
  # Programs for other machines contain zlib, minizip and the OpenMP runtime of g++.
  set(ZLIB_USE_STATIC_LIBS ON)
  set(MINIZIP_USE_STATIC_LIBS ON)
  if(EXISTS "${evenfold_static_openmp}")
    set(OpenMP_gomp_LIBRARY "${evenfold_static_openmp}" CACHE FILEPATH "The OpenMP runtime, static")
  endif()
endif()
# To install the headers, none of these is needed: the installed package looks for them where it is used.
# They are global, so that a project that includes this one by add_subdirectory can link them.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
if(EVENFOLD_CLI OR EVENFOLD_PYTHON OR EVENFOLD_TESTS OR EVENFOLD_BENCH OR EVENFOLD_FUZZ)
  set(needed REQUIRED)
else()
  set(needed QUIET)
endif()
find_package(OpenMP ${needed} COMPONENTS CXX)
# The Python package reads no files.
if(NOT (EVENFOLD_CLI OR EVENFOLD_TESTS OR EVENFOLD_BENCH OR EVENFOLD_FUZZ))
  set(needed QUIET)
endif()
find_package(ZLIB ${needed})
find_package(MINIZIP ${needed})

add_library(evenfold INTERFACE)
add_library(evenfold::evenfold ALIAS evenfold)
target_include_directories(
  evenfold INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                     "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(evenfold INTERFACE cxx_std_20)
# As an option, because CMake 3.25 does not support C++20 for CUDA.
target_compile_options(
  evenfold
  INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20;--extended-lambda>")
# A project without C++ has no OpenMP target, and needs none.
target_link_libraries(evenfold INTERFACE "$<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>")

# For targets whose results are to have the same bits for every instruction set (-march) and on every
# device: a product and a sum are two roundings, never one.
add_library(evenfold_unfused INTERFACE)
add_library(evenfold::unfused ALIAS evenfold_unfused)
set_target_properties(evenfold_unfused PROPERTIES EXPORT_NAME unfused)
target_compile_options(
  evenfold_unfused INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>"
                             "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-fmad=false>")

add_library(evenfold_io INTERFACE)
add_library(evenfold::io ALIAS evenfold_io)
set_target_properties(evenfold_io PROPERTIES EXPORT_NAME io)
target_link_libraries(evenfold_io INTERFACE evenfold ZLIB::ZLIB MINIZIP::MINIZIP)

if(EVENFOLD_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
add_library(evenfold_mpi INTERFACE)
add_library(evenfold::mpi ALIAS evenfold_mpi)
set_target_properties(evenfold_mpi PROPERTIES EXPORT_NAME mpi)
# Only the functions for C are called.
target_compile_definitions(evenfold_mpi INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
target_link_libraries(evenfold_mpi INTERFACE evenfold MPI::MPI_CXX)

# NCCL has no CMake package; the linker and nvcc find it beside the toolkit or where it is installed.
# For the targets of this project, NCCL_ROOT may also name a folder that contains include/ and lib/.
add_library(evenfold_nccl INTERFACE)
add_library(evenfold::nccl ALIAS evenfold_nccl)
set_target_properties(evenfold_nccl PROPERTIES EXPORT_NAME nccl)
target_link_libraries(evenfold_nccl INTERFACE evenfold "$<INSTALL_INTERFACE:nccl>")
if(EVENFOLD_NCCL)
  find_path(EVENFOLD_NCCL_DIR nccl.h HINTS ENV NCCL_ROOT ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}
            PATH_SUFFIXES include REQUIRED DOC "Where nccl.h is")
  find_library(EVENFOLD_NCCL_LIBRARY NAMES nccl libnccl.so.2
               HINTS ENV NCCL_ROOT "${EVENFOLD_NCCL_DIR}/.." PATH_SUFFIXES lib REQUIRED
               DOC "The library of NCCL")
  target_include_directories(evenfold_nccl SYSTEM INTERFACE "$<BUILD_INTERFACE:${EVENFOLD_NCCL_DIR}>")
  target_link_libraries(evenfold_nccl INTERFACE "$<BUILD_INTERFACE:${EVENFOLD_NCCL_LIBRARY}>")
else()
  target_link_libraries(evenfold_nccl INTERFACE "$<BUILD_INTERFACE:nccl>")
endif()

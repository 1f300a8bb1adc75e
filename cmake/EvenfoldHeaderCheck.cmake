# Checks that each public header compiles alone: one translation unit per header includes it twice and
# nothing else. g++ compiles every .hpp; a test that includes a header first would be no such check, because
# several tests are compiled together, after the header of GoogleTest. nvcc compiles every .cuh to PTX only,
# because the host half would add nothing; the device headers are left to NVRTC, if there is one
# (tests/nvrtc), which compiles each of them alone in less time.

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/evenfold/*.hpp")
file(GLOB_RECURSE cuda_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/evenfold/*.cuh")

# The test of MPI compiles this one, where there is an MPI.
list(REMOVE_ITEM headers "evenfold/distributed/mpi.hpp")

function(evenfold_header_sources result suffix)
  set(units "")
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "[/.]" "_" name "${header}")
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.${suffix}")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n"
         @ONLY)
    list(APPEND units "${unit}")
  endforeach()
  set(${result} "${units}" PARENT_SCOPE)
endfunction()

if(EVENFOLD_CPU AND NOT EVENFOLD_SANITIZE)
  evenfold_header_sources(units cpp ${headers})
  add_library(evenfold_headers_cpu OBJECT ${units})
  target_link_libraries(evenfold_headers_cpu PRIVATE evenfold_developer)
  target_compile_options(evenfold_headers_cpu PRIVATE -O0 -Wpedantic)
endif()

if(EVENFOLD_CUDA)
  find_path(EVENFOLD_NCCL_DIR nccl.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}
            DOC "Where nccl.h is, for distributed/nccl.cuh")
  if(NOT EVENFOLD_NCCL_DIR)
    list(REMOVE_ITEM cuda_headers "evenfold/distributed/nccl.cuh")
  endif()
  find_package(CUDAToolkit QUIET)
  if(TARGET CUDA::nvrtc)
    list(FILTER cuda_headers EXCLUDE REGEX "^evenfold/backend/cuda/device/")
  endif()
  evenfold_header_sources(units cu ${cuda_headers})
  add_library(evenfold_headers_cuda OBJECT ${units})
  set_target_properties(evenfold_headers_cuda PROPERTIES CUDA_PTX_COMPILATION ON)
  target_link_libraries(evenfold_headers_cuda PRIVATE evenfold_developer)
  if(EVENFOLD_NCCL_DIR)
    target_include_directories(evenfold_headers_cuda SYSTEM PRIVATE "${EVENFOLD_NCCL_DIR}")
  endif()
endif()

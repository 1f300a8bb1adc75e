# Enables the CUDA language, with defaults that work on a machine without a GPU.

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures to build for")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)

if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0)
  message(FATAL_ERROR "The CUDA backend needs nvcc 13.0 or later; "
                      "${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}. "
                      "Set CUDACXX to another nvcc, or build with -DEVENFOLD_CUDA=OFF.")
endif()

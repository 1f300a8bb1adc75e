# Options for the targets of this project: warnings, sanitizers, reproducible paths, and sources that are
# compiled for two backends. Targets link `evenfold_developer` to get the flags.

include(CheckCXXCompilerFlag)

set(CMAKE_SKIP_RPATH ON)

add_library(evenfold_developer INTERFACE)
target_link_libraries(evenfold_developer INTERFACE evenfold evenfold_unfused)
if(TARGET ZLIB::ZLIB AND TARGET MINIZIP::MINIZIP)
  target_link_libraries(evenfold_developer INTERFACE evenfold_io)
endif()
target_include_directories(evenfold_developer INTERFACE "${PROJECT_SOURCE_DIR}")

# With these options loops are as fast as with -O3, and compiling takes three quarters of the time.
set(evenfold_vectorised -O2 -ftree-vectorize -fvect-cost-model=dynamic)

set(warnings -Wall -Wextra -Wshadow)
if(EVENFOLD_WERROR)
  list(APPEND warnings -Werror)
  target_compile_options(evenfold_developer
                         INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
endif()
list(JOIN warnings "," cuda_host_warnings)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 13 wrongly warns of binary searches in arrays of known length in the output of nvcc.
  string(APPEND cuda_host_warnings ",-Wno-aggressive-loop-optimizations")
endif()
target_compile_options(
  evenfold_developer
  INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_host_warnings}>")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 wrongly warns of std::string if it inlines enough (GCC bug 105651).
  target_compile_options(
    evenfold_developer
    INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>")
  # g++ collects garbage from 1 GB of memory on instead of 128 MB: it writes the same objects in a tenth less
  # time. The largest source takes 0.95 instead of 0.6 GB.
  target_compile_options(evenfold_developer
                         INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>")
endif()

if(EVENFOLD_CPU_TILE)
  target_compile_definitions(evenfold_developer INTERFACE EVENFOLD_CPU_TILE=${EVENFOLD_CPU_TILE})
endif()

# CMake runs each test through this command. Waiting threads must not spin, because they would take the
# cores from other tests. The sanitizers add their options.
set(test_launcher env OMP_WAIT_POLICY=passive)

if(EVENFOLD_SANITIZE STREQUAL "address")
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  list(APPEND test_launcher "ASAN_OPTIONS=allocator_may_return_null=1"
      "UBSAN_OPTIONS=print_stacktrace=1"
      "LSAN_OPTIONS=print_suppressions=0:suppressions=${CMAKE_CURRENT_LIST_DIR}/leaks_of_openmp.txt")
elseif(EVENFOLD_SANITIZE STREQUAL "thread")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "The thread sanitizer needs clang: its OpenMP runtime comes with Archer, "
                        "which informs the sanitizer about the synchronisation of OpenMP. "
                        "Use the preset `tsan`, or set CMAKE_CXX_COMPILER=clang++-16.")
  endif()
  string(REGEX MATCH "^[0-9]+" clang_major "${CMAKE_CXX_COMPILER_VERSION}")
  find_library(EVENFOLD_ARCHER archer PATHS "/usr/lib/llvm-${clang_major}/lib" REQUIRED
               DOC "The OpenMP tool that informs the sanitizer about synchronisation")
  set(sanitize -fsanitize=thread -fno-omit-frame-pointer)
  list(APPEND test_launcher "OMP_TOOL_LIBRARIES=${EVENFOLD_ARCHER}"
      "TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1:halt_on_error=1")
  # The sanitizer of clang 16 fails if addresses have many random bits, as in newer kernels.
  execute_process(COMMAND setarch -R true RESULT_VARIABLE no_setarch OUTPUT_QUIET ERROR_QUIET)
  if(no_setarch EQUAL 0)
    list(APPEND test_launcher setarch -R)
  endif()

  # In the packages of Ubuntu, Archer never finds the sanitizer, which then reports every fork and join.
  set(probe "${PROJECT_BINARY_DIR}/archer_probe")
  file(WRITE "${probe}.cpp" "int main() {\n#pragma omp parallel\n  {}\n}\n")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" ${sanitize} ${OpenMP_CXX_FLAGS} "${probe}.cpp"
                          -o "${probe}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${test_launcher} env ARCHER_OPTIONS=verbose=1 "${probe}"
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT said MATCHES "with TSan")
    message(FATAL_ERROR "${EVENFOLD_ARCHER} does not work with the thread sanitizer "
                        "(the packages of Ubuntu do not, those of Debian do). Set EVENFOLD_ARCHER to "
                        "another Archer, or use Debian 12. Its output was: ${said}")
  endif()
elseif(EVENFOLD_SANITIZE)
  message(FATAL_ERROR "EVENFOLD_SANITIZE is `${EVENFOLD_SANITIZE}`, expected `address` or `thread`")
endif()
if(sanitize)
  target_compile_options(evenfold_developer INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitize}>")
  target_link_options(evenfold_developer INTERFACE ${sanitize})
endif()

set(CMAKE_CROSSCOMPILING_EMULATOR ${test_launcher})

if(EVENFOLD_RELOCATABLE)
  set(map "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build"
          "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
  list(JOIN map "," cuda_map)
  target_compile_options(
    evenfold_developer INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${map}>"
                                 "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_map}>")
  set(EVENFOLD_RUNTIME_SOURCE_DIR ".")
else()
  set(EVENFOLD_RUNTIME_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
endif()

# For a program that runs on other machines: it needs only glibc and the driver of the GPU.
function(evenfold_self_contained target)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc
                      "LINKER:--as-needed" "LINKER:--strip-all" "LINKER:--gc-sections")
endfunction()

# For a program that reads untrusted files: the protection of the linker, the C library and the compiler
# against bugs that allow such a file to overwrite memory.
function(evenfold_hardened target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  set(flags -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
  check_cxx_compiler_flag(-fcf-protection EVENFOLD_HAS_CF_PROTECTION)
  if(EVENFOLD_HAS_CF_PROTECTION)
    list(APPEND flags -fcf-protection)
  endif()
  list(JOIN flags "," cuda_host_flags)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_host_flags}>")
  target_link_options(${target} PRIVATE "LINKER:-z,relro,-z,now")
endfunction()

# Writes a source that includes the given sources, so that they are compiled together.
function(evenfold_unit path)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE text)
  list(JOIN text "" text)
  file(CONFIGURE OUTPUT "${path}" CONTENT "${text}" @ONLY)
endfunction()

# Sets RESULT to CUDA sources that include the given C++ sources, so that nvcc compiles the same text.
# They lie in one folder, so no two sources may have the same name.
function(evenfold_cuda_copies result)
  set(copies "")
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME_WE)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/cuda/${name}.cu")
    if(copy IN_LIST copies)
      message(FATAL_ERROR "two sources are named ${name}, and one would replace the other: ${source}")
    endif()
    evenfold_unit("${copy}" "${source}")
    list(APPEND copies "${copy}")
  endforeach()
  set(${result} "${copies}" PARENT_SCOPE)
endfunction()

# Sets RESULT to whether this machine has a GPU.
function(evenfold_find_gpu result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "/dev/nvidia0")
    set(${result} TRUE PARENT_SCOPE)
  else()
    execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE failed OUTPUT_VARIABLE gpus ERROR_QUIET)
    if(failed EQUAL 0 AND gpus MATCHES "GPU 0")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

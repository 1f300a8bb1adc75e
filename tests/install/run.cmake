# Installs the headers to a temporary prefix as in the README. Then configures, builds and (on the CPU) runs a
# project of a user: `algorithms` and `files` find them by find_package, `included` includes the source.
#   cmake -Dsource= -Dscratch= -Duser= -Dproject= -Dlanguage=CXX|CUDA -Dgenerator= -Dcxx= -Dcuda=
#         -Darchitectures= -Dversion= -P run.cmake

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

# Sets RESULT to options with which CMake does not find the packages.
function(without result)
  list(TRANSFORM ARGN REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON")
  set(${result} "${ARGN}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${scratch}")

without(nothing_else OpenMP ZLIB MINIZIP PNG CLI11 fmt nlohmann_json GTest benchmark)
step("configuring the headers" "${CMAKE_COMMAND}" --preset headers -S "${source}"
     -B "${scratch}/headers" "-DCMAKE_CXX_COMPILER=${cxx}" ${nothing_else})
step("installing the headers" "${CMAKE_COMMAND}" --install "${scratch}/headers"
     --prefix "${scratch}/prefix")

set(common -G "${generator}" -S "${user}" "-DCMAKE_CXX_COMPILER=${cxx}" -DCMAKE_BUILD_TYPE=Debug)
if(language STREQUAL "CUDA")
  list(APPEND common -DUSER_CUDA=ON "-DCMAKE_CUDA_COMPILER=${cuda}"
       "-DCMAKE_CUDA_ARCHITECTURES=${architectures}")
endif()
set(installed "-DCMAKE_PREFIX_PATH=${scratch}/prefix" "-DEXPECTED_VERSION=${version}")

# The algorithms do not need the libraries of the readers of files.
without(no_libraries ZLIB MINIZIP)
set(algorithms ${installed} ${no_libraries})
set(files ${installed} -DUSER_IO=ON)
set(included "-DEVENFOLD_SOURCE=${source}" -DUSER_IO=ON)

# The project `algorithms` builds the other program, with the same package.
set(target_of_files --target reader)

set(build "${scratch}/${project}")
step("configuring ${project}" "${CMAKE_COMMAND}" ${common} -B "${build}" ${${project}})
step("building ${project}" "${CMAKE_COMMAND}" --build "${build}" ${target_of_${project}})
if(language STREQUAL "CXX")
  if(EXISTS "${build}/user")
    step("running ${project}" "${build}/user")
  endif()
  if(EXISTS "${build}/reader")
    step("reading in ${project}" "${build}/reader" "${source}/data/capitals.csv")
  endif()
endif()

# Installs the headers to a scratch prefix, then configures, builds and (on the CPU) runs a user's
# program that finds them with find_package.
#   cmake -Dbuild= -Dscratch= -Duser= -Dlanguage=CXX|CUDA -Dgenerator= -Dcxx= -Dcuda=
#         -Darchitectures= -Dversion= -P run.cmake

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

file(REMOVE_RECURSE "${scratch}")
step("installing" "${CMAKE_COMMAND}" --install "${build}" --prefix "${scratch}/prefix"
     --component evenfold_headers)

set(options "")
if(language STREQUAL "CUDA")
  list(APPEND options -DUSER_CUDA=ON "-DCMAKE_CUDA_COMPILER=${cuda}"
       "-DCMAKE_CUDA_ARCHITECTURES=${architectures}")
endif()
step("configuring" "${CMAKE_COMMAND}" -G "${generator}" -S "${user}" -B "${scratch}/build"
     "-DCMAKE_PREFIX_PATH=${scratch}/prefix" "-DCMAKE_CXX_COMPILER=${cxx}"
     "-DEXPECTED_VERSION=${version}" -DCMAKE_BUILD_TYPE=Debug ${options})
step("building" "${CMAKE_COMMAND}" --build "${scratch}/build")
if(language STREQUAL "CXX")
  step("running" "${scratch}/build/user")
endif()

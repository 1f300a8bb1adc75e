#!/usr/bin/env bash
# Runs the GPU programs in the folder of this script. They need the NVIDIA driver and glibc. The
# benchmarks and one example also need cuBLAS from an installed CUDA toolkit.
#   run.sh tests [GoogleTest options]     all tests on the reference and CUDA contexts
#   run.sh program [options]              every command of the program on the GPU and on the CPU
#                                         (needs Python 3.10; --only TEXT: cases with that text)
#   run.sh commands [GoogleTest options]  the tests of the commands, on the GPU; those of processes
#                                         start one per command, the others share one
#   run.sh oracles                        compares the commands with SQLite and, if Python has
#                                         it, NumPy
#   run.sh examples                       every example
#   run.sh sanitize [GoogleTest options]  all tests but those of huge sizes under the tools of
#                                         compute-sanitizer, which must be installed
#   run.sh bench [benchmark options]      compares the library with its peers
#   run.sh nccl [GoogleTest options]      the tests of distributed algorithms on all GPUs, without and
#                                         with NCCL, which is found in LD_LIBRARY_PATH or beside PyTorch
#   run.sh scaling [benchmark options]    how the distributed algorithms scale with the number of GPUs
# Some tests read data files in $EVENFOLD_DATA, and are skipped if a file is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"

if ! [[ -e /dev/nvidia0 ]] && ! nvidia-smi -L >/dev/null 2>&1; then
  echo "run.sh: error: this machine has no NVIDIA GPU, or its driver is not loaded" >&2
  exit 1
fi

# To open a GPU takes longer than most commands: starts one process that runs the commands of many calls
# of ./evenfold_resident.
share_process() {
  scratch=$(mktemp -d)
  export EVENFOLD_RESIDENT=$scratch/socket
  ./evenfold_resident --serve "$EVENFOLD_RESIDENT" &
  trap 'kill %1; rm -r "$scratch"' EXIT
  until [[ -S $EVENFOLD_RESIDENT ]]; do sleep 0.1; done
}

what=${1:-tests}
if (($# > 0)); then shift; fi
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64
nccl=$(python3 -c 'import nvidia.nccl as n; print(list(n.__path__)[0])' 2>/dev/null || true)
if [[ -n $nccl ]]; then LD_LIBRARY_PATH+=:$nccl/lib; fi
export EVENFOLD_TEST_DEVICE=gpu OMP_WAIT_POLICY=passive
case $what in
  tests) exec ./evenfold_tests_cuda --gtest_brief=1 "$@" ;;
  bench) exec ./evenfold_bench_cuda "$@" ;;
  nccl)
    ./evenfold_tests_distributed --gtest_brief=1 "$@"
    exec ./evenfold_tests_nccl --gtest_brief=1 "$@"
    ;;
  scaling) exec ./evenfold_bench_scaling_cuda "$@" ;;
  program) exec python3 tests/program/run.py ./evenfold --devices gpu cpu "$@" ;;
  commands)
    ./evenfold_tests_program --gtest_brief=1 --gtest_filter='cli_process.*'
    share_process
    EVENFOLD_PROGRAM=$PWD/evenfold_resident \
      ./evenfold_tests_program --gtest_brief=1 --gtest_filter='-cli_process.*' "$@"
    ;;
  oracles)
    share_process
    python3 tests/sqlite_oracle.py "$PWD/evenfold_resident"
    if python3 -c 'import numpy' 2>/dev/null; then
      python3 tests/numpy_oracle.py "$PWD/evenfold_resident" examples/example_npy_cuda
    else
      echo "run.sh: this Python has no NumPy; its comparison is left out"
    fi
    ;;
  examples)
    failed=0
    for example in examples/*; do
      echo "== $example"
      "$example" || failed=$((failed + 1))
    done
    echo "run.sh: $failed examples failed"
    exit $((failed > 0))
    ;;
  sanitize)
    sanitizer=$(command -v compute-sanitizer || true)
    if [[ -z $sanitizer && -x /usr/local/cuda/bin/compute-sanitizer ]]; then
      sanitizer=/usr/local/cuda/bin/compute-sanitizer
    fi
    if [[ -z $sanitizer ]]; then
      echo "run.sh: error: compute-sanitizer was not found; it is part of the CUDA toolkit" >&2
      exit 1
    fi
    # Instrumented code is up to a hundred times slower, so that sizes beyond 2^31 are left out. Failing
    # calls of CUDA are not reported, because some tests make calls fail to check the exception.
    for tool in memcheck racecheck synccheck initcheck; do
      echo "== compute-sanitizer --tool $tool"
      "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 \
        ./evenfold_tests_cuda --gtest_brief=1 --gtest_filter='-[hH]uge*' "$@"
    done
    ;;
  *)
    echo "run.sh: error: unknown command '$what'; the commands are tests, sanitize, program, commands, oracles, examples, bench, nccl, scaling" >&2
    exit 2
    ;;
esac

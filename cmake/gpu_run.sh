#!/usr/bin/env bash
# Runs the GPU programs beside this script. They need the NVIDIA driver and glibc; the benchmarks and
# one example also cuBLAS, a peer, from an installed CUDA toolkit.
#   run.sh tests [GoogleTest options]     the whole suite on the reference and CUDA contexts
#   run.sh program [options]              every command of the program, GPU beside CPU (needs
#                                         Python 3.10; --only TEXT: the cases with that text)
#   run.sh commands [GoogleTest options]  the tests of the commands, on the GPU
#   run.sh oracles                        the commands beside SQLite and, where it is, NumPy
#   run.sh examples                       every example
#   run.sh sanitize [GoogleTest options]  the same but the huge sizes under compute-sanitizer,
#                                         where it is installed
#   run.sh bench [benchmark options]      the library beside its peers
# Data files are looked for in $EVENFOLD_DATA; tests that need one skip without it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"

if ! [[ -e /dev/nvidia0 ]] && ! nvidia-smi -L >/dev/null 2>&1; then
  echo "run.sh: error: there is no NVIDIA GPU here, or its driver is not loaded" >&2
  exit 1
fi

what=${1:-tests}
if (($# > 0)); then shift; fi
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64
export EVENFOLD_TEST_DEVICE=gpu OMP_WAIT_POLICY=passive
case $what in
  tests) exec ./evenfold_tests_cuda --gtest_brief=1 "$@" ;;
  bench) exec ./evenfold_bench_cuda "$@" ;;
  program) exec python3 tests/program/run.py ./evenfold --devices gpu cpu "$@" ;;
  commands) exec ./evenfold_tests_program --gtest_brief=1 "$@" ;;
  oracles)
    python3 tests/sqlite_oracle.py ./evenfold
    if python3 -c 'import numpy' 2>/dev/null; then
      python3 tests/numpy_oracle.py ./evenfold examples/example_npy_cuda
    else
      echo "run.sh: Python has no NumPy here: left out"
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
      echo "run.sh: error: compute-sanitizer is not installed; it comes with the CUDA toolkit" >&2
      exit 1
    fi
    # Instrumented code is up to a hundred times slower: the sizes beyond 2^31 are left out. Calls that
    # fail are not reported: some tests make them fail on purpose and look at the exception.
    for tool in memcheck racecheck synccheck initcheck; do
      echo "== compute-sanitizer --tool $tool"
      "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 \
        ./evenfold_tests_cuda --gtest_brief=1 --gtest_filter='-[hH]uge*' "$@"
    done
    ;;
  *)
    echo "run.sh: error: unknown command '$what'; it knows tests, sanitize, program, commands, oracles, examples, bench" >&2
    exit 2
    ;;
esac

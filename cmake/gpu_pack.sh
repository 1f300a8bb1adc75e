#!/usr/bin/env bash
# Collects programs for a machine with a GPU, and the files that they read, in one folder.
#   gpu_pack.sh BUILD FOLDER PART...    PART: tests, program, examples, bench, nccl
set -euo pipefail
build=$1 folder=$2
shift 2

rm -rf "$folder"
mkdir -p "$folder/examples" "$folder/tests"
cp cmake/gpu_run.sh "$folder/run.sh"
chmod +x "$folder/run.sh"
cp -r data "$folder"
for part in "$@"; do
  case $part in
    tests) cp "$build/tests/evenfold_tests_cuda" "$folder" ;;
    bench) cp "$build/bench/evenfold_bench_cuda" "$folder" ;;
    nccl)
      cp "$build"/tests/nccl/evenfold_tests_{distributed,nccl} "$folder"
      cp "$build/bench/scaling/evenfold_bench_scaling_cuda" "$folder"
      ;;
    program)
      mkdir -p "$folder/docs"
      cp "$build/evenfold" "$build/cli/evenfold_resident" "$build/tests/program/evenfold_tests_program" "$folder"
      cp "$build/examples/example_npy_cuda" "$folder/examples"
      cp docs/folds.md "$folder/docs"
      cp -r tests/{program,golden,fuzz,numpy_oracle.py,sqlite_oracle.py} "$folder/tests"
      find "$folder/tests" '(' -name __pycache__ -o -name '*.cpp' -o -name CMakeLists.txt ')' \
        -exec rm -r {} +
      ;;
    examples) cp "$build"/examples/example_*_cuda "$folder/examples" ;;
  esac
done

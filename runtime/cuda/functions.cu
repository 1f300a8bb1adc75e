// Functions of the user on a GPU: a kernel that was compiled from an expression at run time.

#include "runtime/functions.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/core/array.hpp"
#include "runtime/backend.hpp"
#include "runtime/offsets.hpp"

namespace evenfold::runtime {

namespace {

class functions_on_gpu final : public function_operations, private family<cuda_context> {
 public:
  using family::family;

  std::vector<array> transform(const applied_expression& f) override {
    const compiled_expression& code = f.steps.code;
    if (code.image.empty()) refuse("transform of a function that was not compiled");
    // The parameters of the kernel, each in a word: see python/evenfold/_source.py.
    std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(f.count)};
    const auto add = [&](const void* address) {
      words.push_back(reinterpret_cast<std::uintptr_t>(address));
    };
    // Whether an index of a table does not exist. A function without tables does not read it.
    evenfold::array<std::int64_t> wrong(ctx, f.arguments.tables.empty() ? 0 : 1);
    if (!wrong.empty()) ctx.fill_bytes(wrong.data(), 0, sizeof(std::int64_t));
    add(wrong.data());
    for (const array* input : f.arguments.inputs) add(address("transform", "an array", *input));
    std::vector<array> results;
    for (std::size_t k = 0; k < f.steps.results.size(); ++k) {
      results.push_back(allocated(f.steps.result_type(k), static_cast<std::size_t>(f.count)));
      add(results.back().mutable_address());
    }
    for (const array* table : f.arguments.tables) {
      add(address("transform", "a captured array", *table));
      words.push_back(table->size());
    }
    words.insert(words.end(), f.arguments.numbers.begin(), f.arguments.numbers.end());
    if (f.offsets != nullptr) {
      const auto* const offsets = read<std::int64_t>("transform", "offsets", *f.offsets);
      const auto num_segments = static_cast<std::int64_t>(f.offsets->size()) - 1;
      check_offsets(ctx, "transform", offsets, num_segments, f.count);
      add(offsets);
      words.push_back(static_cast<std::uint64_t>(num_segments));
    }
    if (f.count == 0) return results;
    std::vector<void*> parameters;
    for (std::uint64_t& word : words) parameters.push_back(&word);
    constexpr std::int64_t threads = 256, most_blocks = 1 << 16;
    const device::device_scope scope(ctx.device());
    const auto blocks =
        static_cast<unsigned>(std::min(detail::ceil_div(f.count, threads), most_blocks));
    device::check_cuda(
        cudaLaunchKernel(reinterpret_cast<const void*>(kernel_of(code)), dim3(blocks),
                         dim3(threads), parameters.data(), 0, ctx.stream()),
        "cudaLaunchKernel");
    if (!wrong.empty() && to_host(ctx, wrong)[0] != 0) {
      throw index_error(
          "an index of a captured array does not exist; clip indices, such as with "
          "numpy.minimum, also where their element is not used");
    }
    return results;
  }

  // The package composes these from transform and the operations on arrays.
  array reduce(const applied_expression&, fold_operator) override { refuse("reduce"); }
  array segreduce(const applied_expression&, fold_operator) override { refuse("segreduce"); }
  array scan(const applied_expression&, fold_operator, bool) override { refuse("scan"); }
  array kept(const applied_expression&) override { refuse("filter"); }
  std::vector<array> reduce(const applied_expression&, const user_operator&) override {
    refuse("reduce");
  }
  std::vector<array> segreduce(const applied_expression&, const user_operator&) override {
    refuse("segreduce");
  }
  std::vector<array> scan(const applied_expression&, const user_operator&, bool) override {
    refuse("scan");
  }
  array sort_indices(const applied_expression&, const user_operator&) override { refuse("sort"); }

 private:
  /// The kernel of a compiled expression, which is loaded once and never unloaded.
  cudaKernel_t kernel_of(const compiled_expression& code) {
    cudaKernel_t& kernel = kernels_[code.image];
    if (kernel == nullptr) {
      cudaLibrary_t library = nullptr;
      device::check_cuda(cudaLibraryLoadData(&library, code.image.data(), nullptr, nullptr, 0,
                                             nullptr, nullptr, 0),
                         "cudaLibraryLoadData");
      device::check_cuda(cudaLibraryGetKernel(&kernel, library, code.kernel.c_str()),
                         "cudaLibraryGetKernel");
    }
    return kernel;
  }

  [[noreturn]] static void refuse(const std::string& what) {
    throw device_error(what +
                       ": functions of this kind run on the CPU; copy the arrays to the host");
  }

  /// By their images.
  std::map<std::string, cudaKernel_t> kernels_;
};

}  // namespace

std::unique_ptr<function_operations> make_functions(const backend_state& state) {
  return std::make_unique<functions_on_gpu>(state);
}

}  // namespace evenfold::runtime

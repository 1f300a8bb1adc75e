// Lambdas that are only `__device__`: on the host, nvcc knows neither their result nor their
// parameters, so that no algorithm may depend on them there.

#include <gtest/gtest.h>

#include "evenfold/evenfold.hpp"

#if defined(__CUDACC__)

namespace evenfold::testing {
namespace {

std::vector<double> halves(cuda_context& ctx, int count) {
  array<double> out(ctx, count);
  double* const to = out.data();
  transform(ctx, count, [=] __device__(int i) { to[i] = 0.5 * i; });
  return to_host(ctx, out);
}

TEST(device_lambda, transform) {
  cuda_context ctx;
  EXPECT_EQ(halves(ctx, 4), (std::vector<double>{0, 0.5, 1, 1.5}));
}

double reduced(cuda_context& ctx) {
  return transform_reduce(
      ctx, 1000, [] __device__(int i) { return 0.5 * i; },
      [] __device__(double a, double b) { return a + b; }, 0.);
}

TEST(device_lambda, reduce) {
  cuda_context ctx;
  EXPECT_EQ(reduced(ctx), 249750);
}

std::vector<double> scanned(cuda_context& ctx) {
  array<double> out(ctx, 4);
  array<double> total(ctx, 1);
  transform_scan<scan_kind::inclusive>(
      ctx, 4, [] __device__(int i) { return 0.5 * i; }, out.data(), plus{}, no_init{},
      total.data());
  return to_host(ctx, out);
}

TEST(device_lambda, scan_without_an_initial_value) {
  cuda_context ctx;
  EXPECT_EQ(scanned(ctx), (std::vector<double>{0, 0.5, 1.5, 3}));
}

std::vector<int> counted_parities(cuda_context& ctx) {
  array<int> out(ctx, 2);
  histogram(
      ctx, 1001, 2, [] __device__(int i) { return i % 2; }, out.data());
  return to_host(ctx, out);
}

std::vector<double> weighed_parities(cuda_context& ctx) {
  array<double> out(ctx, 2);
  histogram(
      ctx, 5, 2, [] __device__(int i) { return i % 2; }, [] __device__(int i) { return 0.5 * i; },
      out.data());
  return to_host(ctx, out);
}

TEST(device_lambda, histogram) {
  cuda_context ctx;
  EXPECT_EQ(counted_parities(ctx), (std::vector<int>{501, 500}));
  EXPECT_EQ(weighed_parities(ctx), (std::vector<double>{3, 2}));
}

std::vector<double> kept(cuda_context& ctx, const std::vector<double>& values) {
  const array<double> input = to_context(ctx, values);
  array<double> out(ctx, values.size());
  const int count = compact(
      ctx, input.data(), static_cast<int>(values.size()),
      [] __device__(double value) { return value > 1; }, out.data());
  std::vector<double> result = to_host(ctx, out);
  result.resize(count);
  return result;
}

TEST(device_lambda, compact) {
  cuda_context ctx;
  EXPECT_EQ(kept(ctx, {0.5, 2.5, 1, 3.5}), (std::vector<double>{2.5, 3.5}));
}

std::vector<double> descending_order(cuda_context& ctx, const std::vector<double>& values) {
  array<double> keys = to_context(ctx, values);
  sort(ctx, keys.data(), static_cast<int>(values.size()),
       [] __device__(double a, double b) { return b < a; });
  return to_host(ctx, keys);
}

TEST(device_lambda, sort) {
  cuda_context ctx;
  EXPECT_EQ(descending_order(ctx, {1.5, 3.5, 2.5}), (std::vector<double>{3.5, 2.5, 1.5}));
}

std::vector<double> segment_sums(cuda_context& ctx) {
  const array<int> offsets = to_context(ctx, std::vector<int>{0, 2});
  const array<double> weights = to_context(ctx, std::vector<double>{0.5, 0.25});
  array<double> out(ctx, 2);
  lbs_segreduce(
      ctx, 4,
      [] __device__(int i, int, int, const tuple<double>& weight) { return i * get<0>(weight); },
      offsets.data(), 2, make_tuple(weights.data()), out.data(), plus{}, 0.);
  return to_host(ctx, out);
}

TEST(device_lambda, segments) {
  cuda_context ctx;
  EXPECT_EQ(segment_sums(ctx), (std::vector<double>{0.5, 1.25}));
}

double norm(cuda_context& ctx) {
  const array<float> x = to_context(ctx, std::vector<float>{3, 4});
  return transform_reduce(
      ctx, 2, elementwise([] __device__(float a) { return double{a} * a; }, x.data()), plus{}, 0.);
}

TEST(device_lambda, function_of_several_sequences) {
  cuda_context ctx;
  EXPECT_EQ(norm(ctx), 25);
}

std::vector<double> grouped(cuda_context& ctx) {
  array<int> offsets(ctx, 3);
  array<double> out(ctx, 4);
  double* const to = out.data();
  bucket_sort(
      ctx, 4, [] __device__(int i) { return i % 2; },
      [] __device__(int i) -> double { return 0.5 * i; }, 2, offsets.data(), no_order{},
      [=] __device__(int k, double value) { to[k] = value; });
  return to_host(ctx, out);
}

TEST(device_lambda, buckets_of_values_whose_type_is_stated) {
  cuda_context ctx;
  EXPECT_EQ(grouped(ctx), (std::vector<double>{0, 1, 0.5, 1.5}));
}

}  // namespace
}  // namespace evenfold::testing

#endif

// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Matrix products through cuBLASLt's interface, from a stand-in that is compiled against its header and
// multiplies on the CPU: needs neither a GPU nor the library.
#include "backends/gpu/products.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "suite/base/error.hpp"

extern "C" int stand_in_alive();

namespace podium::gpu {
namespace {

using device::ProductType;
using testing::HasSubstr;

class OnTheHost : public device::Memory {
 public:
  explicit OnTheHost(std::size_t bytes) : content_(bytes) {
    data_ = content_.data();
    bytes_ = bytes;
  }

 private:
  std::vector<std::byte> content_;
};

std::unique_ptr<device::Products> open() {
  return open_products(reinterpret_cast<api::Stream>(0x57), std::make_unique<OnTheHost>(products_workspace));
}

// The product's numbers for small whole operands, against a sum worked out here.
template <class In, class Out>
void expect_product(ProductType type) {
  constexpr std::int64_t n = 5;
  std::vector<In> a(n * n), b(n * n);
  std::vector<Out> d(n * n, Out(77));
  for (std::int64_t i = 0; i < n * n; ++i) a[i] = In(i % 7 - 3), b[i] = In(i * i % 11 - 5);
  const auto products = open();
  const auto product = products->plan(type, n, a.data(), b.data(), d.data());
  EXPECT_EQ(product->ways(), 1);  // the way that does not work is left out
  product->run(0);
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column) {
      Out sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += Out(a[k + row * n]) * Out(b[k + column * n]);
      ASSERT_EQ(d[row + column * n], sum) << row << ", " << column;
    }
}

TEST(Products, AreThoseOfTheTransposedAndTheOther) {
  expect_product<double, double>(ProductType::f64);
  expect_product<float, float>(ProductType::tf32);
  expect_product<signed char, std::int32_t>(ProductType::i8);
  EXPECT_EQ(stand_in_alive(), 0);  // whatever was made was destroyed
}

TEST(Products, NameTheLibraryAndItsVersion) { EXPECT_EQ(open()->name(), "cuBLASLt 13.2.5"); }

TEST(Products, ThatTheLibraryLacksAreRefused) {
  const auto products = open();
  for (const ProductType type : {ProductType::f16, ProductType::bf16, ProductType::e4m3}) try {
      products->plan(type, 4, nullptr, nullptr, nullptr);
      ADD_FAILURE() << "a product was planned";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("cuBLASLt 13.2.5 has no such product"));
    }
  EXPECT_EQ(stand_in_alive(), 1);  // the handle
}

}  // namespace
}  // namespace podium::gpu

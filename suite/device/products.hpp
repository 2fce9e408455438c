// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Matrix products by the vendor's library, for calibration: what its matrix cores do at their best.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

namespace podium::device {

// Of the operands. tf32: f32 in memory, of which the matrix cores take the first 19 bits.
enum class ProductType { f64, tf32, f16, bf16, e4m3, i8 };

// One product, planned: its operands and the ways that the library offers.
class Product {
 public:
  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  virtual ~Product() = default;
  virtual int ways() const = 0;   // at least 1, those that the library thinks best first
  virtual void run(int way) = 0;  // enqueues on the device's one stream; throws podium::Error
};

class Products {
 public:
  Products() = default;
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;
  virtual ~Products() = default;
  virtual std::string name() const = 0;  // "cuBLASLt 13.1.0"
  // D = Aᵀ B, all n × n and column-major, sums in the widest type that the library sums in; device addresses,
  // which the product keeps. `d` has room for n² numbers of 8 bytes. Throws podium::Error if the library has
  // no such product for this device.
  virtual std::unique_ptr<Product> plan(ProductType type, std::int64_t n, const void* a, const void* b,
                                        void* d) = 0;
};

}  // namespace podium::device

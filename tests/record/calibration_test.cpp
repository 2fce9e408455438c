// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A calibration on disk: what was written is read again, and what is none is refused in one sentence.
#include "suite/record/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "suite/base/error.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Stored : public testing::Test {
 protected:
  Stored() { fs::create_directories(folder_); }
  ~Stored() override { fs::remove_all(folder_); }

  static Calibration sample() {
    return {.provenance = {.podium = "0.1.0",
                           .commit = "0123456789ab",
                           .command = "podium calibrate",
                           .started = "2025-01-31T13:45:00Z",
                           .device = {.backend = "cuda",
                                      .product = "NVIDIA H200",
                                      .architecture = "sm_90",
                                      .memory = 150'110'011'392},
                           .driver = "driver 580.1",
                           .cpu = "Some CPU",
                           .kernel = "Linux 6.1",
                           .compilers = {{.backend = "cuda", .version = "nvcc 13.0", .flags = {"-O3"}}},
                           .wall_seconds = 11},
            .quantities = {{"copy", "B/s", 4.22e12, 4.21e12, 4.23e12, 11, ""},
                           {"matrix_bf16", "FLOP/s", 7.4e14, 7.3e14, 7.5e14, 11, "cuBLASLt 13.1.0, n = 8192"},
                           {"matrix_i8", "op/s", 0, 0, 0, 0, "cuBLASLt was not found"}}};
  }
  std::string refusal(const std::string& text) const {
    const fs::path file = folder_ / "calibration.json";
    std::ofstream(file) << text;
    try {
      read_calibration(file);
    } catch (const Error& e) {
      const std::string sentence = e.what();
      EXPECT_THAT(sentence, HasSubstr(file.string()));
      EXPECT_EQ(sentence.find('\n'), std::string::npos);
      return sentence;
    }
    return "read without complaint";
  }
  static std::string with(const std::string& pointer, const nlohmann::json& value) {
    auto json = to_json(sample());
    json[nlohmann::json::json_pointer(pointer)] = value;
    return json.dump();
  }
  static std::string without(const std::string& key, bool in_quantity = false) {
    auto json = to_json(sample());
    (in_quantity ? json["quantities"][0] : json).erase(key);
    return json.dump();
  }
  fs::path folder_ = fs::temp_directory_path() / ("podium-calibration-" + std::to_string(getpid()));
};

TEST_F(Stored, GoesToTheDevicesFolderAndComesBack) {
  const fs::path file = calibration_file(folder_ / "results", sample().provenance.device);
  EXPECT_EQ(file, folder_ / "results/nvidia-h200-sm_90-140g/calibration.json");
  write_calibration(file, sample());
  const Calibration back = read_calibration(file);
  EXPECT_EQ(back.quantities, sample().quantities);
  EXPECT_EQ(to_json(back), to_json(sample()));
  EXPECT_EQ(back.provenance.commit, "0123456789ab");
  EXPECT_EQ(back.provenance.driver, "driver 580.1");
  EXPECT_EQ(back.provenance.compilers.at(0).version, "nvcc 13.0");
  EXPECT_EQ(slug(back.provenance.device), slug(sample().provenance.device));
}

TEST_F(Stored, AnotherTakesItsPlace) {
  const fs::path file = folder_ / "calibration.json";
  write_calibration(file, sample());
  Calibration later = sample();
  later.quantities[0].value = later.quantities[0].high = 5e12;
  write_calibration(file, later);
  EXPECT_EQ(read_calibration(file).quantities, later.quantities);
}

TEST_F(Stored, FindsOnlyWhatWasMeasured) {
  const Calibration calibration = sample();
  ASSERT_TRUE(calibration.find("copy"));
  EXPECT_EQ(calibration.find("copy")->value, 4.22e12);
  EXPECT_FALSE(calibration.find("matrix_i8"));
  EXPECT_FALSE(calibration.find("read"));
}

TEST_F(Stored, GarbageIsRefusedInOneSentence) {
  EXPECT_THAT(refusal(""), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal("{\"schema\": 1"), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("expected an object"));
  EXPECT_THAT(refusal(with("/schema", 2)), HasSubstr("schema 2, expected 1"));
  EXPECT_THAT(refusal(without("schema")), HasSubstr("'schema' is missing"));
  EXPECT_THAT(refusal(without("provenance")), HasSubstr("'provenance' is missing"));
  EXPECT_THAT(refusal(without("quantities")), HasSubstr("'quantities' is missing"));
  EXPECT_THAT(refusal(with("/quantities", 3)), HasSubstr("expected a list"));
  EXPECT_THAT(refusal(with("/provenance/driver", 3)), HasSubstr("'driver'"));
  EXPECT_THAT(refusal(without("name", true)), HasSubstr("'name' is missing"));
  EXPECT_THAT(refusal(without("value", true)), HasSubstr("'value' is missing"));
  EXPECT_THAT(refusal(with("/quantities/0/value", "fast")), HasSubstr("expected a number"));
  EXPECT_THAT(refusal(with("/quantities/0/value", "nan")), HasSubstr("copy is nan"));
  EXPECT_THAT(refusal(with("/quantities/0/low", -1)), HasSubstr("expected finite numbers in order"));
  EXPECT_THAT(refusal(with("/quantities/0/high", 4e12)), HasSubstr("expected finite numbers in order"));
  EXPECT_THAT(refusal(with("/quantities/0/high", "inf")), HasSubstr("expected finite numbers in order"));
  EXPECT_THAT(refusal(with("/quantities/0/samples", -1)), HasSubstr("-1 samples"));
  EXPECT_THAT(refusal(with("/quantities/1/name", "copy")), HasSubstr("found copy twice"));
  EXPECT_EQ(refusal(with("/quantities/0/value", 4.22e12)), "read without complaint");
}

TEST_F(Stored, AFileThatIsNotThereSaysWhatMakesOne) {
  try {
    read_calibration(folder_ / "nothing.json");
    FAIL() << "nothing was read";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("podium calibrate"));
  }
}

}  // namespace
}  // namespace podium::record

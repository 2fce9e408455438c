// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers with the right digits, and text that can do no harm.
#include "suite/report/format.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace podium::report {
namespace {

TEST(Format, FourSignificantDigits) {
  EXPECT_EQ(significant(3.71), "3.710");
  EXPECT_EQ(significant(412.34), "412.3");
  EXPECT_EQ(significant(4223.4), "4223");
  EXPECT_EQ(significant(270270.4), "270270");
  EXPECT_EQ(significant(0.0512), "0.05120");
  EXPECT_EQ(significant(9.99951), "10.00");
  EXPECT_EQ(significant(9.99949), "9.999");
  EXPECT_EQ(significant(99.996), "100.0");
  EXPECT_EQ(significant(0), "0.000");
  EXPECT_EQ(significant(-12.344), "-12.34");
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Format, TimesHaveTheirUnit) {
  EXPECT_EQ(time_text(0.512), "512.0 ns");
  EXPECT_EQ(time_text(3.7104), "3.710 µs");
  EXPECT_EQ(time_text(0.99999), "1.000 µs");
  EXPECT_EQ(time_text(999.94), "999.9 µs");
  EXPECT_EQ(time_text(999.96), "1.000 ms");
  EXPECT_EQ(time_text(21695.8), "21.70 ms");
  EXPECT_EQ(time_text(999960), "1.000 s");
  EXPECT_EQ(time_text(2.5e7), "25.00 s");
}

TEST(Format, EnergiesHaveTheirUnit) {
  EXPECT_EQ(energy_text(0.8402), "840.2 nJ");
  EXPECT_EQ(energy_text(12.308), "12.31 µJ");
  EXPECT_EQ(energy_text(999960), "1.000 J");
}

TEST(Format, SizesInBinaryUnits) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(1023), "1023 B");
  EXPECT_EQ(size_text(1024), "1.000 KiB");
  EXPECT_EQ(size_text(1024 * 1024 - 1), "1.000 MiB");
  EXPECT_EQ(size_text(1.5 * (1 << 30)), "1.500 GiB");
  EXPECT_EQ(size_text(0x1p70), "1024 EiB");
}

TEST(Format, RatiosAboutOneHaveThreeDecimals) {
  EXPECT_EQ(ratio_text(1.0834), "1.083");
  EXPECT_EQ(ratio_text(0.9961), "0.996");
  EXPECT_EQ(ratio_text(0.123456), "0.123");
  EXPECT_EQ(ratio_text(0.0123456), "0.0123");
  EXPECT_EQ(ratio_text(0.99961), "1.000");
  EXPECT_EQ(ratio_text(12.408), "12.41");
}

TEST(Format, Percent) {
  EXPECT_EQ(percent_text(0.6128), "61.3");
  EXPECT_EQ(or_none(std::nullopt, percent_text), "–");
  EXPECT_EQ(or_none(0.5, percent_text), "50.0");
}

TEST(Format, OneLineHarmsNoTerminal) {
  EXPECT_EQ(one_line("a\nb\t\r\n c"), "a b c");
  EXPECT_EQ(one_line("\x1b[31mred\x07"), "[31mred");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31mred"),
            "31mred");  // CSI as one character
  EXPECT_EQ(one_line("a\xe2\x80\xae"
                     "b"),
            "a b");  // right-to-left override
  EXPECT_EQ(one_line("bad \xff\xc3"), "bad ??");
  EXPECT_EQ(one_line("\xc0\xaf"), "??");       // overlong
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");  // surrogate
  EXPECT_EQ(one_line("µ 漢 🎉"), "µ 漢 🎉");
  EXPECT_EQ(one_line("  x "), "x");
  EXPECT_EQ(one_line(""), "");
}

TEST(Format, AsciiKeepsTheWidth) {
  for (const std::string text : {"1.5 µs ±0.3 %", "1–2 · δ × … ─ ≥ ’", "漢x"}) {
    EXPECT_EQ(ascii(text).size(), width(text)) << text;
    for (const char c : ascii(text)) EXPECT_GT(c, 0);
  }
  EXPECT_EQ(ascii("µ–×"), "u-x");
}

TEST(Format, ShortenedNeverSplitsACharacter) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdef", 4), "abc…");
  EXPECT_EQ(shortened("µµµµ", 3), "µµ…");
  EXPECT_EQ(shortened("abc", 1), "…");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(Format, MarkdownIsNoMarkup) {
  EXPECT_EQ(markdown_escaped("a|b\nc"), "a\\|b c");
  EXPECT_EQ(markdown_escaped("<script>&"), "&lt;script>&amp;");
  EXPECT_EQ(markdown_escaped("[x](y) *z* `w` ~~v~~"), "\\[x\\](y) \\*z\\* \\`w\\` \\~\\~v\\~\\~");
  EXPECT_EQ(markdown_escaped("two_pass _x_"), "two_pass \\_x\\_");
  EXPECT_EQ(markdown_escaped("![i](u) $x$"), "!\\[i\\](u) \\$x\\$");
}

TEST(Format, MarkdownLinksNowhereAndMentionsNobody) {
  EXPECT_EQ(markdown_escaped("see http://x.y or HTTPS://x"), "see http:&#8203;//x.y or HTTPS:&#8203;//x");
  EXPECT_EQ(markdown_escaped("www.x.y Www.x"), "www&#8203;.x.y Www&#8203;.x");
  EXPECT_EQ(markdown_escaped("@all a@b.c me@"), "@&#8203;all a@&#8203;b.c me@");
  EXPECT_EQ(markdown_escaped("fixes #12, o/r#3, C#"), "fixes #&#8203;12, o/r#&#8203;3, C#");
  EXPECT_EQ(markdown_escaped("a: b // c"), "a: b // c");
}

TEST(Format, MarkdownBeginsNoBlock) {
  EXPECT_EQ(markdown_escaped("# heading"), "\\# heading");
  EXPECT_EQ(markdown_escaped("> quotation"), "\\> quotation");
  EXPECT_EQ(markdown_escaped("- item"), "\\- item");
  EXPECT_EQ(markdown_escaped("---"), "\\---");
  EXPECT_EQ(markdown_escaped("+ item"), "\\+ item");
  EXPECT_EQ(markdown_escaped("==="), "\\===");
  EXPECT_EQ(markdown_escaped("12. item"), "12\\. item");
  EXPECT_EQ(markdown_escaped("1) item"), "1\\) item");
  EXPECT_EQ(markdown_escaped("-5.0 % and 1.5 µs"), "-5.0 % and 1.5 µs");
}

TEST(Format, CsvQuotesWhatItMust) {
  EXPECT_EQ(csv_escaped("plain"), "plain");
  EXPECT_EQ(csv_escaped("rows=1,cols=2"), "\"rows=1,cols=2\"");
  EXPECT_EQ(csv_escaped("a \"b\"\nc"), "\"a \"\"b\"\"\nc\"");
}

TEST(Format, CsvHasNoFormulas) {
  EXPECT_EQ(csv_escaped("=1+1"), "'=1+1");
  EXPECT_EQ(csv_escaped("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(csv_escaped("-1+1"), "'-1+1");
  EXPECT_EQ(csv_escaped("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_escaped("\n=1"), "\"'\n=1\"");
  EXPECT_EQ(csv_escaped("\t=1"), "'\t=1");
  EXPECT_EQ(csv_escaped("＝1"), "'＝1");
  EXPECT_EQ(csv_escaped("-1.5"), "-1.5");
  EXPECT_EQ(csv_escaped("+2e3"), "+2e3");
}

}  // namespace
}  // namespace podium::report

#include "text/csv.hpp"

#include <doctest/doctest.h>

using namespace throng;
using namespace throng::environment;

TEST_CASE("tables have a heading if their first field is no number") {
  ProblemList problems;
  const CsvTable named = parse_csv("\xef\xbb\xbfx, y\r\n\r\n 1 ,2\r\n", "t.csv", problems);
  CHECK(named.heading == std::vector<std::string>{"x", "y"});
  CHECK(named.heading_line == 1);
  REQUIRE(named.rows.size() == 1);
  CHECK(named.rows[0].fields == std::vector<std::string>{"1", "2"});
  CHECK(named.rows[0].line == 3);
  const CsvTable plain = parse_csv("1,\"a,\"\"b\"\"\" \n", "t.csv", problems);
  CHECK(plain.heading.empty());
  CHECK(plain.rows[0].fields == std::vector<std::string>{"1", "a,\"b\""});
  CHECK(!problems.has_errors());
}

TEST_CASE("lines that are wrong are told and left out, the others kept") {
  ProblemList problems;
  const CsvTable table = parse_csv("1,2\n3\n4,\"5\n6,7\n8,9,\n", "t.csv", problems);
  CHECK(table.rows.size() == 2);
  CHECK(problems.errors() == 3);
  const Problems told = std::move(problems).finish("t.csv");
  CHECK(told[0].place == "t.csv:2");
  CHECK(told[1].place == "t.csv:3");
  CHECK(told[2].place == "t.csv:5");
}

TEST_CASE("numbers are decimal, whole texts and finite") {
  CHECK(to_number("-1.5e3") == -1500.0);
  for (const char* text : {"", "1x", "0x10", "nan", "inf", "1e999", "1 2"}) CHECK(!to_number(text));
}

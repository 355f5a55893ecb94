#include "drawing/document.hpp"

#include <doctest/doctest.h>

#include "support/data.hpp"

namespace throng::test {
namespace {

using namespace analysis;

Document sample(const std::string& nasty) {
  Document document;
  document.title = nasty;
  document.subtitle = nasty;
  document.warnings = {nasty};
  document.highlights = {{"5", nasty}};
  Section section{"one", nasty, {}};
  section.blocks.emplace_back(Paragraph{nasty});
  section.blocks.emplace_back(Figure{"fig", nasty, nasty, "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", false});
  section.blocks.emplace_back(
      Table{nasty, {"what", nasty}, {{{nasty}, {"1.2", "1.2345678901234567", "run-1." + nasty}}}});
  section.blocks.emplace_back(Listing{nasty, nasty + "\n```\ncode\n```"});
  document.sections.push_back(section);
  document.footer = nasty;
  return document;
}

TEST_CASE("texts are shown as they are and never become markup") {
  const std::string nasty = "</style><script>alert(1)</script> & \"quotes\" | *stars* `ticks` \xe2\x82\xac";
  const std::string html = to_html(sample(nasty));
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("&lt;script&gt;alert(1)") != std::string::npos);
  const std::string markdown = to_markdown(sample(nasty), "figures");
  const std::string before_listing = markdown.substr(0, markdown.find("````"));
  REQUIRE(before_listing.size() < markdown.size());  // a fence longer than those in the text
  CHECK(before_listing.find("<script") == before_listing.find("\\<script") + 1);
  CHECK(before_listing.find(" | *stars*") == std::string::npos);
}

/// HTML as Python's parser sees it: every element that is opened is closed, in order; ids are distinct.
TEST_CASE("the HTML is well-formed, and needs nothing from elsewhere") {
  const std::string html = to_html(sample("text"));
  const ProgramResult result =
      run_program({"python3", "-c",
                   "import sys\nfrom html.parser import HTMLParser\n"
                   "class P(HTMLParser):\n"
                   "    stack, ids = [], set()\n"
                   "    def handle_starttag(self, tag, attrs):\n"
                   "        for k, v in attrs:\n"
                   "            if k == 'id': assert v not in self.ids, v; self.ids.add(v)\n"
                   "            if k in ('src', 'href'): assert v.startswith(('#', 'data:')), v\n"
                   "        if tag not in ('meta', 'br', 'img'): self.stack.append(tag)\n"
                   "    def handle_startendtag(self, tag, attrs): pass\n"
                   "    def handle_endtag(self, tag): assert self.stack.pop() == tag, tag\n"
                   "p = P(); p.feed(sys.stdin.read()); assert not p.stack\n"},
                  html);
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(html.find("@import") == std::string::npos);
  CHECK(html.find("prefers-color-scheme:dark") != std::string::npos);
  CHECK(html.find("@media print") != std::string::npos);
}

TEST_CASE("numbers stand in the HTML with all their digits") {
  CHECK(to_html(sample("x")).find("<data data-key=\"run-1.x\" value=\"1.2345678901234567\">1.2</data>") !=
        std::string::npos);
}

TEST_CASE("figures of a document come in order") {
  const Document document = sample("x");
  const std::vector<const Figure*> figures = figures_of(document);
  REQUIRE(figures.size() == 1);
  CHECK(figures[0]->id == "fig");
  CHECK(to_markdown(document, "f").find("](<f/fig.png>)](<f/fig.svg>)") != std::string::npos);
}

}  // namespace
}  // namespace throng::test

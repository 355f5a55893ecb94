// A report as it is before it becomes a page: sections of text, tables and figures; and how it is written as HTML and as Markdown.
//
// Laws
// 1. The same document gives the same text: no dates, no locale, no paths but those that it holds.
// 2. The HTML is one file that needs nothing else: no scripts, no fonts, no network. It has a light and a dark look on the screen and a
//    style for print; every figure says in words what it shows.
// 3. Whatever texts hold, they are shown as they are and never become markup.
// 4. A number that a run counted stands in the HTML with all its digits: <data value="44.60000000000036">44.6 s</data>.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace throng::analysis {

struct Cell {
  std::string text;
  std::string value = {};  ///< the exact number; empty: the text is all there is
  std::string key = {};    ///< what programs find it by: "run-1.evacuated_50"
};

struct Table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;  ///< the first cell of a row says what it is about
  bool beside = false;                  ///< stands beside figures that are not wide
  bool folded = false;                  ///< shown on request (and in print not at all): what a figure shows already
};

struct Figure {
  std::string id;  ///< distinct; a file name without ending
  std::string caption;
  std::string description;  ///< what it shows, in words
  std::string svg;
  bool wide = false;  ///< takes the whole width
};

struct Paragraph {
  std::string text;
};

/// Long text as it is, on request.
struct Listing {
  std::string title, text;
};

struct Section {
  std::string id, title;
  std::vector<std::variant<Paragraph, Table, Figure, Listing>> blocks;
};

struct Document {
  std::string title, subtitle;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>> highlights;  ///< what is read first: a figure and what it is
  std::vector<Section> sections;
  std::string footer;
};

[[nodiscard]] std::string to_html(const Document& document);

/// Figures are linked as FOLDER/ID.png, with FOLDER/ID.svg behind them.
[[nodiscard]] std::string to_markdown(const Document& document, const std::string& folder);

/// All figures, in order.
[[nodiscard]] std::vector<const Figure*> figures_of(const Document& document);

}  // namespace throng::analysis

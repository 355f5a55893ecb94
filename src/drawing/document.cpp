#include "drawing/document.hpp"

#include <algorithm>

#include "drawing/plot.hpp"

namespace throng::analysis {

namespace {

constexpr std::string_view style = R"css(
:root{--paper:#fff;--ink:#1d2329;--soft:#5b6670;--line:#d5dade;--tint:#f3f5f7;--accent:#0b5c8f;--warn:#8a3b00;--warn-tint:#fff4e5}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 "Helvetica Neue",Helvetica,Arial,"DejaVu Sans",sans-serif}
.page{max-width:1080px;margin:0 auto;padding:28px 20px 60px}
header h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px}
header p{margin:0;color:var(--soft)}
nav{margin:18px 0 0;padding:8px 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line);font-size:.92rem}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:0;padding:0}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h2{font-size:1.35rem;margin:44px 0 10px;padding-top:6px;border-top:3px solid var(--ink);break-after:avoid}
p{max-width:46em}
.warning{background:var(--warn-tint);color:var(--warn);border-left:4px solid var(--warn);padding:10px 14px;margin:16px 0;max-width:none}
.highlights{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:22px 0 8px;padding:0}
.highlights div{background:var(--tint);border-radius:6px;padding:12px 14px}
.highlights dt{color:var(--soft);font-size:.86rem;line-height:1.3}
.highlights dd{margin:0 0 2px;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.25}
.highlights div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:6px 28px;align-items:start}
figure{margin:14px 0;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
figcaption{color:var(--soft);font-size:.88rem;margin-top:6px;max-width:60em}
figcaption b{color:var(--ink)}
.tables{display:flex;flex-wrap:wrap;gap:0 56px;align-items:flex-start}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;margin:12px 0;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:4px 14px 4px 0;border-bottom:1px solid var(--line);text-align:right;vertical-align:baseline}
th:first-child,td:first-child,tbody th{text-align:left;font-weight:400}
thead th{font-weight:600;border-bottom:2px solid var(--ink)}
thead th:first-child{font-weight:600}
details{margin:8px 0}
summary{cursor:pointer;color:var(--accent);font-size:.92rem}
pre{background:var(--tint);padding:12px;overflow:auto;font-size:.8rem;line-height:1.4;max-height:32em;white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:48px;padding-top:10px;border-top:1px solid var(--line);color:var(--soft);font-size:.86rem}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#14181c;--ink:#e4e8eb;--soft:#9aa6b0;--line:#343c44;--tint:#1e242a;--accent:#7cc0ee;--warn:#ffc98a;--warn-tint:#33240f}
svg.plot,svg.map{fill:#e4e8eb}
.plot .grid{stroke:#333b43}
.plot .axis,.map .axis,.map .swatch{stroke:#a5b0b9}
.plot .line.s0{stroke:#56b4e9}.plot .fill.s0{fill:#56b4e9}
.plot .line.s1{stroke:#ff9a4d}.plot .fill.s1{fill:#ff9a4d}
.plot .line.s2{stroke:#2fc79c}.plot .fill.s2{fill:#2fc79c}
.plot .line.s6{stroke:#b997dd}.plot .fill.s6{fill:#b997dd}
.plot .line.s7{stroke:#c6c64a}.plot .fill.s7{fill:#c6c64a}
.map .blocked{fill:#2a3036}
.map .ground{fill:#c9ccd0}
.map .door{stroke:#c9ccd0}
.map .name{stroke:#c9ccd0}
}
@media print{
@page{size:A4;margin:14mm}
body{font-size:10.5pt}
.page{max-width:none;padding:0}
nav,details{display:none}
h2{margin-top:22pt}
a{color:inherit;text-decoration:none}
.figures{display:grid;grid-template-columns:1fr 1fr;gap:8pt 14pt}
.scroll{overflow:visible}
table{font-size:9pt;break-inside:avoid}
tr{break-inside:avoid}
td{overflow-wrap:anywhere}
td:not(:first-child){min-width:4.4em}
thead{display:table-header-group}
figure svg{max-height:225mm}
.highlights{grid-template-columns:repeat(4,1fr);gap:6pt}
.highlights div{border:.6pt solid #999;background:none;padding:6pt 8pt}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
)css";

class HtmlWriter {
 public:
  std::string write(const Document& document) && {
    out_ += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    // Nothing is asked for from elsewhere and nothing is run, whatever names a recording brings.
    out_ +=
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
        "data:\">\n";
    out_ += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n";
    out_ += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    out_ +=
        "<title>" + escaped(document.title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n";
    out_ += "<div class=\"page\">\n<header>\n<h1>" + escaped(document.title) + "</h1>\n<p>" +
            escaped(document.subtitle) + "</p>\n</header>\n";
    navigation(document);
    out_ += "<main>\n";
    for (const std::string& warning : document.warnings)
      out_ += "<p class=\"warning\" role=\"note\">" + escaped(warning) + "</p>\n";
    highlights(document);
    for (const Section& section : document.sections) write(section);
    out_ += "</main>\n<footer>" + escaped(document.footer) + "</footer>\n</div>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void navigation(const Document& document) {
    out_ += "<nav aria-label=\"Sections\"><ul>";
    for (const Section& section : document.sections)
      out_ += "<li><a href=\"#" + escaped(section.id) + "\">" + escaped(section.title) + "</a></li>";
    out_ += "</ul></nav>\n";
  }

  void highlights(const Document& document) {
    if (document.highlights.empty()) return;
    out_ += "<dl class=\"highlights\">";
    for (const auto& [figure, what] : document.highlights)
      out_ += "<div><dt>" + escaped(what) + "</dt><dd>" + escaped(figure) + "</dd></div>";
    out_ += "</dl>\n";
  }

  /// What stands side by side where there is room.
  static std::string group_of(const std::variant<Paragraph, Table, Figure, Listing>& block) {
    if (const auto* figure = std::get_if<Figure>(&block)) return figure->wide ? "" : "figures";
    if (const auto* table = std::get_if<Table>(&block))
      return table->folded ? "" : table->beside ? "figures" : "tables";
    return "";
  }

  void write(const Section& section) {
    out_ += "<section id=\"" + escaped(section.id) + "\">\n<h2>" + escaped(section.title) + "</h2>\n";
    std::string group;
    for (const auto& block : section.blocks) {
      const std::string next = group_of(block);
      if (next != group && !group.empty()) out_ += "</div>\n";
      if (next != group && !next.empty()) out_ += "<div class=\"" + next + "\">\n";
      group = next;
      std::visit([&](const auto& part) { write(part); }, block);
    }
    if (!group.empty()) out_ += "</div>\n";
    out_ += "</section>\n";
  }

  void write(const Paragraph& paragraph) { out_ += "<p>" + escaped(paragraph.text) + "</p>\n"; }

  void write(const Listing& listing) {
    out_ += "<details><summary>" + escaped(listing.title) + "</summary><pre>" + escaped(listing.text) +
            "</pre></details>\n";
  }

  void write(const Figure& figure) {
    out_ += "<figure id=\"" + escaped(figure.id) + "\">\n" + figure.svg + "\n<figcaption><b>" +
            escaped(figure.caption) + "</b> " + escaped(figure.description) + "</figcaption>\n</figure>\n";
  }

  void write(const Table& table) {
    if (table.folded) out_ += "<details><summary>" + escaped(table.caption) + "</summary>\n";
    out_ += "<div class=\"scroll\"><table>\n";
    if (!table.folded && !table.caption.empty()) out_ += "<caption>" + escaped(table.caption) + "</caption>\n";
    out_ += "<thead><tr>";
    for (const std::string& name : table.head) out_ += "<th scope=\"col\">" + escaped(name) + "</th>";
    out_ += "</tr></thead>\n<tbody>\n";
    for (const std::vector<Cell>& row : table.rows) {
      out_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i)
        out_ += i == 0 ? "<th scope=\"row\">" + inside(row[i]) + "</th>" : "<td>" + inside(row[i]) + "</td>";
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
    if (table.folded) out_ += "</details>\n";
  }

  static std::string inside(const Cell& cell) {
    if (cell.value.empty()) return escaped(cell.text);
    const std::string key = cell.key.empty() ? "" : " data-key=\"" + escaped(cell.key) + "\"";
    return "<data" + key + " value=\"" + escaped(cell.value) + "\">" + escaped(cell.text) + "</data>";
  }

  std::string out_;
};

/// Text that Markdown shows as it is.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : mended(text)) {
    if (std::string_view("\\`*_[]<>|#~$").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::string folder) : folder_(std::move(folder)) {}

  std::string write(const Document& document) && {
    out_ += "# " + plain(document.title) + "\n\n" + plain(document.subtitle) + "\n\n";
    for (const std::string& warning : document.warnings) out_ += "> **Note:** " + plain(warning) + "\n\n";
    for (const auto& [figure, what] : document.highlights) out_ += "- **" + plain(figure) + "** " + plain(what) + "\n";
    if (!document.highlights.empty()) out_ += '\n';
    for (const Section& section : document.sections) {
      out_ += "## " + plain(section.title) + "\n\n";
      for (const auto& block : section.blocks) std::visit([&](const auto& part) { write(part); }, block);
    }
    out_ += "---\n\n" + plain(document.footer) + "\n";
    return std::move(out_);
  }

 private:
  void write(const Paragraph& paragraph) { out_ += plain(paragraph.text) + "\n\n"; }

  void write(const Figure& figure) {
    const std::string file = folder_ + "/" + figure.id;
    out_ += "[![" + plain(figure.caption + " " + figure.description) + "](<" + file + ".png>)](<" + file +
            ".svg>)\n\n*" + plain(figure.caption) + "* " + plain(figure.description) + "\n\n";
  }

  void write(const Listing& listing) {
    // A fence longer than any in the text.
    std::size_t run = 0, longest = 2;
    for (const char c : listing.text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    const std::string fence(longest + 1, '`');
    out_ += "**" + plain(listing.title) + "**\n\n" + fence + "\n" + listing.text +
            (listing.text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
  }

  void write(const Table& table) {
    if (!table.caption.empty()) out_ += "**" + plain(table.caption) + "**\n\n";
    out_ += '|';
    for (const std::string& name : table.head) out_ += " " + plain(name) + " |";
    out_ += "\n|";
    for (std::size_t i = 0; i < table.head.size(); ++i) out_ += i == 0 ? " --- |" : " ---: |";
    out_ += '\n';
    for (const std::vector<Cell>& row : table.rows) {
      out_ += '|';
      for (const Cell& cell : row) out_ += " " + plain(cell.text) + " |";
      out_ += '\n';
    }
    out_ += '\n';
  }

  std::string folder_, out_;
};

}  // namespace

std::string to_html(const Document& document) { return HtmlWriter().write(document); }

std::string to_markdown(const Document& document, const std::string& folder) {
  return MarkdownWriter(folder).write(document);
}

std::vector<const Figure*> figures_of(const Document& document) {
  std::vector<const Figure*> figures;
  for (const Section& section : document.sections)
    for (const auto& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block)) figures.push_back(figure);
  return figures;
}

}  // namespace throng::analysis

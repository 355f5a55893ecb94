#include "environment/osm/osm_xml.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm.hpp>
#include <stdexcept>
#include <utility>

#include "environment/geojson/in_order.hpp"

namespace throng::environment {
namespace {

enum class Byte : std::uint8_t { plain, apostrophe, quote, ampersand, refused };

/// What a byte in an attribute's value is. Tabs and ends of lines would become spaces; other control characters are no XML.
constexpr std::array<Byte, 256> byte_kinds = [] {
  std::array<Byte, 256> kinds{};
  for (int c = 0; c < 0x20; ++c) kinds[std::size_t(c)] = Byte::refused;
  kinds['<'] = Byte::refused;
  kinds['\''] = Byte::apostrophe;
  kinds['"'] = Byte::quote;
  kinds['&'] = Byte::ampersand;
  return kinds;
}();

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t c) {
  const auto tail = [&](int shift) { out += char(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xc0 | (c >> 6)), tail(0);
  } else if (c < 0x10000) {
    out += char(0xe0 | (c >> 12)), tail(6), tail(0);
  } else {
    out += char(0xf0 | (c >> 18)), tail(12), tail(6), tail(0);
  }
}

/// "#10" or "#xA" as a character that XML allows.
bool append_numbered(std::string& out, std::string_view name) {
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t c = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), c, hexadecimal ? 16 : 10);
  const bool allowed = c == 0x9 || c == 0xa || c == 0xd || (c >= 0x20 && c < 0xd800) || (c >= 0xe000 && c < 0xfffe) ||
                       (c >= 0x10000 && c < 0x110000);
  if (error != std::errc() || end != name.data() + name.size() || !allowed) return false;
  append_utf8(out, c);
  return true;
}

bool append_entity(std::string& out, std::string_view name) {
  constexpr std::pair<std::string_view, char> known[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [word, c] : known)
    if (name == word) return out += c, true;
  return name.starts_with('#') && append_numbered(out, name);
}

bool decode(std::string_view text, std::string& out) {
  out.clear();
  while (!text.empty()) {
    const std::size_t start = std::min(text.find('&'), text.size());
    out += text.substr(0, start);
    text.remove_prefix(start);
    if (text.empty()) break;
    const std::size_t end = text.find(';');
    if (end == std::string_view::npos || !append_entity(out, text.substr(1, end - 1))) return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

/// Numbers of versions, changesets and users: not used, but a file with others is refused.
bool is_small_number(std::string_view text) {
  return text == "-1" || (!text.empty() && text.size() < 10 && std::all_of(text.begin(), text.end(), is_digit));
}

/// "2021-06-05T12:00:00Z"; not used either.
bool is_timestamp(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return false;
  const auto two = [&](std::size_t i) { return 10 * (text[i] - '0') + text[i + 1] - '0'; };
  constexpr int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int month = two(5), day = two(8);
  return two(0) >= 19 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] && two(11) < 24 &&
         two(14) < 60 && two(17) < 60;
}

/// Throws where something is unusual; caught in scan_osm_elements().
struct Unusual {};

void want(bool usual) {
  if (!usual) throw Unusual();
}

/// One element after the other. The zero behind the text ends every loop.
class ElementScanner {
 public:
  ElementScanner(const std::string& part, osmium::memory::Buffer& out)
      : at_(part.c_str()), end_(at_ + part.size()), out_(out) {}

  void run() {
    while (skip_space(), at_ != end_) {
      if (take("<node"))
        read_node();
      else if (take("<way"))
        read_way();
      else
        want(take("<relation")), read_relation();
      out_.commit();
    }
  }

 private:
  struct Attribute {
    std::string_view name, value;
  };

  void skip_space() {
    while (is_space(*at_)) ++at_;
  }

  bool take(std::string_view text) {
    if (std::string_view(at_, std::min<std::size_t>(text.size(), std::size_t(end_ - at_))) != text) return false;
    at_ += text.size();
    return true;
  }

  /// The next attribute of a tag, or nothing at its end; `closed_` says how it ended.
  bool next(Attribute& attribute) {
    const bool spaced = is_space(*at_);
    skip_space();
    if (*at_ == '>' || *at_ == '/') {
      closed_ = *at_ == '/';
      at_ += closed_ ? 1 : 0;
      want(*at_ == '>');
      ++at_;
      return false;
    }
    want(spaced);
    const char* const name = at_;
    while ((*at_ >= 'a' && *at_ <= 'z') || *at_ == '_') ++at_;
    want(at_ != name && *at_ == '=');
    attribute.name = {name, std::size_t(at_ - name)};
    ++at_;
    attribute.value = take_value();
    return true;
  }

  /// As it is written: with entities in it where has_entities_ says so.
  std::string_view take_value() {
    const Byte end = byte_kinds[std::uint8_t(*at_)];
    want(end == Byte::quote || end == Byte::apostrophe);
    const char* const value = ++at_;
    has_entities_ = false;
    for (Byte kind; (kind = byte_kinds[std::uint8_t(*at_)]) != end; ++at_) {
      want(kind != Byte::refused);
      has_entities_ |= kind == Byte::ampersand;
    }
    const std::string_view text(value, std::size_t(at_ - value));
    ++at_;
    if (has_entities_) want(decode(text, decoded_));
    return text;
  }

  /// Notes that an attribute is there: twice is no XML.
  void note(unsigned number) {
    const unsigned bit = 1u << number;
    want((seen_ & bit) == 0);
    seen_ |= bit;
  }

  static std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::size_t safe_digits = 18;
    want(error == std::errc() && end == text.data() + text.size() && text.size() <= safe_digits);
    return value;
  }

  struct Head {
    std::int64_t id = 0;
    bool visible = true;
    osmium::Location place;
  };

  Head read_head() {
    Head head;
    Attribute attribute;
    seen_ = 0;
    while (next(attribute)) {
      const auto& [name, value] = attribute;
      if (name == "id") {
        note(0), head.id = number(value);
      } else if (name == "lat") {
        note(1), read_degrees(value, head.place, &osmium::Location::set_lat_partial);
      } else if (name == "lon") {
        note(2), read_degrees(value, head.place, &osmium::Location::set_lon_partial);
      } else if (name == "visible") {
        note(3), want(value == "true" || value == "false"), head.visible = value == "true";
      } else if (name == "timestamp") {
        note(4), want(is_timestamp(value));
      } else if (name == "version") {
        note(5), want(is_small_number(value));
      } else if (name == "changeset") {
        note(6), want(is_small_number(value));
      } else if (name == "uid") {
        note(7), want(is_small_number(value));
      } else {
        note(name == "user" ? 8 : 9), want(name == "user" || name == "action");
      }
    }
    return head;
  }

  static void read_degrees(std::string_view text, osmium::Location& place,
                           osmium::Location& (osmium::Location::*set)(const char**)) {
    const char* at = text.data();  // a quote follows the text, and ends the number
    (place.*set)(&at);
    want(at == text.data() + text.size());
  }

  template <class Builder>
  void begin(Builder& builder, const Head& head) {
    builder.set_id(head.id).set_visible(head.visible);
  }

  void read_node() {
    const Head head = read_head();
    const bool empty = closed_;
    osmium::builder::NodeBuilder builder(out_);
    begin(builder, head);
    if (head.place) builder.set_location(head.place);
    if (!empty) read_tags(builder, "</node>");
  }

  void read_way() {
    const Head head = read_head();
    const bool empty = closed_;
    osmium::builder::WayBuilder builder(out_);
    begin(builder, head);
    if (empty) return;
    {
      osmium::builder::WayNodeListBuilder nodes(builder);
      while (skip_space(), take("<nd")) {
        Attribute attribute;
        want(next(attribute) && attribute.name == "ref");
        nodes.add_node_ref(number(attribute.value));
        want(!next(attribute) && closed_);
      }
    }
    read_tags(builder, "</way>");
  }

  void read_relation() {
    const Head head = read_head();
    const bool empty = closed_;
    osmium::builder::RelationBuilder builder(out_);
    begin(builder, head);
    if (empty) return;
    {
      osmium::builder::RelationMemberListBuilder members(builder);
      while (skip_space(), take("<member")) read_member(members);
    }
    read_tags(builder, "</relation>");
  }

  void read_member(osmium::builder::RelationMemberListBuilder& members) {
    Attribute attribute;
    std::int64_t id = 0;
    osmium::item_type type = osmium::item_type::undefined;
    seen_ = 0;
    while (next(attribute)) {
      const auto& [name, value] = attribute;
      if (name == "type") {
        note(0), want(value == "node" || value == "way" || value == "relation");
        type = osmium::char_to_item_type(value[0]);
      } else if (name == "ref") {
        note(1), id = number(value);
      } else {
        note(2), want(name == "role");
      }
    }
    want(closed_ && (seen_ & 3u) == 3u);
    members.add_member(type, id, "");
  }

  void read_tags(osmium::builder::Builder& parent, std::string_view end) {
    skip_space();
    if (take(end)) return;
    osmium::builder::TagListBuilder tags(parent);
    while (take("<tag")) {
      read_tag(tags);
      skip_space();
    }
    want(take(end));
  }

  void read_tag(osmium::builder::TagListBuilder& tags) {
    Attribute attribute;
    std::string_view words[2];
    seen_ = 0;
    while (next(attribute)) {
      const unsigned which = attribute.name == "k" ? 0 : 1;
      want(which == 0 || attribute.name == "v");
      note(which);
      if (has_entities_) attribute.value = words_[which] = decoded_;
      words[which] = attribute.value;
    }
    want(closed_ && seen_ == 3u);
    tags.add_tag(words[0].data(), words[0].size(), words[1].data(), words[1].size());
  }

  const char* at_;
  const char* end_;
  osmium::memory::Buffer& out_;
  bool closed_ = false, has_entities_ = false;
  unsigned seen_ = 0;
  std::string decoded_;   ///< the last value that has entities
  std::string words_[2];  ///< a tag's key and value, where they have
};

/// Bytes that expat takes for characters: UTF-8, and not the two that Unicode keeps free.
bool is_text(const std::string& part) {
  if (!simdjson::validate_utf8(part)) return false;
  for (std::size_t at = part.find('\xef'); at != std::string::npos; at = part.find('\xef', at + 1))
    if (part.compare(at, 3, "\xef\xbf\xbe") == 0 || part.compare(at, 3, "\xef\xbf\xbf") == 0) return false;
  return true;
}

bool begins_element(std::string_view text) {
  for (const std::string_view name : {"<node", "<way", "<relation"})
    if (text.starts_with(name)) return text.size() > name.size() && is_space(text[name.size()]);
  return false;
}

/// Cuts a text into its head, parts of whole elements, and what follows them.
class PartCutter {
 public:
  explicit PartCutter(const TextBlocks& blocks) : blocks_(blocks) {}

  /// All before the first element; nothing where there is none, or not within a megabyte.
  std::optional<std::string> head() {
    constexpr std::size_t longest = 1 << 20;
    for (std::size_t at = 0; true;) {
      at = std::min(rest_.find('<', at), rest_.size());
      constexpr std::size_t longest_name = 10;
      if (rest_.size() - at < longest_name && fill()) continue;
      if (at == rest_.size() || at > longest) return std::nullopt;
      if (begins_element(std::string_view(rest_).substr(at))) {
        std::string head = rest_.substr(0, at);
        rest_.erase(0, at);
        return head;
      }
      ++at;
    }
  }

  /// The next part: up to the last beginning of an element in what was read. The last part ends with "</osm>", and what may follow it.
  /// An element that is longer than any of OpenStreetMap's counts as the end: looking for its own would take quadratic time.
  std::optional<std::string> next() {
    while (true) {
      const std::size_t cut = last_beginning();
      if (cut > 0) {
        std::string part = rest_.substr(0, cut);
        rest_.erase(0, cut);
        return part;
      }
      constexpr std::size_t longest = 16 << 20;
      if (rest_.size() <= longest && fill()) continue;
      if (rest_.empty()) return std::nullopt;
      return std::exchange(rest_, {});
    }
  }

 private:
  bool fill() {
    std::optional<std::string> block = ended_ ? std::nullopt : blocks_();
    ended_ = !block;
    if (block) rest_ += *block;
    return !ended_;
  }

  [[nodiscard]] std::size_t last_beginning() const {
    std::size_t at = rest_.rfind('<');
    while (at != std::string::npos && at > 0 && !begins_element(std::string_view(rest_).substr(at)))
      at = rest_.rfind('<', at - 1);
    return at == std::string::npos ? 0 : at;
  }

  const TextBlocks& blocks_;
  std::string rest_;
  bool ended_ = false;
};

/// Whether a text of which this is the beginning is UTF-8 without declarations of its own.
bool is_usual_head(const std::string& head) {
  if (head.find("<!DOCTYPE") != std::string::npos) return false;
  const std::size_t declared = head.find("encoding=");
  if (declared == std::string::npos) return true;
  std::string name = head.substr(std::min(declared + 10, head.size()), 5);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name == "utf-8";
}

constexpr std::string_view closing_tag = "</osm>";

/// libosmium reads the head, as a file without elements.
osmium::io::Header read_head(const std::string& head) {
  const std::string text = head + std::string(closing_tag);
  osmium::io::Reader reader(osmium::io::File(text.data(), text.size(), "osm"), osmium::io::read_meta::no);
  osmium::io::Header header = reader.header();
  while (reader.read()) continue;
  reader.close();
  return header;
}

/// Takes the end of the file off a part; whether it was there.
bool take_closing_tag(std::string& part) {
  std::size_t end = part.size();
  while (end > 0 && is_space(part[end - 1])) --end;
  if (!std::string_view(part).substr(0, end).ends_with(closing_tag)) return false;
  part.resize(end - closing_tag.size());
  return true;
}

}  // namespace

bool scan_osm_elements(const std::string& part, osmium::memory::Buffer& out) {
  if (!is_text(part)) return false;
  try {
    ElementScanner(part, out).run();
    return true;
  } catch (const Unusual&) {
    return false;
  } catch (const osmium::invalid_location&) {
    return false;
  } catch (const std::length_error&) {  // a key or value longer than any
    return false;
  }
}

bool read_usual_osm_xml(const TextBlocks& blocks, const OsmXmlUse& use) {
  PartCutter cutter(blocks);
  const std::optional<std::string> head = cutter.head();
  if (!head || !is_usual_head(*head)) return false;
  try {
    use.header(read_head(*head));
  } catch (const osmium::io_error&) {
    return false;
  } catch (const osmium::invalid_location&) {
    return false;
  }
  std::size_t closed = 0;  // parts that end the file: the last one only
  const auto next = [&]() -> std::optional<std::string> {
    std::optional<std::string> part = cutter.next();
    if (part && (closed > 0 || take_closing_tag(*part))) ++closed;
    return part;
  };
  const auto scan = [](const std::string& part) {
    osmium::memory::Buffer objects(std::max<std::size_t>(part.size(), 1 << 16), osmium::memory::Buffer::auto_grow::yes);
    return scan_osm_elements(part, objects) ? std::optional(std::move(objects)) : std::nullopt;
  };
  const auto take = [&](const std::optional<osmium::memory::Buffer>& objects) {
    if (objects) use.objects(*objects);
    return objects.has_value();
  };
  return work_in_order(next, scan, take) && closed == 1;
}

}  // namespace throng::environment

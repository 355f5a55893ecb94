// OpenStreetMap's XML as servers and editors write it, read many times as quickly as a general XML parser can: cut between elements, the
// parts read on all processors, what they hold used in the order of the file.
//
// Laws
// 1. What is handed on is what libosmium's own XML reader hands on for the same text, but for who drew it, when, and members' roles.
// 2. Whatever is unusual - comments between elements, entities of one's own, other encodings, elements or attributes that are not of
//    OpenStreetMap, numbers and dates that cannot be read, anything that is no XML - is not judged: the answer is "no", and
//    libosmium has to read the text as a whole and say what is wrong with it.
// 3. Some parts of a megabyte, or of an element that is longer, are held at once.
// Thread-safety: calls on different texts may run on any number of threads.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace osmium::io {
class Header;
}
namespace osmium::memory {
class Buffer;
}

namespace throng::environment {

/// More of a text, about a megabyte of it; nothing at its end.
using TextBlocks = std::function<std::optional<std::string>()>;

struct OsmXmlUse {
  std::function<void(const osmium::io::Header&)> header;
  std::function<void(const osmium::memory::Buffer&)> objects;
};

/// Whether all of the text was read; else what was handed on has to be forgotten.
[[nodiscard]] bool read_usual_osm_xml(const TextBlocks& blocks, const OsmXmlUse& use);

/// Appends the nodes, ways and relations of a part that holds nothing else; false where law 2 says so.
[[nodiscard]] bool scan_osm_elements(const std::string& part, osmium::memory::Buffer& out);

}  // namespace throng::environment

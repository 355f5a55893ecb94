// What is drawn in the editor, on the server: a scenario whose environment is written into it, as a text. The page owns it; here it is opened
// from files, checked by the readers and checks that files go through, and taken apart again for saving.
//
// Laws
// 1. Nothing of a file is lost on the way to the page: a scenario and a GeoJSON environment are handed on member for member. Other formats
//    are read as `throng convert --source` reads them.
// 2. A document from the page names no files: only those that were beside the scenario when it was opened are found again, by their names
//    in it, and read from memory.
// Thread-safety: plain values.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "crowd/world.hpp"
#include "environment/formats/import_options.hpp"
#include "scenario/scenario.hpp"
#include "server/pack.hpp"
#include "throng/result.hpp"

namespace throng::server {

struct PlanDocument {
  std::string name;                           ///< without an ending: what it is saved as
  std::string text;                           ///< the scenario, its environment in it
  std::map<std::string, std::string> beside;  ///< files that the scenario names, by the name it gives them
  std::string plan;                           ///< the bytes of a CAD plan, to be read again with other layers
  std::string picture;                        ///< a PNG or JPEG to be traced
};

/// A plan of nothing: one storey, nobody.
[[nodiscard]] PlanDocument empty_document(std::string name);
/// A scenario, an environment of any format, or a picture.
[[nodiscard]] Result<PlanDocument> open_document(const std::string& path,
                                                 const environment::ImportOptions& options = {});
/// The same of bytes that the page has; `name` tells the format, `beside` are the files that a scenario may name.
[[nodiscard]] Result<PlanDocument> open_document(const std::string& name, std::string bytes,
                                                 const environment::ImportOptions& options,
                                                 const std::map<std::string, std::string>& beside);

/// Whether the bytes are a PNG or JPEG picture.
[[nodiscard]] bool is_picture(std::string_view bytes);

/// A document read as a scenario.
[[nodiscard]] Result<scenario::Scenario> read_document(const std::string& text,
                                                       const std::map<std::string, std::string>& beside);

struct DocumentCheck {
  Problems problems;
  crowd::WorldPtr world;   ///< nothing where there is none to walk in
  std::size_t people = 0;  ///< there at the start
  double area = 0;         ///< m², free
};
/// All that `throng check` says of it; without `whole` only what reading tells, the environment cleaned but no mesh built.
[[nodiscard]] DocumentCheck check_document(const std::string& text, const std::map<std::string, std::string>& beside,
                                           bool whole);

/// The two files it is saved as: a scenario that names NAME.geojson, and that.
struct SavedDocument {
  std::string scenario, environment;
};
[[nodiscard]] Result<SavedDocument> files_of(const std::string& text, const std::string& name);

}  // namespace throng::server

// The built client: every file of a folder, read once. Names are looked up in what was read, so no address leads out of the folder.
#pragma once

#include <map>
#include <string>

#include "server/http_server.hpp"
#include "throng/result.hpp"

namespace throng::server {

class StaticFiles {
 public:
  /// Refused where the folder has no index.html, or more than any client of ours has.
  [[nodiscard]] static Result<StaticFiles> read(const std::string& folder);
  /// A 404 where there is no such file; "/" is index.html.
  [[nodiscard]] Response answer(const std::string& path) const;
  [[nodiscard]] std::size_t size() const { return files_.size(); }

 private:
  struct File {
    std::string type;
    Bytes bytes;
  };
  std::map<std::string, File> files_;
};

}  // namespace throng::server

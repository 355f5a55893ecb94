#include "scenario/method_catalogue.hpp"

#include "crowd/methods.hpp"

namespace throng::scenario {

const MethodCatalogue& installed_methods() {
  static const MethodCatalogue catalogue = crowd::built_in_methods()->catalogue();
  return catalogue;
}

const std::vector<agents::MethodInfo>& installed_group_methods() {
  static const std::vector<agents::MethodInfo> methods = crowd::built_in_methods()->group.infos();
  return methods;
}

}  // namespace throng::scenario

#include "scenario/method_catalogue.hpp"

#include "crowd/methods.hpp"

namespace throng::scenario {

const MethodCatalogue& installed_methods() {
  static const MethodCatalogue catalogue = crowd::built_in_methods()->catalogue();
  return catalogue;
}

}  // namespace throng::scenario

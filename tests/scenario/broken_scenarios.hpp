// Scenarios that have to be refused: what is wrong, where, and whether a JSON Schema can know it.
#pragma once

#include <string>
#include <vector>

#include "samples.hpp"

namespace throng::scenario::test {

struct Broken {
  std::string text;
  std::string pointer;  ///< where it is wrong, behind "run.json: "; "" for the file as a whole
  std::string message;  ///< a part of what is said
  bool structural;      ///< the schema refuses it too
};

inline std::vector<Broken> broken_scenarios() {
  const auto goal = [](const std::string& members) { return population(R"("goals":[{)" + members + "}]"); };
  const auto start = [](const std::string& members) {
    return in_corridor(R"("populations":[{"count":1,"start":{)" + members + "}}]");
  };
  const auto measure = [](const std::string& members) {
    return in_corridor(R"("populations":[{"count":1,"start":{"area":"west"}}],"measure":[{)" + members + "}]");
  };
  const auto rest = [](const std::string& members) {
    return in_corridor(R"("populations":[{"count":1,"start":{"area":"west"}}],)" + members);
  };
  const std::string somebody = R"("populations":[{"count":1,"start":{"area":"west"}}])";
  return {
      {"[]", "", "is an object, not an array", true},
      {R"({"environment":"corridor.geojson","populations":[]})", "", "wants \"throng\": 1", true},
      {R"({"throng":2,"environment":"corridor.geojson","populations":[]})", "/throng", "not available", true},
      {R"({"throng":"1","environment":"corridor.geojson","populations":[]})", "/throng", "not available", true},
      {R"({"throng":1,"populations":[]})", "", "wants an \"environment\"", true},
      {in_corridor(""), "", "wants \"populations\"", true},
      {in_corridor(
           R"("populations":[{"count":1000000,"start":{"area":"west"}},{"count":1000000,"start":{"area":"west"}},
        {"count":1000000,"start":{"area":"west"}}])"),
       "/populations", "3000000 people over all populations", false},
      {R"({"throng":1,"environment":7,"populations":[]})", "/environment", "not a number", true},
      {R"({"throng":1,"environment":"","populations":[]})", "/environment", "may not be empty", true},
      {R"({"throng":1,"environment":"nowhere.geojson","populations":[]})", "/environment", "no such file", false},
      {R"({"throng":1,"environment":"hall.xyz","populations":[]})", "/environment", "hall.xyz", false},
      {R"({"throng":1,"environment":{"type":"FeatureCollection","features":[]},"populations":[]})", "/environment", "",
       false},
      {in_corridor(R"("populations":{})"), "/populations", "is an array, not an object", true},
      {in_corridor(R"("populations":[7])"), "/populations/0", "is an object, not a number", true},
      {rest(R"("duraton":7)"), "/duraton", "did you mean 'duration'", true},
      {rest(R"("duration":-1)"), "/duration", "out of range", true},
      {rest(R"("duration":1e30)"), "/duration", "out of range", true},
      {rest(R"("duration":"long")"), "/duration", "a number is expected, not a text", true},
      {rest(R"("time_step":0)"), "/time_step", "out of range", true},
      {rest(R"("time_step":2)"), "/time_step", "between 0.001 and 1", true},
      {rest(R"("contact":0)"), "/contact", "true or false is expected, not a number", true},
      {rest(R"("seed":-1)"), "/seed", "a whole number", true},
      {rest(R"("seed":1.5)"), "/seed", "a whole number", true},
      {rest(R"("record":{"every":0})"), "/record/every", "a whole number", true},
      {rest(R"("record":{"evry":1})"), "/record/evry", "did you mean 'every'", true},
      {rest(R"("events":[{"at":30,"insert":{"id":"van","polygon":[[1,1],[2,1],[2,2]]}}])"), "/events/0/insert",
       "'insert' is not available", true},
      {rest(R"("events":[{"at":60,"remove":"van"}])"), "/events/0/remove", "'remove' is not available", true},
      {rest(R"("profiles":[])"), "/profiles", "is an object, not an array", true},
      // Profiles
      {profile(R"("radius":0)"), "/profiles/p/radius", "out of range", true},
      {profile(R"("radius":-0.2)"), "/profiles/p/radius", "out of range", true},
      {profile(R"("radius":100)"), "/profiles/p/radius", "between 0.01 and 10", true},
      {profile(R"("radius":"wide")"), "/profiles/p/radius", "a number or a distribution", true},
      {profile(R"("raduis":0.2)"), "/profiles/p/raduis", "did you mean 'radius'", true},
      {profile(R"("speed":1e300)"), "/profiles/p/speed", "out of range", true},
      {profile(R"("speed":{"normal":[1.3]})"), "/profiles/p/speed/normal", "[mean, standard deviation]", true},
      {profile(R"("speed":{"normal":[1.3,-0.1]})"), "/profiles/p/speed/normal/1", "at least 0", false},
      {profile(R"("speed":{"normal":[1.3,0.1],"min":3})"), "/profiles/p/speed", "practically never", false},
      {profile(R"("speed":{"normal":[1.3,0.1],"min":1.4,"max":1.2})"), "/profiles/p/speed", "is above \"max\"", false},
      {profile(R"("speed":{"normal":[1.3,0.1],"uniform":[1,2]})"), "/profiles/p/speed", "exactly one of", true},
      {profile(R"("speed":{})"), "/profiles/p/speed", "there is none", true},
      {profile(R"("speed":{"gauss":[1,2]})"), "/profiles/p/speed/gauss", "unknown member of a distribution", true},
      {profile(R"("speed":{"uniform":[2,1]})"), "/profiles/p/speed/uniform", "goes down", false},
      {profile(R"("speed":{"uniform":[-1,1]})"), "/profiles/p/speed/uniform/0", "out of range", false},
      {profile(R"("speed":{"uniform":[1,2],"min":1})"), "/profiles/p/speed/min", "belongs to \"normal\"", true},
      {profile(R"("speed":{"choose":{"1.0":0,"2.0":0}})"), "/profiles/p/speed/choose", "more than 0", false},
      {profile(R"("speed":{"choose":{"1.0":-1,"2.0":3}})"), "/profiles/p/speed/choose/1.0", "out of range", true},
      {profile(R"("speed":{"choose":{"fast":1}})"), "/profiles/p/speed/choose/fast", "is not a number", false},
      {profile(R"("speed":{"choose":{}})"), "/profiles/p/speed/choose", "more than 0", true},
      {profile(R"("premovement":-1)"), "/profiles/p/premovement", "out of range", true},
      {profile(R"("stairs":{"upp":1})"), "/profiles/p/stairs/upp", "did you mean 'up'", true},
      {profile(R"("stairs":0.5)"), "/profiles/p/stairs", "is an object", true},
      {profile(R"("weights":{"grass":0})"), "/profiles/p/weights/grass", "out of range", true},
      {profile(R"("weights":[1])"), "/profiles/p/weights", "is an object", true},
      {profile(R"("route":"short")"), "/profiles/p/route", "is an object, not a text", true},
      {profile(R"("route":{"method":"shrot"})"), "/profiles/p/route/method", "did you mean 'short'", true},
      {profile(R"("route":{"method":"weigted"})"), "/profiles/p/route/method", "did you mean 'weighted'", true},
      {profile(R"("route":{"method":"vbp","prune":"corner"})"), "/profiles/p/route/prune", "vertex", true},
      {profile(R"("avoid":{"as":"printed"})"), "/profiles/p/avoid/as", "published", true},
      {profile(R"("route":{"method":"medial","clearance":1})"), "/profiles/p/route/clearance", "method 'medial'", true},
      {profile(R"("route":{"clearance":-1})"), "/profiles/p/route/clearance", "out of range", true},
      {profile(R"("route":{"method":"given"})"), "/populations/0", "\"route_points\" are wanted", false},
      {profile(R"("follow":{"method":"irm"})"), "/profiles/p/follow/method", "unknown method", true},
      {profile(R"("follow":{"method":"miran","shortcuts":5})"), "/profiles/p/follow/shortcuts",
       "did you mean 'shortcut'", true},
      {profile(R"("avoid":{"method":"social_force"})"), "/profiles/p/avoid/method", "unknown method", true},
      {profile(R"("avoid":{"method":"social"})"), "/profiles/p/avoid/method", "unknown method", true},
      {profile(R"("avoid":{"method":7})"), "/profiles/p/avoid/method", "is a text", true},
      {profile(R"("group":3)"), "/profiles/p/group", "'group' is not available", true},
      {profile(R"("stream":{"method":"view","motivation":1.5})"), "/profiles/p/stream/motivation", "out of range",
       true},
      {profile(R"("stream":{"method":"view","motivation":-0.1})"), "/profiles/p/stream/motivation", "out of range",
       true},
      {profile(R"("stream":{"method":"view","deviation_degrees":0})"), "/profiles/p/stream/deviation_degrees",
       "out of range", true},
      {profile(R"("stream":{"method":"view","view_distance":0})"), "/profiles/p/stream/view_distance", "out of range",
       true},
      {profile(R"("stream":{"method":"cells","view_distance":-1})"), "/profiles/p/stream/view_distance", "out of range",
       true},
      {profile(R"("stream":{"method":"view","neighbours":0})"), "/profiles/p/stream/neighbours", "out of range", true},
      {profile(R"("stream":{"method":"grid","cell":0})"), "/profiles/p/stream/cell", "out of range", true},
      {profile(R"("stream":{"method":"view","cell":2})"), "/profiles/p/stream/cell", "method 'view'", true},
      {profile(R"("stream":{"method":"cells","cell":2})"), "/profiles/p/stream/cell", "method 'cells'", true},
      {profile(R"("stream":{"method":"none","motivation":1})"), "/profiles/p/stream/motivation", "method 'none'", true},
      {profile(R"("stream":{"motivation":1})"), "/profiles/p/stream/motivation", "method 'none'", true},
      {profile(R"("stream":{"method":"vew"})"), "/profiles/p/stream/method", "did you mean 'view'", true},
      {profile(R"("stream":{"method":"view","motivaton":1})"), "/profiles/p/stream/motivaton",
       "did you mean 'motivation'", true},
      {profile(R"("stream":"view")"), "/profiles/p/stream", "is an object", true},
      {profile(R"("strategy":{"detour":-1})"), "/profiles/p/strategy/detour", "out of range", true},
      {profile(R"("strategy":{"replan":1})"), "/profiles/p/strategy/replan", "did you mean 'replan_every'", true},
      // Populations
      {in_corridor(R"("populations":[{"start":{"area":"west"}}])"), "/populations/0", "exactly one of", true},
      {population(R"("rate":1)"), "/populations/0", "there are several", true},
      {in_corridor(R"("populations":[{"count":1}])"), "/populations/0", "wants a \"start\"", true},
      {in_corridor(R"("populations":[{"count":-1,"start":{"area":"west"}}])"), "/populations/0/count", "whole number",
       true},
      {in_corridor(R"("populations":[{"count":2.5,"start":{"area":"west"}}])"), "/populations/0/count", "whole number",
       true},
      {in_corridor(R"("populations":[{"count":1e12,"start":{"area":"west"}}])"), "/populations/0/count", "whole number",
       true},
      {in_corridor(R"("populations":[{"rate":0,"start":{"area":"west"}}])"), "/populations/0/rate", "out of range",
       true},
      {in_corridor(R"("populations":[{"rate":1,"from":9,"until":9,"start":{"area":"west"}}])"), "/populations/0",
       "nobody comes", false},
      {population(R"("from":3)"), "/populations/0/from", "with a \"rate\" only", true},
      {population(R"("profile":"child")"), "/populations/0/profile", "unknown profile", false},
      {population(R"("nmae":"x")"), "/populations/0/nmae", "did you mean 'name'", true},
      {population(R"("name":"")"), "/populations/0/name", "may not be empty", true},
      {population(R"("at_goal":"wait")"), "/populations/0/at_goal", "unknown at_goal", true},
      {population(R"("groups":{})"), "/populations/0/groups", "not available", true},
      {in_corridor(
           R"("populations":[{"name":"a","count":1,"start":{"area":"west"}},{"name":"a","count":1,"start":{"area":"east"}}])"),
       "/populations/1/name", "duplicate name 'a'", false},
      {start(R"("area":"weest")"), "/populations/0/start/area", "did you mean 'west'", false},
      {start(R"("area":"west","layer":"roof")"), "/populations/0/start/layer", "unknown layer", false},
      {start(R"("area":"west","polygon":[[0,0],[1,0],[1,1]])"), "/populations/0/start", "there are several", true},
      {start(R"("polygon":[[0,0],[1,0]])"), "/populations/0/start/polygon", "at least 3 points", true},
      {start(R"("polygon":[[0,0],[1,1],[2,2]])"), "/populations/0/start/polygon", "", false},
      {start(R"("polygon":[[0,0],[1,"1"],[2,2]])"), "/populations/0/start/polygon/1", "[x, y]", true},
      {start(R"("polygon":[[0,0],[1e10,1],[2,2]])"), "/populations/0/start/polygon/1", "", true},
      {start(R"("area":3)"), "/populations/0/start/area", "is a text", true},
      // Goals
      {population(R"("goals":{})"), "/populations/0/goals", "is an array", true},
      {goal(R"("aera":"east")"), "/populations/0/goals/0/aera", "did you mean 'area'", true},
      {goal(R"("wait":3)"), "/populations/0/goals/0", "there is none", true},
      {goal(R"("area":"east","point":[1,1])"), "/populations/0/goals/0", "there are several", true},
      {goal(R"("area":"exit")"), "/populations/0/goals/0/area", "there is no area 'exit'", false},
      {goal(R"("nearest":[])"), "/populations/0/goals/0/nearest", "names of areas", true},
      {goal(R"("nearest":["east","wets"])"), "/populations/0/goals/0/nearest/1", "did you mean 'west'", false},
      {goal(R"("choose":{"east":0})"), "/populations/0/goals/0/choose", "more than 0", false},
      {goal(R"("choose":{"east":1,"nowhere":1})"), "/populations/0/goals/0/choose/nowhere", "there is no area", false},
      {goal(R"("choose":["east"])"), "/populations/0/goals/0/choose", "not an array", true},
      {goal(R"("point":[1])"), "/populations/0/goals/0/point", "[x, y]", true},
      {goal(R"("point":[1,1],"radius":0)"), "/populations/0/goals/0/radius", "out of range", true},
      {goal(R"("area":"east","radius":1)"), "/populations/0/goals/0/radius", "\"point\" only", true},
      {goal(R"("area":"east","wait":-1)"), "/populations/0/goals/0/wait", "out of range", true},
      {goal(R"("area":"east","wait":{"uniform":[10]})"), "/populations/0/goals/0/wait/uniform", "[from, to]", true},
      {population(R"("goals":[{"area":"east"}],"route_points":[[1,1]])"), "/populations/0/route_points",
       "at least 2 points", true},
      {population(R"("route_points":[[1,1],[2,2]])"), "/populations/0/route_points", "there are none", true},
      {R"({"throng":1,"environment":"storeys.geojson","populations":[{"count":1,"start":{"area":"gallery","layer":"ground"}}]})",
       "/populations/0/start/area", "is not in layer 'ground' but in 'upper'", false},
      // Positions
      {in_corridor(R"("populations":[{"positions":"missing.csv"}])"), "/populations/0/positions", "no such file",
       false},
      {in_corridor(R"("populations":[{"positions":"a.csv","start":{"area":"west"}}])"), "/populations/0/start",
       "no place beside it", true},
      {in_corridor(R"("populations":[{"positions":7}])"), "/populations/0/positions", "is a text", true},
      // Measures
      {measure(R"("name":"x")"), "/measure/0", "there is none", true},
      {measure(R"("line":[[1,1]])"), "/measure/0/line", "at least 2 points", true},
      {measure(R"("line":[[1,1],[2,2],[3,3]])"), "/measure/0/line", "two points", true},
      {measure(R"("line":[[1,1],[1,1]])"), "/measure/0/line", "no length", false},
      {measure(R"("line":[[1,1],[2,2]],"every":1)"), "/measure/0/every", "unknown member", true},
      {measure(R"("area":"platform")"), "/measure/0/area", "there is no area", false},
      {measure(R"("area":"west","every":0)"), "/measure/0/every", "out of range", true},
      {measure(R"("area":"west"},{"area":"west")"), "/measure/1", "duplicate measure 'west'", false},
      {in_corridor(somebody + R"(,"measure":[3])"), "/measure/0", "is an object", true},
  };
}

}  // namespace throng::scenario::test

#include "environment/osm/osm_rules.hpp"

namespace throng::environment {

// One rule a line; docs/imports-osm.md explains the members. `throng help osm-table` prints it.
std::string_view default_osm_table() {
  return R"({
"throng_osm": 1,
"rules": [
  {"note": "not on the ground", "match": {"location": ["underground", "underwater", "overground", "overhead"]}, "kind": "ignore"},
  {"match": {"tunnel": ["yes", "culvert", "flooded"]}, "kind": "ignore"},
  {"match": {"layer": ["-1", "-2", "-3", "-4", "-5"]}, "kind": "ignore"},
  {"note": "one can walk under it", "match": {"building": ["roof", "carport", "canopy"]}, "kind": "ignore"},

  {"note": "buildings", "match": {"building": "*"}, "shape": "area", "kind": "obstacle"},
  {"match": {"building:part": "*"}, "unless": {"building:part": ["roof"], "min_height": "*", "building:min_level": "*"}, "shape": "area", "kind": "obstacle"},
  {"match": {"man_made": ["silo", "storage_tank", "tower", "chimney", "water_tower", "gasometer", "cooling_tower"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"power": ["transformer", "generator"]}, "shape": "area", "kind": "obstacle"},

  {"note": "barriers; gates in them are below, in gaps", "match": {"barrier": ["wall", "city_wall", "retaining_wall", "fence", "guard_rail", "handrail", "cable_barrier", "jersey_barrier"]}, "shape": "line", "kind": "obstacle"},
  {"match": {"barrier": ["hedge"]}, "shape": "line", "kind": "obstacle", "width": 0.8},
  {"match": {"barrier": ["wall", "city_wall", "retaining_wall", "hedge", "block", "jersey_barrier"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"natural": ["cliff"]}, "shape": "line", "kind": "obstacle"},
  {"match": {"barrier": ["bollard", "block"]}, "shape": "point", "kind": "obstacle", "radius": 0.15},
  {"match": {"natural": ["tree"]}, "shape": "point", "kind": "obstacle", "radius": 0.25},
  {"match": {"highway": ["street_lamp"]}, "shape": "point", "kind": "obstacle", "radius": 0.1},
  {"match": {"amenity": ["fountain"]}, "shape": "point", "kind": "obstacle", "radius": 1.5},
  {"match": {"advertising": ["column"]}, "shape": "point", "kind": "obstacle", "radius": 0.7},
  {"match": {"historic": ["memorial", "monument"]}, "unless": {"memorial": ["plaque", "stolperstein"]}, "shape": "point", "kind": "obstacle", "radius": 0.7},

  {"note": "water", "match": {"natural": ["water", "bay"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"waterway": ["riverbank", "dock"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"landuse": ["reservoir", "basin"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"leisure": ["swimming_pool"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"amenity": ["fountain"]}, "shape": "area", "kind": "obstacle"},
  {"match": {"waterway": ["river"]}, "shape": "line", "kind": "obstacle", "width": 8},
  {"match": {"waterway": ["canal"]}, "shape": "line", "kind": "obstacle", "width": 5},
  {"match": {"waterway": ["stream", "ditch", "drain"]}, "shape": "line", "kind": "region", "type": "stream", "width": 1},

  {"note": "places to start from and to go to", "match": {"entrance": "*"}, "unless": {"entrance": ["emergency"]}, "shape": "point", "kind": "area", "radius": 1},
  {"match": {"railway": ["subway_entrance"]}, "shape": "point", "kind": "area", "radius": 1.5},
  {"match": {"highway": ["bus_stop"]}, "shape": "point", "kind": "area", "radius": 1.5},

  {"note": "paths: earlier ones win where they overlap; bridges and passages open what they cross", "match": {"highway": ["footway", "path", "cycleway"], "footway": ["crossing"]}, "shape": "line", "kind": "region", "type": "crossing", "width": 4},
  {"match": {"highway": ["steps"]}, "shape": "line", "kind": "region", "type": "stairs", "width": 2, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["steps"]}, "shape": "area", "kind": "region", "type": "stairs"},
  {"match": {"railway": ["platform"]}, "shape": "area", "kind": "region", "type": "platform", "named": true},
  {"match": {"public_transport": ["platform"]}, "shape": "area", "kind": "region", "type": "platform", "named": true},
  {"match": {"highway": ["pedestrian", "footway", "path", "living_street"]}, "shape": "area", "kind": "region", "type": "pedestrian", "named": true},
  {"match": {"place": ["square"]}, "shape": "area", "kind": "region", "type": "pedestrian", "named": true},
  {"match": {"highway": ["footway", "path", "bridleway"]}, "shape": "line", "kind": "region", "type": "footway", "width": 2, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["pedestrian"]}, "shape": "line", "kind": "region", "type": "pedestrian", "width": 5, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["cycleway"]}, "shape": "line", "kind": "region", "type": "cycleway", "width": 2.5, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["track", "service", "living_street"]}, "shape": "line", "kind": "region", "type": "road", "width": 4, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["residential", "unclassified", "tertiary", "tertiary_link", "road"]}, "shape": "line", "kind": "region", "type": "road", "width": 6, "opens": {"bridge": "*", "tunnel": ["building_passage"]}},
  {"match": {"highway": ["secondary", "secondary_link", "primary", "primary_link"]}, "shape": "line", "kind": "region", "type": "road", "width": 8, "opens": {"bridge": "*"}},
  {"match": {"highway": ["trunk", "trunk_link", "motorway", "motorway_link"]}, "shape": "line", "kind": "region", "type": "road", "width": 12, "opens": {"bridge": "*"}},
  {"match": {"highway": ["service", "residential", "unclassified", "tertiary", "road"]}, "shape": "area", "kind": "region", "type": "road"},
  {"match": {"railway": ["rail", "light_rail", "narrow_gauge"]}, "shape": "line", "kind": "region", "type": "rail", "width": 3},
  {"match": {"amenity": ["parking"]}, "shape": "area", "kind": "region", "type": "parking"},

  {"note": "what grows", "match": {"leisure": ["playground", "pitch", "track"]}, "shape": "area", "kind": "region", "type": "sport", "named": true},
  {"match": {"landuse": ["forest", "orchard", "vineyard"]}, "shape": "area", "kind": "region", "type": "wood"},
  {"match": {"natural": ["wood", "scrub"]}, "shape": "area", "kind": "region", "type": "wood"},
  {"match": {"natural": ["sand", "beach", "shingle"]}, "shape": "area", "kind": "region", "type": "sand"},
  {"match": {"natural": ["wetland"]}, "shape": "area", "kind": "region", "type": "wetland"},
  {"match": {"landuse": ["farmland", "farmyard", "plant_nursery", "allotments"]}, "shape": "area", "kind": "region", "type": "field"},
  {"match": {"landuse": ["grass", "meadow", "village_green", "recreation_ground", "flowerbed", "cemetery"]}, "shape": "area", "kind": "region", "type": "grass"},
  {"match": {"natural": ["grassland", "heath"]}, "shape": "area", "kind": "region", "type": "grass"},
  {"match": {"leisure": ["park", "garden", "common"]}, "shape": "area", "kind": "region", "type": "grass", "named": true},
  {"match": {"landuse": ["construction", "brownfield"]}, "shape": "area", "kind": "region", "type": "construction"}
],
"gaps": [
  {"note": "nodes of a barrier or a room that open it", "match": {"barrier": ["gate", "lift_gate", "swing_gate", "entrance", "sally_port", "cattle_grid", "toll_booth", "bollard", "block"]}, "width": 3},
  {"match": {"barrier": ["kissing_gate", "stile", "turnstile", "full-height_turnstile", "cycle_barrier", "hampshire_gate", "wicket_gate"]}, "width": 1},
  {"match": {"entrance": "*"}, "width": 1.5},
  {"match": {"door": "*"}, "width": 1},
  {"match": {"indoor": ["door"]}, "width": 1}
]
}
)";
}

}  // namespace throng::environment

#!/usr/bin/env python3
"""Writes the scenes of the weighted-ground experiments (Jaklin 2016, chapters 3 and 4) beside this file.

Shapes, starts and goals are lost but for drawings; measures are chosen so that optima can be computed (docs/ground.md).
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent


def box(x0, y0, x1, y1):
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]


def ring(points):
    return [list(p) for p in points] + [list(points[0])]


def feature(kind, coordinates, **more):
    return {"type": "Feature", "properties": {"kind": kind, **more},
            "geometry": {"type": "Polygon", "coordinates": [coordinates]}}


def write(name, width, height, regions):
    features = [feature("walkable", box(0, 0, width, height))]
    features += [feature("region", coordinates, type=kind) for kind, coordinates in regions]
    lines = ",\n    ".join(json.dumps(f) for f in features)
    (HERE / f"{name}.geojson").write_text('{"type": "FeatureCollection",\n "features": [\n    ' + lines + "\n]}\n")


def tile(x, y):
    shift = lambda points: ring([(x + px, y + py) for px, py in points])
    return [("dark_green", shift([(6, 6), (20, 4), (24, 16), (12, 22)])),
            ("light_green", shift([(28, 4), (46, 6), (44, 20), (30, 18)])),
            ("blue", shift([(22, 24), (34, 22), (38, 32), (30, 38), (20, 34)])),
            ("yellow", shift([(4, 28), (16, 28), (16, 44), (6, 46)])),
            ("brown", shift([(40, 24), (47, 24), (47, 47), (40, 47)]))]


def forest():
    """A winding path of weight 3 through deep forest, puddles on it, a view above it, two logs across it."""
    middle = [(5, 60), (60, 95), (110, 80), (160, 120), (205, 150), (250, 175), (300, 165), (350, 205), (405, 235)]
    upper = [(x, y + 9) for x, y in middle]
    lower = [(x, y - 9) for x, y in middle]
    regions = [("forest", box(0, 0, 410, 290)), ("path", ring(lower + upper[::-1]))]
    # Four puddles of six corners: SPM at eps 0.1 then explores 46,010 points of the question, Jaklin's 47,969.
    for x, y in [(85, 88), (230, 163), (275, 171), (325, 186)]:
        around = [(x + 9 * dx, y + 5 * dy) for dx, dy in [(1, 0), (.5, .87), (-.5, .87), (-1, 0), (-.5, -.87), (.5, -.87)]]
        regions.append(("puddle", ring([(round(a, 1), round(b, 1)) for a, b in around])))
    regions.append(("view", ring([(150, 262), (260, 262), (268, 284), (142, 284)])))
    for shift in (0, 8):
        regions.append(("log", ring([(186 + shift, 155), (190 + shift, 153), (202 + shift, 118), (198 + shift, 120)])))
    return regions


write("bars", 100, 50, [("mud", box(x, 0, x + 10, 50)) for x in range(10, 100, 20)])
write("high_low", 100, 50, [("dear", box(0, 0, 100, 20)), ("middling", box(0, 20, 100, 40))])
write("puddle", 100, 50, [("forest", box(0, 0, 100, 50)), ("road", box(0, 5, 100, 10)), ("grass", box(0, 0, 100, 5)),
                          ("water", ring([(35, 28), (42, 17), (55, 16), (65, 26), (60, 38), (44, 40)]))])
write("zigzag", 100, 50, [("water", box(0, 0, 100, 42)), ("grass", box(0, 42, 100, 50)), ("sand", box(0, 20, 100, 28))]
      + [("road", box(x, 12, x + 20, 20)) for x in (0, 40, 80)] + [("road", box(x, 28, x + 20, 36)) for x in (20, 60)])
write("forest", 410, 290, forest())
write("abstract_regions", 50, 50, [("grey", box(0, 0, 50, 50))] + tile(0, 0))
write("abstract_regions_16x16", 800, 800,
      [("grey", box(0, 0, 800, 800))] + [r for i in range(16) for k in range(16) for r in tile(50 * i, 50 * k)])


def military():
    """A village of 15 buildings made of 23 convex polygons, with passages of 2 to 4 m between some of them, squares and open ground around.
    Jaklin (2016, 9.4.5) uses the footprint of the McKenna training site, which is not to be had."""
    single = [(44, 42, 60, 54), (64, 42, 78, 58), (44, 57, 60, 74), (130, 40, 150, 52), (40, 132, 54, 156), (96, 148, 112, 162),
              (152, 104, 166, 122)]
    angled = [((82, 40, 108, 50), (82, 50, 92, 66)), ((112, 40, 126, 66), (104, 56, 112, 66)), ((131, 56, 158, 66), (148, 66, 158, 82)),
              ((44, 78, 58, 100), (58, 90, 70, 100)), ((44, 104, 74, 114), (44, 114, 54, 128)), ((58, 120, 68, 150), (68, 140, 82, 150)),
              ((116, 104, 148, 114), (116, 114, 126, 132)), ((130, 120, 148, 130), (138, 130, 148, 156))]
    return [box(*b) for b in single] + [box(*b) for parts in angled for b in parts]


features = [feature("walkable", box(0, 0, 200, 200))] + [feature("obstacle", b) for b in military()]
for name, area in [("west", box(1, 1, 30, 199)), ("east", box(170, 1, 199, 199)), ("south", box(1, 1, 199, 30)), ("north", box(1, 170, 199, 199))]:
    features.append(feature("area", area, name=name))
(HERE / "military.geojson").write_text('{"type": "FeatureCollection",\n "features": [\n    ' + ",\n    ".join(json.dumps(f) for f in features) + "\n]}\n")


def circle(x, y, r, n):
    """Corners as environment::regular_polygon puts them, to the millimetre."""
    return ring([(round(x + r * math.cos(2 * math.pi * i / n), 3), round(y + r * math.sin(2 * math.pi * i / n), 3)) for i in range(n)])


def write_with_obstacles(name, width, height, regions, obstacles):
    made = [feature("walkable", box(0, 0, width, height))]
    made += [feature("region", coordinates, type=kind) for kind, coordinates in regions]
    made += [feature("obstacle", coordinates) for coordinates in obstacles]
    lines = ",\n    ".join(json.dumps(f) for f in made)
    (HERE / f"{name}.geojson").write_text('{"type": "FeatureCollection",\n "features": [\n    ' + lines + "\n]}\n")


# Jaklin's suburb (2016, 6.4.2) from its words: sidewalk 1, road 4, lawn 30, water 40, path to the house 1; houses and trees.
write_with_obstacles(
    "suburb", 100, 100,
    [("grass", box(0, 0, 100, 100)), ("path", circle(74, 76, 16, 16)), ("water", circle(74, 76, 11, 16))]
    + [("path", box(*b)) for b in ((18, 59, 22, 66), (76, 33, 80, 41), (54, 59, 62, 76))]
    + [("sidewalk", box(0, 41, 100, 45)), ("sidewalk", box(0, 55, 100, 59)), ("road", box(0, 45, 100, 55))],
    [box(*b) for b in ((10, 68, 30, 84), (12, 12, 30, 30), (68, 12, 88, 31))]
    + [circle(x, y, 0.8, 8) for x, y in ((8, 62), (32, 64), (44, 66), (40, 36), (52, 34), (62, 36), (92, 36), (44, 84), (94, 62))])
# Two cars with a puddle between them (Jaklin 2016, figure 7.10): narrower than it is wide for a body.
write_with_obstacles("car_puddle", 20, 20, [("puddle", box(9.2, 9, 10.4, 11))], [box(4, 9, 9.2, 11), box(10.8, 9, 16, 11)])
# The family's walk (Jaklin 2016, figure 6.1): a grey path through a forest with puddles, fallen trees and a view. Its weights are lost; adults
# keep off puddles and logs and are drawn to the view, children the other way round.
write_with_obstacles(
    "family_park", 60, 40,
    [("forest", box(0, 0, 60, 40)),
     ("path", ring([(0, 17), (14, 17), (26, 23), (40, 17), (60, 17), (60, 23), (40, 23), (26, 29), (14, 23), (0, 23)])),
     ("puddle", circle(11, 18.8, 2.2, 12)), ("puddle", circle(33, 24, 2.4, 12)), ("puddle", circle(50, 18.6, 2.2, 12)),
     ("log", box(19, 20.2, 23, 21.4)), ("log", box(43, 20.5, 47, 21.6)),
     ("view", ring([(22, 29), (38, 29), (36, 33), (24, 33)]))],
    [circle(x, y, 0.5, 8) for x, y in ((6, 27), (12, 29), (17, 13), (24, 16), (31, 14), (37, 12), (44, 28), (52, 27), (55, 13), (40, 31))])

#!/usr/bin/env python3
"""Writes examples/town_square.osm: a small town drawn by hand in metres, as OpenStreetMap would have it.

    examples/make_town_square.py > examples/town_square.osm

Every kind of element that Throng reads is there once: buildings (one with a courtyard and a passage), a fence with a gate,
a hedge, trees, a fountain, a pond with a bridge, roads, footways, a crossing, a park, a square, entrances, a bus stop, a
metro entrance, and a market hall with two levels, rooms, doors and stairs.
"""
import math

LONGITUDE, LATITUDE = 9.0, 50.0
WIDTH, HEIGHT = 200, 150
METRES_PER_DEGREE = 111229.0
METRES_PER_DEGREE_EAST = 71695.7

nodes, ways, relations = {}, [], []


def degrees(x, y):
    return LONGITUDE + (x - WIDTH / 2) / METRES_PER_DEGREE_EAST, LATITUDE + (y - HEIGHT / 2) / METRES_PER_DEGREE


def node(x, y, **tags):
    key = (x, y)
    if key not in nodes:
        nodes[key] = (len(nodes) + 1, {})
    nodes[key][1].update(tags)
    return nodes[key][0]


def way(points, **tags):
    ways.append(([node(*p) for p in points], tags))
    return 1000 + len(ways)


def area(points, **tags):
    return way(points + points[:1], **tags)


def box(x0, y0, x1, y1, **tags):
    return area([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], **tags)


def draw():
    # The square, with a fountain, trees and the metro.
    box(56, 46, 134, 102, place="square", name="Market Square", highway="pedestrian", area="yes")
    area([(95 + 4 * math.cos(k * math.pi / 6), 75 + 4 * math.sin(k * math.pi / 6)) for k in range(12)],
         amenity="fountain", name="Old Fountain")
    for x in range(64, 130, 11):
        node(x, 52, natural="tree")
    node(75, 60, railway="subway_entrance", name="Metro")
    # The town hall: a ring of a building with a passage to its courtyard.
    outer = area([(60, 105), (130, 105), (130, 140), (60, 140)])
    inner = area([(80, 113), (110, 113), (110, 120), (110, 132), (80, 132)])
    relations.append(([(outer, "outer"), (inner, "inner")], dict(type="multipolygon", building="public", name="Town Hall")))
    way([(95, 100), (95, 105), (95, 113), (95, 116)], highway="footway", tunnel="building_passage", width="4")
    node(110, 120, entrance="main", name="Town Hall Door")
    # Houses to the west, their doors to the square.
    for number, (y0, y1) in enumerate([(46, 64), (66, 84), (86, 110)], 1):
        door = (y0 + y1) / 2
        area([(20, y0), (48, y0), (48, door), (48, y1), (20, y1)], building="house", **{"addr:housenumber": str(number)})
        node(48, door, entrance="yes", name=f"House {number}")
    # A row of gardens behind hedges in the north-west.
    box(20, 115, 48, 140, landuse="grass")
    way([(20, 115), (34, 115), (48, 115), (48, 140)], barrier="hedge")
    node(34, 115, barrier="gate", width="2 m")
    # The market hall: level 0 is on the ground, level 1 above it.
    area([(142, 50), (182, 50), (182, 80), (142, 80), (142, 65)], building="retail", name="Market Hall",
         **{"building:levels": "2"})
    node(142, 65, entrance="main", name="Market Hall Door", width="3")
    area([(142, 60), (150, 60), (182, 60), (182, 70), (172, 70), (152, 70), (142, 70), (142, 65)],
         indoor="corridor", level="0;1", name="Arcade")
    area([(142, 50), (162, 50), (162, 60), (150, 60), (142, 60)], indoor="room", level="0", name="Bakery")
    area([(142, 70), (152, 70), (162, 70), (162, 80), (142, 80)], indoor="room", level="1", name="Gallery")
    area([(162, 70), (172, 70), (182, 70), (182, 80), (162, 80)], indoor="room", level="1", name="Cafe")
    for x, y, level in [(150, 60, 0), (152, 70, 1), (172, 70, 1)]:
        node(x, y, door="yes", level=level, width="1.6")
    way([(158, 67.5), (167, 67.5)], highway="steps", level="0;1", incline="up", width="3")
    box(142, 90, 182, 125, building="yes", name="Inn")
    # Streets.
    way([(0, 30), (200, 30)], highway="residential", width="7", name="Market Street")
    way([(0, 38), (95, 38), (200, 38)], highway="footway", footway="sidewalk")
    way([(0, 23), (95, 23), (150, 23), (200, 23)], highway="footway", footway="sidewalk")
    way([(95, 23), (95, 38)], highway="footway", footway="crossing")
    way([(95, 38), (95, 46)], highway="footway", width="5")
    way([(190, 38), (190, 150)], highway="service", service="alley")
    node(30, 36, highway="bus_stop", name="Bus Stop")
    # The park behind its fence, with a pond and a bridge.
    box(100, 2, 195, 20, leisure="park", name="Park")
    way([(100, 20), (150, 20), (195, 20), (195, 2), (100, 2), (100, 20)], barrier="fence")
    node(150, 20, barrier="gate", width="3")
    area([(112, 5), (138, 5), (142, 9), (138, 16), (118, 16), (110, 10)], natural="water", name="Duck Pond")
    way([(150, 23), (150, 20), (146, 12), (125, 12), (106, 6)], highway="footway", bridge="yes", width="2")


def attributes(tags, indent="    "):
    text = lambda value: str(value).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return "".join(f'{indent}<tag k="{text(k)}" v="{text(v)}"/>\n' for k, v in tags.items())


def write():
    west, south = degrees(0, 0)
    east, north = degrees(WIDTH, HEIGHT)
    print('<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="make_town_square.py">')
    print(f'  <bounds minlat="{south:.7f}" minlon="{west:.7f}" maxlat="{north:.7f}" maxlon="{east:.7f}"/>')
    for (x, y), (number, tags) in nodes.items():
        lon, lat = degrees(x, y)
        head = f'  <node id="{number}" version="1" lat="{lat:.7f}" lon="{lon:.7f}"'
        print(head + (f">\n{attributes(tags)}  </node>" if tags else "/>"))
    for number, (members, tags) in enumerate(ways, 1001):
        print(f'  <way id="{number}" version="1">')
        print("".join(f'    <nd ref="{n}"/>\n' for n in members) + attributes(tags) + "  </way>")
    for number, (members, tags) in enumerate(relations, 2001):
        print(f'  <relation id="{number}" version="1">')
        print("".join(f'    <member type="way" ref="{w}" role="{role}"/>\n' for w, role in members) + attributes(tags) +
              "  </relation>")
    print("</osm>")


draw()
write()

#!/usr/bin/env python3
"""Draws the example environments of this folder (all but quarter.geojson, which `throng generate` makes).

    python3 examples/make_examples.py [FOLDER]

Plain Python 3, no packages. The files are committed; run this after changing a drawing.
"""

import math
import pathlib
import sys

from make_station import station
from plan import Plan, around, band, circle, densely, rectangle, smooth, turned


def hall():
    """A concert hall: forecourt, foyer with bar and cloakroom, hall with pillars and a stage, three emergency exits."""
    p = Plan()
    p.walkable(rectangle(0, 0, 56, 34))
    outer, inner = rectangle(8, 4, 50, 30), rectangle(8.4, 4.4, 49.6, 29.6)
    p.obstacle(outer, inner, name="building")
    # Partition between foyer and hall, with a rounded box office in it.
    p.obstacle(rectangle(18, 4.4, 18.3, 29.6), name="partition")
    p.obstacle(rectangle(16.2, 15, 18.3, 19), name="sound desk")
    # Main doors, doors to the hall, emergency exits.
    for y in (8.5, 12.0, 20.0, 23.5):
        p.opening(rectangle(7.8, y, 8.6, y + 2))
    for y in (6.5, 12.0, 20.0, 25.5):
        p.opening(rectangle(17.8, y, 18.5, y + 2))
    p.opening(rectangle(30, 3.8, 31.8, 4.6))
    p.opening(rectangle(30, 29.4, 31.8, 30.2))
    p.opening(rectangle(49.4, 7, 50.2, 8.8))
    # Foyer: bar, cloakroom counter, a column by each main door.
    p.obstacle(rectangle(10.5, 27.2, 15.5, 28), name="bar")
    p.obstacle(rectangle(10.5, 5.8, 15.5, 6.5), name="cloakroom")
    for y in (11.25, 17.0, 22.75):
        p.obstacle(circle(12.8, y, 0.35, 12), name="column")
    # Hall: two rows of pillars, a stage with a curved front, crowd barriers before it, seats along the walls.
    for x in (22, 27, 32, 37):
        for y in (9, 25):
            p.obstacle(around(x, y, 0.7, 0.7), name="pillar")
    front = [[42.5 - 1.8 * math.sin(math.pi * (y - 9) / 16), y] for y in range(9, 26)]
    p.obstacle([[49.6, 9]] + [[49.6, 25]] + front[::-1], name="stage")
    barrier = [[39.2 - 1.8 * math.sin(math.pi * (y - 9) / 16), y] for y in range(10, 25)]
    p.wall(*barrier[:7])
    p.wall(*barrier[8:])
    for x in range(21, 37, 2):
        if x + 0.5 < 29 or x + 0.5 > 33:  # not before the emergency exits
            p.obstacle(around(x + 0.5, 28.9, 1.6, 0.6), name="bench")
            p.obstacle(around(x + 0.5, 5.1, 1.6, 0.6), name="bench")
    # Forecourt: trees, bicycle stands.
    for y in (3, 17, 31):
        p.obstacle(circle(4, y, 0.4, 8), name="tree")
    for y in range(5, 13):
        p.wall((1.2, y), (2.8, y + 0.4))
    p.region("paving", rectangle(0, 0, 56, 34))
    p.region("grass", rectangle(51, 12, 56, 34))
    p.region("carpet", rectangle(8.4, 4.4, 18, 29.6))
    p.region("parquet", rectangle(18.3, 4.4, 49.6, 29.6))
    p.area("west", rectangle(0.5, 14, 3.2, 30))
    p.area("east", rectangle(33.5, 11, 37, 23))
    p.area("bar", rectangle(10.5, 25.2, 15.5, 27))
    p.area("cloakroom", rectangle(10.5, 6.7, 15.5, 8.2))
    p.area("exit-south", rectangle(29, 0.5, 33, 3))
    p.area("exit-north", rectangle(29, 31, 33, 33.5))
    p.area("exit-east", rectangle(51.5, 6, 55.5, 10))
    return p


def office():
    """Twelve rooms on a corridor, with desks; an exit at each end."""
    p = Plan()
    rooms, width, depth, corridor = 6, 4.5, 5.0, 2.2
    length = rooms * width
    low, high = depth, depth + corridor
    p.walkable(rectangle(-6, -2, length + 6, 2 * depth + corridor + 2))
    p.obstacle(rectangle(-0.3, -0.3, length + 0.3, 2 * depth + corridor + 0.3),
               rectangle(0, 0, length, 2 * depth + corridor), name="building")
    p.obstacle(rectangle(0, low - 0.15, length, low))
    p.obstacle(rectangle(0, high, length, high + 0.15))
    for i in range(1, rooms):
        # Partitions are thinner than the plan is drawn: thin walls.
        p.wall((i * width, 0), (i * width, low - 0.15))
        p.wall((i * width, high + 0.15), (i * width, 2 * depth + corridor))
    for i in range(rooms):
        x = i * width
        p.opening(rectangle(x + 0.5, low - 0.25, x + 1.45, low + 0.1))
        p.opening(rectangle(x + 3.05, high - 0.1, x + 4.0, high + 0.25))
        for side, y, sign in ((0, 0, 1), (1, 2 * depth + corridor, -1)):
            door_right = side == 1
            desk_x = x + (0.9 if door_right else 2.6)
            p.obstacle(rectangle(desk_x, *sorted((y + sign * 1.2, y + sign * 2.8))[:1], desk_x + 0.8,
                                 sorted((y + sign * 1.2, y + sign * 2.8))[1]), name="desk")
            p.obstacle(around(x + (3.9 if door_right else 0.45), y + sign * 0.3, 0.8, 0.5), name="cabinet")
            number = i + 1 + rooms * side
            p.area(f"room-{number}", rectangle(x + 0.2, *((0.2,) if side == 0 else (high + 0.35,)), x + width - 0.2,
                                               low - 0.35 if side == 0 else 2 * depth + corridor - 0.2))
    for x in (9.6, 18.6):
        p.obstacle(rectangle(x, high - 0.35, x + 0.9, high), name="printer")
    p.opening(rectangle(-0.5, low + 0.4, 0.2, high - 0.4))
    p.opening(rectangle(length - 0.2, low + 0.4, length + 0.5, high - 0.4))
    p.region("corridor", rectangle(0, low, length, high))
    p.area("exit-west", rectangle(-5.5, low - 1, -3, high + 1))
    p.area("exit-east", rectangle(length + 3, low - 1, length + 5.5, high + 1))
    return p


def four_blocks():
    """Four blocks and a crossing: streams from all sides meet in the middle."""
    p = Plan()
    p.walkable(rectangle(-30, -30, 30, 30))
    for sx in (-1, 1):
        for sy in (-1, 1):
            x0, x1 = sorted((sx * 3, sx * 20))
            y0, y1 = sorted((sy * 3, sy * 20))
            p.obstacle(rectangle(x0, y0, x1, y1))
    p.area("west", rectangle(-30, -3, -21, 3))
    p.area("east", rectangle(21, -3, 30, 3))
    p.area("south", rectangle(-3, -30, 3, -21))
    p.area("north", rectangle(-3, 21, 3, 30))
    p.area("middle", rectangle(-3, -3, 3, 3))
    return p


def eight_buildings():
    """The scene of a comparison of steering methods: eight buildings in a perimeter, 46 corners in all."""
    p = Plan()
    p.walkable(rectangle(0, 0, 200, 120))
    for x, y in ((20, 15), (20, 50), (20, 85), (70, 15), (70, 85)):
        p.obstacle(rectangle(x, y, x + 30, y + 20))
    p.obstacle(rectangle(115, 85, 140, 105))
    p.obstacle([[70, 50], [135, 50], [135, 62], [100, 62], [100, 70], [70, 70]], name="middle")
    p.obstacle([[155, 15], [190, 15], [190, 105], [155, 105], [155, 90], [172, 90], [172, 75], [158, 75], [158, 50],
                [172, 50], [172, 35], [155, 35]], name="right")
    p.area("west", rectangle(2, 2, 18, 118))
    p.area("east", rectangle(192, 2, 198, 118))
    p.area("square", rectangle(108, 5, 150, 45))
    return p


def park():
    """Lawns, winding paths, a pond with an island, a stream with two bridges, a playground behind a fence."""
    p = Plan()
    p.walkable(rectangle(0, 0, 160, 110))
    p.region("grass", rectangle(3, 3, 157, 107))
    # Paths are regions: whoever hurries may cross the grass.
    ring = [[80 + 62 * math.cos(2 * math.pi * i / 48) * (1 + 0.06 * math.sin(6 * math.pi * i / 48)),
             55 + 40 * math.sin(2 * math.pi * i / 48) * (1 + 0.08 * math.cos(4 * math.pi * i / 48))] for i in range(49)]
    paths = [(ring[i:i + 13], 3) for i in range(0, 48, 12)]
    paths += [(smooth(points), width) for points, width in (
        ([[0, 20], [12, 26], [30, 28], [52, 22], [80, 24], [110, 20], [134, 30], [160, 26]], 3.5),
        ([[18, 110], [26, 92], [44, 82], [70, 84], [92, 90], [124, 86], [142, 92], [150, 110]], 3.5),
        ([[80, 0], [78, 24], [92, 30], [106, 40], [112, 52], [118, 70], [124, 86]], 2.5),
        ([[18, 55], [34, 52], [44, 62], [44, 82]], 2.5))]
    for points, width in paths:
        p.region("path", band(points, width))
    # The stream runs from the north into the pond and out to the south-east; bridges are openings.
    stream = smooth([[66, 110], [68, 98], [62, 88], [60, 78], [64, 66]])
    p.obstacle(band(stream, 3.2), name="stream")
    outlet = smooth([[80, 52], [90, 42], [98, 38], [112, 36], [128, 40], [146, 36], [160, 40]])
    p.obstacle(band(outlet, 2.6), name="stream")
    shore = [[72 + (19 + 3 * math.sin(3 * a) + 1.5 * math.cos(5 * a)) * math.cos(a),
              57 + (14 + 2 * math.sin(2 * a + 1)) * math.sin(a)] for a in (2 * math.pi * i / 40 for i in range(40))]
    p.obstacle(shore, circle(68, 58, 4, 14)[::-1], name="pond")
    for bridge in (turned(61.2, 83.2, 6, 2.6, 4), turned(65.6, 93.5, 6.5, 2.6, -12), turned(103.6, 37.4, 6, 2.6, 55),
                   turned(134.6, 39.5, 6, 3.2, 66), turned(75, 49.5, 19, 2, 118)):
        p.opening(bridge)
    # Playground: fence with two gates, sand, climbing frames.
    fence = [[18, 34], [18, 46], [40, 46], [40, 34]]
    p.region("sand", [[20, 35.5], [38, 35.5], [38, 44.5], [20, 44.5]])
    p.wall([18, 39], fence[1], [28, 46])
    p.wall([30, 46], fence[2], fence[3], fence[0], [18, 37])
    p.obstacle(turned(25, 41, 3, 1.2, 20), name="swing")
    p.obstacle(circle(33, 38.5, 1.4, 8), circle(33, 38.5, 0.9, 8)[::-1], name="carousel")
    p.obstacle(turned(34, 43, 2.4, 2.4, 45), name="climbing frame")
    # Café with a terrace.
    p.obstacle([[128, 60], [140, 60], [140, 72], [134, 72], [134, 66], [128, 66]], name="cafe")
    p.region("terrace", rectangle(122, 56, 134, 72))
    for x, y in ((124.5, 58.5), (124.5, 63), (124.5, 67.5), (130.5, 69.5)):
        p.obstacle(circle(x, y, 0.5, 8), name="table")
    # Trees: the seeds of a sunflower, kept off the water, the paths, the fence and the terrace.
    def is_lawn(x, y):
        near_water = math.hypot((x - 72) / 24, (y - 57) / 19) < 1 or abs(x - 64) < 6 and y > 66 or x > 84 and 32 < y < 46
        built = 15 < x < 43 and 31 < y < 49 or 119 < x < 143 and 53 < y < 75
        on_path = any(math.hypot(x - u, y - v) < 3.2 for points, _ in paths for u, v in densely(points))
        return 4 < x < 156 and 4 < y < 106 and not near_water and not built and not on_path

    for i in range(620):
        r, a = 4.0 * math.sqrt(i), i * 2.399963
        x, y = 80 + 1.25 * r * math.cos(a), 55 + 0.85 * r * math.sin(a)
        if is_lawn(x, y) and i % 3 != 0:
            p.obstacle(circle(x, y, 0.25 + 0.3 * ((i * 7) % 11) / 10, 7, (i % 5) / 5), name="tree")
    for x, y, d in ((50, 26, 80), (92, 26, -5), (118, 82, -10), (38, 80, 30), (20, 60, 90), (140, 50, 80)):
        p.obstacle(turned(x, y, 1.8, 0.6, d), name="bench")
    p.area("west", rectangle(0, 16, 4, 24))
    p.area("east", rectangle(156, 22, 160, 30))
    p.area("north", rectangle(144, 106, 156, 110))
    p.area("south", rectangle(75, 0, 85, 4))
    p.area("playground", rectangle(19, 35, 39, 45))
    p.area("terrace", rectangle(122, 56, 128, 72))
    p.area("island", circle(68, 58, 3.4, 12))
    return p


def spiral():
    """A ramp that winds up round a square well, two turns and a quarter, so that it passes over itself twice."""
    width, side, rise = 3.0, 12.0, 0.75
    quarters = 9
    # Each quarter is a flight and the landing at its end. These are the corners of the four, anticlockwise from the south.
    inner = side - width
    boxes = [(width, 0, side, width), (inner, width, side, side), (0, inner, inner, side), (0, 0, width, inner)]
    axes = [((width, 1.5), (inner, 1.5)), ((10.5, width), (10.5, inner)), ((inner, 10.5), (width, 10.5)),
            ((1.5, inner), (1.5, width))]
    entries = [((width, 0), (width, width)), ((inner, width), (side, width)), ((inner, inner), (inner, side)),
               ((0, inner), (width, inner))]
    layers = [{"id": "ground", "elevation": 0}]
    for k in range(quarters):
        (x0, y0), (x1, y1) = axes[k % 4]
        layers.append({"id": f"ramp-{k + 1}",
                       "elevation": {"ramp": [[x0, y0, k * rise], [x1, y1, (k + 1) * rise]]}})
    layers.append({"id": "deck", "elevation": quarters * rise})
    p = Plan(layers)
    p.walkable(rectangle(-14, -6, width, 9), layer="ground")
    for x in (-11, -7, -3):
        p.obstacle(around(x, 5.5, 0.6, 0.6), layer="ground", name="pillar")
        p.obstacle(around(x, -2.5, 0.6, 0.6), layer="ground", name="pillar")
    for k in range(quarters):
        p.walkable(rectangle(*boxes[k % 4]), layer=f"ramp-{k + 1}")
    p.walkable(rectangle(side, -6, side + 16, 9), layer="deck")
    p.obstacle(circle(side + 9, 1.5, 1.5, 12), layer="deck", name="planter")
    p.wall((side + 4, -6), (side + 4, -2), (side + 6, -1), layer="deck")
    p.connection(*entries[0], "ground", "ramp-1")
    for k in range(1, quarters):
        p.connection(*entries[k % 4], f"ramp-{k}", f"ramp-{k + 1}")
    p.connection((side, 0), (side, width), f"ramp-{quarters}", "deck")
    p.area("ground", rectangle(-13.5, -5.5, -8.5, 8.5), layer="ground")
    p.area("deck", rectangle(side + 12, -5.5, side + 15.5, 8.5), layer="deck")
    return p


def corridor():
    """A corridor of 50 x 4 m; people start and arrive at its ends."""
    p = Plan()
    p.walkable(rectangle(0, 0, 50, 4))
    p.area("west", rectangle(0, 0, 12, 4))
    p.area("east", rectangle(38, 0, 50, 4))
    p.area("west-end", rectangle(0, 0, 2, 4))
    p.area("east-end", rectangle(48, 0, 50, 4))
    p.area("middle", rectangle(20, 0, 30, 4))
    return p


def crossing():
    """Two corridors of 4 m that cross at a right angle."""
    p = Plan()
    p.walkable(rectangle(0, 18, 40, 22))
    p.walkable(rectangle(18, 0, 22, 40))
    for name, ring in (("west", rectangle(0, 18, 4, 22)), ("east", rectangle(36, 18, 40, 22)),
                       ("south", rectangle(18, 0, 22, 4)), ("north", rectangle(18, 36, 22, 40)),
                       ("middle", rectangle(18, 18, 22, 22))):
        p.area(name, ring)
    return p


def bottleneck():
    """A room with one way out: a passage 1.2 m wide and 2.8 m long."""
    p = Plan()
    p.walkable(rectangle(0, 0, 12, 10))
    p.walkable(rectangle(12, 4.4, 14.8, 5.6))
    p.walkable(rectangle(14.8, 0, 24, 10))
    p.area("room", rectangle(0.5, 0.5, 9, 9.5))
    p.area("before-the-door", rectangle(10, 4, 12, 6))
    p.area("exit", rectangle(21, 0, 24, 10))
    return p


def two_exits():
    """A hall with two doors of 1 m in one of its long walls, one of them far from where people start (RiMEA 11 has others)."""
    p = Plan()
    p.walkable(rectangle(0, 0, 30, 20))
    for name, x in (("near", 15), ("far", 29)):
        p.walkable(rectangle(x - 0.5, -0.3, x + 0.5, 0))
        p.walkable(rectangle(x - 1.5, -3.3, x + 1, -0.3) if name == "far" else rectangle(x - 1.5, -3.3, x + 1.5, -0.3))
        p.area(name, rectangle(x - 1.5, -3.3, x + 1, -1.3) if name == "far" else rectangle(x - 1.5, -3.3, x + 1.5, -1.3))
    p.area("left", rectangle(0.5, 0.5, 19.5, 19.5))
    return p


def circle_of_goals():
    """An open square, and a hundred people on a circle who all want to get to the other side."""
    p = Plan()
    p.walkable(rectangle(-28, -28, 28, 28))
    p.area("middle", circle(0, 0, 4, 24))
    return p


def mall():
    """A shopping mall: a gallery of 64 x 10 m with benches and a fountain, ten shops along it, a door to the street at each end."""
    p = Plan()
    p.walkable(rectangle(0, 0, 80, 38))
    p.obstacle(rectangle(8, 1, 72, 37), rectangle(8.3, 1.3, 71.7, 36.7), name="building")
    for y in (13.7, 24):
        p.obstacle(rectangle(8.3, y, 71.7, y + 0.3), name="shop fronts")
    for x in (21, 34, 46, 59):
        p.obstacle(rectangle(x - 0.15, 1.3, x + 0.15, 13.7), name="party wall")
        p.obstacle(rectangle(x - 0.15, 24.3, x + 0.15, 36.7), name="party wall")
    middles = (14.6, 27.5, 40, 52.5, 65.4)
    for x in middles:
        p.opening(rectangle(x - 1.5, 13.6, x + 1.5, 14.1))
        p.opening(rectangle(x - 1.5, 23.9, x + 1.5, 24.4))
        p.obstacle(rectangle(x - 3, 5, x + 3, 6), name="shelves")
        p.obstacle(rectangle(x - 3, 32, x + 3, 33), name="shelves")
    for x in (7.9, 71.6):
        p.opening(rectangle(x, 17, x + 0.5, 21))
    for x in (21, 34, 46, 59):
        p.obstacle(around(x, 19, 2.4, 0.8), name="bench")
    p.obstacle(circle(40, 19, 1.6, 24), name="fountain")
    p.area("street-west", rectangle(0.5, 12, 5, 26))
    p.area("street-east", rectangle(75, 12, 79.5, 26))
    p.area("gallery", rectangle(9, 14.5, 71, 23.5))
    for i, x in enumerate(middles):
        p.area(f"shop-south-{i + 1}", rectangle(x - 3, 7.5, x + 3, 12))
        p.area(f"shop-north-{i + 1}", rectangle(x - 3, 26, x + 3, 30.5))
    return p


def antipodal(count, radius):
    """Start positions on a circle with the opposite point as goal."""
    lines = ["x,y,gx,gy"]
    for i in range(count):
        x, y = radius * math.cos(2 * math.pi * i / count), radius * math.sin(2 * math.pi * i / count)
        lines.append(f"{x:.3f},{y:.3f},{-x:.3f},{-y:.3f}")
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    for draw in (hall, office, four_blocks, eight_buildings, park, spiral, station, corridor, crossing, bottleneck, mall,
                 two_exits):
        draw().write(folder / f"{draw.__name__}.geojson")
    circle_of_goals().write(folder / "circle.geojson")
    (folder / "circle.csv").write_text(antipodal(100, 20))


if __name__ == "__main__":
    main()

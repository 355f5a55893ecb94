"""The station of the examples: street, concourse below it, two platforms below that, and everything people take between them.

Called by make_examples.py. Heights: street 0, concourse -5, platforms -10 m. x runs along the tracks, y across them.
"""

from plan import Plan, around, circle, rectangle, turned

STREET, CONCOURSE, PLATFORM = 0.0, -5.0, -10.0


class Flight:
    """A stair, escalator or ramp: a rectangle from its upper edge to its lower edge, a layer of its own."""

    def __init__(self, name, upper, lower, x0, y0, x1, y1, downwards, stairs):
        self.name, self.upper, self.lower = name, upper, lower
        self.box, self.downwards, self.stairs = (x0, y0, x1, y1), downwards, stairs

    def ends(self):
        """The edges at its upper and lower end."""
        x0, y0, x1, y1 = self.box
        south, north = ((x0, y0), (x1, y0)), ((x0, y1), (x1, y1))
        west, east = ((x0, y0), (x0, y1)), ((x1, y0), (x1, y1))
        return {"north": (south, north), "south": (north, south), "east": (west, east), "west": (east, west)}[self.downwards]

    def layer(self, heights):
        top, bottom = (((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in self.ends())
        elevation = {"ramp": [[*top, heights[self.upper]], [*bottom, heights[self.lower]]]}
        if self.stairs:
            elevation["stairs"] = True
        return {"id": self.name, "elevation": elevation}

    def draw(self, p):
        p.walkable(rectangle(*self.box), layer=self.name)
        # The well in the floor above, the underside in the floor below.
        p.obstacle(rectangle(*self.box), layer=self.upper, name=self.name)
        p.obstacle(rectangle(*self.box), layer=self.lower, name=self.name)
        top, bottom = self.ends()
        p.connection(*top, self.upper, self.name)
        p.connection(*bottom, self.name, self.lower)


def flights():
    down = [
        # Street to concourse.
        Flight("stairs-west", "street", "concourse", 24, 26, 28, 38, "north", True),
        Flight("escalator-west", "street", "concourse", 29, 26, 30.2, 38, "north", False),
        Flight("stairs-east", "street", "concourse", 110, 26, 114, 38, "north", True),
        Flight("escalator-east", "street", "concourse", 107.8, 26, 109, 38, "north", False),
        Flight("ramp", "street", "concourse", 39, 40.5, 101, 43, "east", False),
    ]
    for number, y in ((1, 66), (2, 86)):
        platform = f"platform-{number}"
        down += [
            Flight(f"{platform}-stairs-west", "concourse", platform, 30, y - 1.5, 42, y + 1.5, "west", True),
            Flight(f"{platform}-stairs-east", "concourse", platform, 98, y - 1.5, 110, y + 1.5, "east", True),
            Flight(f"{platform}-escalator-up", "concourse", platform, 62, y + 0.2, 74, y + 1.4, "west", False),
            Flight(f"{platform}-escalator-down", "concourse", platform, 62, y - 1.4, 74, y - 0.2, "west", False),
        ]
    return down


def draw_street(p):
    p.walkable(rectangle(0, 0, 140, 46), layer="street")
    p.region("paving", rectangle(0, 10, 140, 46), layer="street")
    p.region("road", rectangle(0, 2, 140, 10), layer="street")
    for x in (20, 66, 112):
        p.region("crossing", rectangle(x, 2, x + 5, 10), layer="street")
    # A glass hall stands over each entrance: walls on three sides, open to the south.
    for x0, x1 in ((22, 32.2), (105.8, 116)):
        p.wall((x0, 26), (x0, 39), (x1, 39), (x1, 26), layer="street")
    p.wall((39, 40), (102, 40), (102, 43.5), (39, 43.5), layer="street")
    # The station building between the entrances, with a passage through it.
    p.obstacle(rectangle(42, 22, 98, 36), name="station building", layer="street")
    p.obstacle(rectangle(60, 36, 80, 38), name="clock tower", layer="street")
    p.opening(rectangle(67, 21.5, 73, 38.5), layer="street")
    for x in range(46, 98, 6):
        if not 64 < x < 76:
            p.obstacle(circle(x, 19.5, 0.3, 8), name="column", layer="street")
    # Trees, bollards, kiosks, benches, bus shelters.
    for x in range(6, 140, 8):
        p.obstacle(circle(x, 13.5, 0.35, 6), name="tree", layer="street")
    for x in range(10, 132, 3):
        if not (18 < x < 27 or 64 < x < 73 or 110 < x < 119):
            p.obstacle(circle(x, 10.6, 0.12, 6), name="bollard", layer="street")
    for x, y in ((14, 20), (36, 18), (103, 18), (126, 20)):
        p.obstacle(turned(x, y, 3.2, 2.4, 12), name="kiosk", layer="street")
    for x in (12, 36, 102, 128):
        p.obstacle(around(x, 31, 1.8, 0.55), name="bench", layer="street")
    for x in (40, 90):
        p.wall((x, 12.2), (x, 11.2), (x + 6, 11.2), (x + 6, 12.2), layer="street")
    p.area("exit-west", rectangle(0, 14, 4, 44), layer="street")
    p.area("exit-east", rectangle(136, 14, 140, 44), layer="street")
    p.area("exit-south", rectangle(62, 0, 76, 2), layer="street")
    p.area("bus-stop", rectangle(41, 12.4, 45, 14.4), layer="street")


def draw_gates(p, x, count):
    """A bank of ticket gates across y = 54: cabinets two metres long, 1.2 m between them, one wide gate at its end.
    Returns where the bank begins and ends."""
    cabinet, gap, wide = 0.3, 1.2, 1.5
    start = x
    for i in range(count):
        p.obstacle(rectangle(x, 53, x + cabinet, 55), name="ticket gate", layer="concourse")
        x += cabinet + (wide if i == count - 2 else gap)
    return start, x - gap


def draw_concourse(p):
    p.walkable(rectangle(12, 38, 128, 94), layer="concourse")
    # Lifts and machine rooms in the corners.
    p.obstacle(rectangle(12, 38, 20, 44), name="machine room", layer="concourse")
    p.obstacle(rectangle(120, 38, 128, 44), name="machine room", layer="concourse")
    # Ticket gates, fences between the banks.
    banks = [draw_gates(p, x, count) for x, count in ((22, 7), (64, 8), (106, 7))]
    ends = [12] + [x for bank in banks for x in bank] + [128]
    for x0, x1 in zip(ends[::2], ends[1::2]):
        p.wall((x0, 54), (x1, 54), layer="concourse")
    # Pillars.
    for x in range(20, 126, 12):
        for y in (48, 58.5, 76):
            p.obstacle(around(x, y, 0.8, 0.8), name="pillar", layer="concourse")
    # Shops along the northern wall: thin walls, doors, counters.
    p.wall((44, 94), (44, 90.5), (46.5, 90.5), layer="concourse")
    p.wall((48.5, 90.5), (56, 90.5), (56, 94), layer="concourse")
    p.wall((56, 90.5), (60, 90.5), layer="concourse")
    p.wall((62, 90.5), (68, 90.5), (68, 94), layer="concourse")
    p.obstacle(rectangle(51, 92.2, 55, 92.8), name="counter", layer="concourse")
    p.obstacle(rectangle(63, 92.2, 67, 92.8), name="counter", layer="concourse")
    # Ticket machines against the side of the ramp, information desk, benches.
    for x in range(48, 60, 2):
        p.obstacle(rectangle(x, 43, x + 0.9, 43.6), name="ticket machine", layer="concourse")
    p.obstacle(circle(74, 48, 1.6, 16), name="information", layer="concourse")
    for x in (52, 84, 116):
        for y in (70.5, 81.5):
            p.obstacle(around(x, y, 2.0, 0.6), name="bench", layer="concourse")
    p.obstacle(around(86, 62, 3, 2), name="kiosk", layer="concourse")
    p.region("tiles", rectangle(12, 38, 128, 94), layer="concourse")
    for x in (26, 70, 112):
        p.region("guidance", rectangle(x - 0.3, 55.2, x + 0.3, 90), layer="concourse")
    p.area("tickets", rectangle(47.5, 43.7, 59.5, 44.6), layer="concourse")
    p.area("shop", rectangle(44.5, 91, 50.5, 93.5), layer="concourse")
    p.area("cafe", rectangle(57, 91, 62.5, 93.5), layer="concourse")
    p.area("meeting-point", rectangle(70, 44.5, 78, 46), layer="concourse")
    p.area("concourse", rectangle(44, 56, 96, 62), layer="concourse")
    # From within the gates on, for those who leave (southwards) and for those who come (northwards): each bank is shared out.
    # Who is in a gate is through: areas behind the gates would have people cross before their mouths.
    for name, (start, end) in zip(("west", "middle", "east"), banks):
        shared = start + 0.3 + 1.5 * round(0.6 * (end - start) / 1.5)
        p.area(f"gates-{name}-out", rectangle(start + 0.3, 51.0, shared - 0.3, 54.0), layer="concourse")
        p.area(f"gates-{name}-in", rectangle(shared, 54.0, end - 0.3, 57.0), layer="concourse")


def draw_platform(p, number, y):
    """120 by 8 metres, tracks on both sides, stairs and escalators in its middle line."""
    layer = f"platform-{number}"
    x0, x1, y0, y1 = 10, 130, y - 4, y + 4
    p.walkable(rectangle(x0, y0, x1, y1), layer=layer)
    p.region("edge", rectangle(x0, y0, x1, y0 + 0.8), layer=layer)
    p.region("edge", rectangle(x0, y1 - 0.8, x1, y1), layer=layer)
    for x in (14, 20, 26, 46, 50, 56, 80, 86, 92, 114, 120, 126):
        p.obstacle(around(x, y, 0.6, 0.6), name="pillar", layer=layer)
    for x in (17, 23, 53, 83, 89, 117, 123):
        p.obstacle(around(x, y, 1.9, 0.5), name="bench", layer=layer)
    p.obstacle(around(78, y, 1.2, 0.9), name="vending machine", layer=layer)
    p.obstacle(rectangle(94, y - 0.2, 96, y + 0.2), name="map", layer=layer)
    # Walls beside the escalators, so that nobody falls from them.
    p.wall((61, y), (62, y), layer=layer)
    p.area(layer, rectangle(x0, y0, x1, y1), layer=layer)
    p.area(f"{layer}-west", rectangle(x0, y0, 28, y1), layer=layer)
    p.area(f"{layer}-east", rectangle(112, y0, x1, y1), layer=layer)


def station():
    heights = {"street": STREET, "concourse": CONCOURSE, "platform-1": PLATFORM, "platform-2": PLATFORM}
    ways = flights()
    layers = [{"id": name, "elevation": z} for name, z in heights.items()] + [way.layer(heights) for way in ways]
    p = Plan(layers)
    draw_street(p)
    draw_concourse(p)
    draw_platform(p, 1, 66)
    draw_platform(p, 2, 86)
    for way in ways:
        way.draw(p)
    return p

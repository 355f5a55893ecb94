"""Drawing environments (docs/formats.md) with a few lines of Python; what make_examples.py is written with."""

import json
import math


def rectangle(x0, y0, x1, y1):
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def around(x, y, width, height):
    return rectangle(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def turned(x, y, length, width, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [[x + u * c - v * s, y + u * s + v * c] for u, v in around(0, 0, length, width)]


def circle(x, y, radius, corners, turn=0.0):
    return [[x + radius * math.cos(2 * math.pi * (i + turn) / corners),
             y + radius * math.sin(2 * math.pi * (i + turn) / corners)] for i in range(corners)]


def band(points, width):
    """A strip of constant width along a polyline, mitred at its bends."""
    left, right = [], []
    for i, (x, y) in enumerate(points):
        before, after = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy)
        nx, ny = -dy / length * width / 2, dx / length * width / 2
        left.append([x + nx, y + ny])
        right.append([x - nx, y - ny])
    return right + left[::-1]


def smooth(points, pieces=5):
    """A Catmull-Rom curve through the points, as a polyline."""
    padded = [points[0], *points, points[-1]]
    curve = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:]):
        for k in range(pieces):
            t = k / pieces
            curve.append([(2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t ** 3) / 2
                          for p, q, r, s in zip(a, b, c, d)])
    return curve + [list(points[-1])]


def densely(points):
    """Points along a polyline, at most a metre apart."""
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        count = math.ceil(math.hypot(x1 - x0, y1 - y0))
        yield from ((x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(count))


class Plan:
    """A FeatureCollection in the making."""

    def __init__(self, layers=None):
        self.layers = layers or []
        self.features = []

    def add(self, kind, geometry, layer=None, **properties):
        properties = {"kind": kind, **({"layer": layer} if layer else {}), **properties}
        self.features.append({"type": "Feature", "properties": properties, "geometry": geometry})

    @staticmethod
    def polygon(*rings):
        return {"type": "Polygon", "coordinates": [ring + ring[:1] for ring in rings]}

    def walkable(self, ring, *holes, layer=None):
        self.add("walkable", self.polygon(ring, *holes), layer)

    def obstacle(self, ring, *holes, layer=None, **properties):
        self.add("obstacle", self.polygon(ring, *holes), layer, **properties)

    def wall(self, *points, layer=None):
        self.add("obstacle", {"type": "LineString", "coordinates": [list(p) for p in points]}, layer)

    def opening(self, ring, layer=None):
        self.add("opening", self.polygon(ring), layer)

    def region(self, kind, ring, *holes, layer=None):
        self.add("region", self.polygon(ring, *holes), layer, type=kind)

    def area(self, name, ring, layer=None):
        self.add("area", self.polygon(ring), layer, name=name)

    def connection(self, a, b, one, other):
        self.add("connection", {"type": "LineString", "coordinates": [list(a), list(b)]}, layers=[one, other])

    def write(self, path):
        def rounded(value):
            if isinstance(value, (list, tuple)):
                return [rounded(v) for v in value]
            # Whole millimetres, and 3 for 3.0: shorter to read.
            return int(value) if float(value).is_integer() else round(float(value), 3)

        def line(feature):
            geometry = {**feature["geometry"], "coordinates": rounded(feature["geometry"]["coordinates"])}
            return json.dumps({**feature, "geometry": geometry})

        head = '{"type": "FeatureCollection",\n'
        if self.layers:
            listed = ",\n    ".join(json.dumps(layer) for layer in self.layers)
            head += ' "throng": {"version": 1, "layers": [\n    ' + listed + ']},\n'
        body = ",\n    ".join(line(feature) for feature in self.features)
        path.write_text(head + ' "features": [\n    ' + body + "]}\n")

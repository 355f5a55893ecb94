#!/usr/bin/env python3
"""Models two_storeys.obj: two floors of 30 x 12 m, y up as 3D programs and Recast have it, with stairs and a ramp between them,
outer walls, a wall with a door, and a box. Usage: make_two_storeys.py [FOLDER]"""
import sys
from pathlib import Path

HEIGHT, SLAB, STEPS, TREAD = 3.0, 0.2, 18, 0.3
STAIRS = (10.0, 10.0 + TREAD * (STEPS - 1), 4.0, 6.0)  # x from, to, y from, to
RAMP = (3.0, 27.0, 10.0, 12.0)

vertices, faces = {}, []


def vertex(x, y, z):
    """In plan x, y at height z; the file has its y up, and so our y against its z."""
    return vertices.setdefault((round(x, 4), round(z, 4), round(-y, 4) + 0.0), len(vertices) + 1)


def face(*corners):
    faces.append([vertex(*c) for c in corners])


def flat(x0, x1, y0, y1, z, up=True):
    corners = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    face(*(corners if up else corners[::-1]))


def upright(x0, y0, x1, y1, low, high):
    face((x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high))


def box(x0, x1, y0, y1, low, high):
    flat(x0, x1, y0, y1, high)
    for a, b in (((x0, y0), (x1, y0)), ((x1, y0), (x1, y1)), ((x1, y1), (x0, y1)), ((x0, y1), (x0, y0))):
        upright(*a, *b, low, high)


def upper_floor():
    xs = [0, RAMP[0], STAIRS[0], STAIRS[1], RAMP[1], 30]
    ys = [0, STAIRS[2], STAIRS[3], RAMP[2], 12]
    for x0, x1 in zip(xs, xs[1:]):
        for y0, y1 in zip(ys, ys[1:]):
            holes = (STAIRS, RAMP)
            if any(h[0] <= x0 and x1 <= h[1] and h[2] <= y0 and y1 <= h[3] for h in holes):
                continue
            flat(x0, x1, y0, y1, HEIGHT)
            flat(x0, x1, y0, y1, HEIGHT - SLAB, up=False)


def stairs():
    rise = HEIGHT / STEPS
    for i in range(STEPS):
        x = STAIRS[0] + i * TREAD
        upright(x, STAIRS[3], x, STAIRS[2], i * rise, (i + 1) * rise)
        if i + 1 < STEPS:
            flat(x, x + TREAD, STAIRS[2], STAIRS[3], (i + 1) * rise)


def ramp():
    x0, x1, y0, y1 = RAMP
    face((x0, y0, 0), (x1, y0, HEIGHT), (x1, y1, HEIGHT), (x0, y1, 0))


flat(0, 30, 0, 12, 0)
upper_floor()
stairs()
ramp()
for a, b in (((0, 0), (30, 0)), ((30, 0), (30, 12)), ((30, 12), (0, 12)), ((0, 12), (0, 0))):
    upright(*a, *b, 0, 2 * HEIGHT)
for y0, y1 in ((0, 4.5), (5.5, 10)):  # a door of a metre between
    upright(20, y0, 20, y1, 0, HEIGHT - SLAB)
box(24, 26, 2, 4, 0, 1)

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
lines = ["# Two storeys with stairs and a ramp; made by make_two_storeys.py"]
lines += ["v %g %g %g" % v for v in vertices]
lines += ["f " + " ".join(map(str, f)) for f in faces]
(folder / "two_storeys.obj").write_text("\n".join(lines) + "\n")

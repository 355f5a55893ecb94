#!/usr/bin/env python3
"""Draws office_plan.dxf as an architect's drawing often is: loose lines in millimetres whose ends miss each other by up to 5 mm,
walls as two lines, doors as blocks of a leaf and an arc, labels, furniture. Usage: make_office_plan.py [FOLDER]"""
import sys
from pathlib import Path

ROOM, DEPTH, CORRIDOR, PARTITION, OUTER, DOOR, EXIT = 4500, 5000, 2400, 120, 300, 900, 1800
ROOMS = 6  # on each side
LENGTH = ROOMS * ROOM + (ROOMS - 1) * PARTITION
LOW, HIGH = DEPTH + PARTITION, DEPTH + PARTITION + CORRIDOR  # of the corridor
WIDTH = HIGH + PARTITION + DEPTH

out = []
state = 1


def slip():
    """A draughtsman's miss: from 3 mm too long to 3.5 mm too short, so that corners gape by up to 5 mm."""
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return (state >> 16) % 14 * 0.5 - 3


def pair(*values):
    for code, value in zip(values[::2], values[1::2]):
        out.append(f"{code}\n{value}\n")


def line(layer, x0, y0, x1, y1, exact=False):
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    a, b = (0, 0) if exact else (slip(), slip())
    pair(0, "LINE", 8, layer, 10, x0 + dx * a, 20, y0 + dy * a, 11, x1 - dx * b, 21, y1 - dy * b)


def rectangle(layer, x0, y0, x1, y1):
    pair(0, "LWPOLYLINE", 8, layer, 90, 4, 70, 1)
    for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        pair(10, x, 20, y)


def door(x, y, width, turn=0, mirror=1):
    pair(0, "INSERT", 8, "A-DOOR", 2, "DOOR", 10, x, 20, y, 41, width / 1000, 42, mirror * width / 1000, 50, turn)


def text(x, y, height, words):
    pair(0, "MTEXT", 8, "A-ANNO-TEXT", 10, x, 20, y, 40, height, 1, words)


def room(number, x, upper):
    """A room's inner lines, its door into the corridor, its label and a desk."""
    y0, y1 = (HIGH + PARTITION, WIDTH) if upper else (0, DEPTH)
    wall, far = (y0, y1) if upper else (y1, y0)  # the corridor's side, and the other one
    across = LOW if not upper else HIGH  # the corridor's face of the wall
    hinge, latch = x + 600, x + 600 + DOOR
    line("A-WALL", x, far, x + ROOM, far)
    line("A-WALL", x, y0, x, y1)
    line("A-WALL", x + ROOM, y0, x + ROOM, y1)
    line("A-WALL", x, wall, hinge, wall)
    line("A-WALL", latch, wall, x + ROOM, wall)
    for jamb in (hinge, latch):
        line("A-WALL", jamb, min(wall, across), jamb, max(wall, across))
    door(hinge, wall, DOOR, mirror=1 if upper else -1)
    text(x + 2000, (y0 + y1) / 2, 250, f"{{\\fArial|b1;Office {number}}}\\P22.5 m2")
    rectangle("A-FURN", x + 2600, y0 + 1800, x + 4000, y0 + 2600)
    return hinge, latch


def corridor_side(y, doors):
    ends = [0] + [x for d in doors for x in d] + [LENGTH]
    for a, b in zip(ends[::2], ends[1::2]):
        line("A-WALL", a, y, b, y)


def corridor_end(inner, outer, sign):
    """The corridor's end wall with a double door that opens outwards, and the exit as an area in it."""
    low = LOW + (CORRIDOR - EXIT) / 2
    high = low + EXIT
    for x, bottom, top in ((inner, LOW, HIGH), (outer, -OUTER, WIDTH + OUTER)):
        line("A-WALL", x, bottom, x, low)
        line("A-WALL", x, high, x, top)
    for y in (low, high):
        line("A-WALL", inner, y, outer, y)
    door(outer, low, EXIT / 2, turn=90, mirror=-sign)
    door(outer, high, EXIT / 2, turn=-90, mirror=sign)
    rectangle("AREA-exit " + ("east" if sign > 0 else "west"), inner, low, outer + sign * 600, high)


def draw():
    pair(0, "SECTION", 2, "HEADER", 9, "$INSUNITS", 70, 4, 0, "ENDSEC")
    pair(0, "SECTION", 2, "BLOCKS", 0, "BLOCK", 8, 0, 2, "DOOR", 70, 0, 10, 0, 20, 0)
    line("0", 0, 0, 0, 1000, exact=True)
    pair(0, "ARC", 8, 0, 10, 0, 20, 0, 40, 1000, 50, 0, 51, 90)
    pair(0, "ENDBLK", 8, 0, 0, "ENDSEC", 0, "SECTION", 2, "ENTITIES")
    for upper in (False, True):
        first = 201 if upper else 101
        corridor_side(HIGH if upper else LOW,
                      [room(first + i, i * (ROOM + PARTITION), upper) for i in range(ROOMS)])
    for y in (-OUTER, WIDTH + OUTER):
        line("A-WALL", -OUTER, y, LENGTH + OUTER, y)
    corridor_end(0, -OUTER, -1)
    corridor_end(LENGTH, LENGTH + OUTER, 1)
    text(LENGTH / 2, (LOW + HIGH) / 2, 250, "Corridor")
    pair(0, "LINE", 8, "A-ANNO-DIMS", 10, 0, 20, -1200, 11, LENGTH, 21, -1200)
    pair(0, "ENDSEC", 0, "EOF")


draw()
folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
(folder / "office_plan.dxf").write_text("".join(out))

// `cellular`: looks whether the cells of a grid ahead are taken, and makes for a free one beside if they are (Parsons 2010, 5.2.2, "grid method").
//
// Cells have the size of a body (`cell`, 0.5 m) and lie in rows along the axes of the world. Somebody takes those in whose middle
// a body would overlap its own by more than a fifth (`body` 0.8): one where it stands in the middle, up to four where cells meet.
// (Parsons's people take the one their centre is in, and near its border pass through each other; with whole bodies crowds that meet
// stand for ever.)
// If any of the four cells ahead, in steps of a cell along the preferred direction, is taken, the person walks to the centre of the
// first free cell of the eight around its own: the two beside the one ahead, the two beside the person, the three behind.
//
// Laws, beside those of Avoider
// 1. The speed is the preferred one, but for walls (VelocityBounds) and half planes from outside; where all cells around are taken, 0.
// 2. Of two cells as good the one to the right is first.
// 3. A cell is free if nobody takes it and the body can go straight to its centre. Ahead, walls do not count: the follower
//    looked there, and people could not come near a goal at a wall.
// 4. Whoever shares one's own cell does not count: cells are coarse, contact parts people.
// 5. Half planes from outside bend the preferred velocity, and of the free cells the first that lies within them is made for, else the
//    first.
// 6. With `body` 0 people take the cell their centre is in, as published.
// Parsons turns at once, so `relaxation` is 0. Complexity: O(neighbours), and a look at the mesh for each cell that is considered.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& cellular();

}  // namespace throng::steering

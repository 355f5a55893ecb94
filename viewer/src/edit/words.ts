// What the editor's page says of its tools, kinds and keys.
import type {ToolName} from './tools';

export const toolKeys: Record<string, ToolName> = {s: 'select', f: 'walkable', w: 'wall', o: 'obstacle', d: 'opening', a: 'area', r: 'region', i: 'stair', c: 'connection', l: 'line'};
export const toolHelp: Partial<Record<ToolName, string>> = {
  select: 'Click to select, drag to move, double-click a side for another corner or a corner to remove it.',
  walkable: 'Where people can walk. Without any, the box of what is drawn is walkable.', wall: 'Click corner after corner; Enter or a double click ends it.',
  obstacle: 'Something solid.', opening: 'Two clicks along a wall, or a rectangle over it: it cuts what was drawn before.', area: 'Where people start, go to or are counted.',
  region: 'Ground of a type; profiles say how much people like it.', stair: 'From the middle of its lower end to the middle of its upper end.',
  connection: 'Along the edge where both storeys meet.', line: 'Two clicks; the arrow shows which way counts forwards.', scale: 'Click two points of the picture whose distance you know.', pick: 'Click an area in the plan. Esc cancels.',
};
export const kindNames: Record<string, string> = {walkable: 'floor', obstacle: 'walls, obstacles', opening: 'doors', area: 'areas', region: 'regions', connection: 'connections', line: 'count lines'};
export const shortcuts: [string, string][] = [['S F W O D', 'select, floor, wall, obstacle, door'], ['A R I C L', 'area, region, stair, connection, count line'], ['type a number', 'length of the side being drawn; 4 x 3 for a rectangle'],
  ['Enter', 'end the shape'], ['Backspace', 'take back its last corner'], ['Alt', 'do not snap'], ['Ctrl Z, Ctrl Y', 'undo, redo'], ['Ctrl C, X, V, D', 'copy, cut, paste, double'], ['Del', 'delete'], ['[ ]', 'turn by 15°'], ['arrows, space', 'move what is selected, or the plan; of a tool: move the pointer by the grid (Shift: ten times), click'],
  ['Tab', 'the next thing on the plan, when it has the focus'], ['PgUp, PgDn', 'storey up, down'], ['+ − 0', 'zoom, fit'], ['space + drag, wheel', 'move the plan, zoom'], ['Ctrl Enter', 'run live'], ['Ctrl S', 'save'], ['T', 'light or dark'], ['?', 'these keys']];

import { beforeEach, describe, expect, it } from 'vitest';
import { createEdits, type Edits } from './edits.ts';

const picture = { width: 1000, height: 600 };
let edits: Edits;
beforeEach(() => {
  edits = createEdits(picture);
});

/** Drags a pointer. */
function draw(x1: number, y1: number, x2: number, y2: number, index = -1) {
  edits.press({ x: x1, y: y1 }, index, 'all');
  edits.pull({ x: x2, y: y2 });
  edits.release(4);
}
const drawn = () => edits.shapes.value.map(({ tool, from, to }) => [tool, from.x, from.y, to.x, to.y]);

describe('a pointer', () => {
  it('draws a shape of the chosen tool', () => {
    draw(10, 10, 110, 60);
    edits.choose('arrow');
    draw(300, 300, 200, 200);
    expect(drawn()).toEqual([
      ['hide', 10, 10, 110, 60],
      ['arrow', 300, 300, 200, 200],
    ]);
  });

  it('that only presses, or draws a line without width, draws nothing and leaves nothing to undo', () => {
    draw(10, 10, 11, 11);
    draw(10, 10, 300, 12);
    edits.choose('crop');
    draw(500, 10, 500, 300);
    expect(drawn()).toEqual([]);
    expect(edits.canUndo.value).toBe(false);
  });

  it('draws an arrow that is level', () => {
    edits.choose('arrow');
    draw(10, 10, 300, 10);
    expect(drawn()).toEqual([['arrow', 10, 10, 300, 10]]);
  });

  it('moves what it was pressed on', () => {
    draw(10, 10, 110, 60);
    draw(50, 50, 70, 40, 0);
    expect(drawn()).toEqual([['hide', 30, 0, 130, 50]]);
  });

  it('whose gesture the browser ends changes nothing', () => {
    draw(10, 10, 110, 60);
    edits.press({ x: 50, y: 50 }, 0, 'all');
    edits.pull({ x: 90, y: 90 });
    edits.release(Infinity);
    expect(drawn()).toEqual([['hide', 10, 10, 110, 60]]);
  });
});

describe('a crop', () => {
  it('holds at once, without a confirmation', () => {
    edits.choose('crop');
    draw(100, 100, 500, 400);
    expect(edits.kept.value).toEqual({ x: 100, y: 100, width: 400, height: 300 });
  });

  it('shows all of the picture while it is chosen, and what it keeps for the other tools', () => {
    edits.choose('crop');
    draw(100, 100, 500, 400);
    expect(edits.view.value).toEqual({ x: 0, y: 0, width: 1000, height: 600 });
    edits.choose('hide');
    expect(edits.view.value).toEqual({ x: 100, y: 100, width: 400, height: 300 });
  });

  it('replaces the last one', () => {
    edits.choose('crop');
    draw(100, 100, 500, 400);
    draw(0, 0, 50, 50);
    expect(drawn()).toEqual([['crop', 0, 0, 50, 50]]);
    edits.undo();
    expect(drawn()).toEqual([['crop', 100, 100, 500, 400]]);
  });

  it('that has moved what is hidden on screen leaves it where it is in the picture', () => {
    draw(10, 10, 110, 60);
    edits.choose('crop');
    draw(50, 0, 500, 400);
    expect(drawn()[0]).toEqual(['hide', 10, 10, 110, 60]);
  });
});

describe('keys', () => {
  it('add a shape in the middle, move it and resize it, which one step back undoes', () => {
    edits.addMiddle();
    edits.nudge(0, 'all', 10, 0);
    edits.nudge(0, 'all', 10, 0);
    edits.nudge(0, ['to', 'to'], 0, 30);
    expect(drawn()).toEqual([['hide', 370, 210, 670, 420]]);
    edits.undo();
    expect(drawn()).toEqual([['hide', 350, 210, 650, 390]]);
    edits.undo();
    expect(drawn()).toEqual([]);
    expect(edits.canUndo.value).toBe(false);
  });

  it('select the crop that is there', () => {
    edits.choose('crop');
    edits.addMiddle();
    edits.choose('hide');
    edits.choose('crop');
    edits.addMiddle();
    expect(drawn()).toHaveLength(1);
    expect(edits.selected.value).toBe(0);
  });

  it('remove a shape, which comes back by a step back', () => {
    edits.addMiddle();
    edits.addMiddle();
    edits.remove(0);
    expect(drawn()).toHaveLength(1);
    edits.undo();
    expect(drawn()).toHaveLength(2);
  });
});

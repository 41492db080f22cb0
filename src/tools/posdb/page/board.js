// Draws a board and tells which square was chosen by mouse, touch or keyboard. It follows the
// pattern "grid" of the ARIA Authoring Practices: one square is in the order of the Tab key.

import { boardOf, pieceNames, squareName } from './games.js';

export class Board {
  // `onChoice` is called with the number of a square.
  constructor(element, onChoice) {
    this.element = element;
    this.onChoice = onChoice;
    this.squares = new Map();
    this.focused = 0;
    element.addEventListener('click', (event) => {
      const square = event.target.closest('.square');
      if (!square) return;
      this.moveFocus(Number(square.dataset.number));
      this.onChoice(this.focused);
    });
    element.addEventListener('keydown', (event) => this.onKey(event));
  }

  // Makes the squares anew. `isTurned`: Black sits at the bottom.
  lay(game, isTurned) {
    this.game = game;
    this.rows = boardOf(game);
    if (isTurned) this.rows = this.rows.map((row) => [...row].reverse()).reverse();
    this.squares.clear();
    this.element.replaceChildren(...this.rows.map((row) => this.makeRow(row)));
    this.focused = this.squares.has(this.focused) ? this.focused : this.rows[7].find((n) => n > 0);
    this.squares.get(this.focused).tabIndex = 0;
  }

  makeRow(numbers) {
    const row = document.createElement('div');
    row.className = 'row';
    row.setAttribute('role', 'row');
    for (const number of numbers) {
      const square = document.createElement(number > 0 ? 'button' : 'div');
      square.className = number > 0 ? 'square' : 'light';
      if (number > 0) {
        square.type = 'button';
        square.tabIndex = -1;
        square.dataset.number = number;
        square.setAttribute('role', 'gridcell');
        this.squares.set(number, square);
      } else {
        square.setAttribute('role', 'presentation');
      }
      row.append(square);
    }
    return row;
  }

  // Shows the pieces. `marks` holds sets of numbers: moved, movable, chosen, target.
  show(pieces, marks) {
    for (const [number, square] of this.squares) {
      const name = squareName(this.game, number);
      const piece = pieces.get(number);
      const states = ['chosen', 'movable', 'target'].filter((mark) => marks[mark].has(number));
      const words = { chosen: 'chosen', movable: 'can move', target: 'can be moved to' };
      square.setAttribute('aria-label', [`${name}, ${pieceNames[piece]?.toLowerCase() ?? 'empty'}`,
        ...states.map((state) => words[state])].join(', '));
      square.setAttribute('aria-selected', String(marks.chosen.has(number)));
      for (const mark of ['chosen', 'moved', 'movable', 'target'])
        square.classList.toggle(mark, marks[mark].has(number));
      square.classList.toggle('occupied', piece !== undefined);
      const label = document.createElement('span');
      label.className = 'name';
      label.textContent = name;
      square.replaceChildren(label);
      if (piece) square.append(makePiece(piece));
    }
  }

  focus(number, options) {
    this.moveFocus(number);
    this.squares.get(number).focus(options);
  }

  moveFocus(number) {
    this.squares.get(this.focused).tabIndex = -1;
    this.focused = number;
    this.squares.get(number).tabIndex = 0;
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = this.neighbour(event.key);
    if (next === 0) return;
    event.preventDefault();
    this.focus(next);
  }

  // The square that a key leads to, 0 for none. Up and down go to the nearer of two squares, left
  // and right over a light one.
  neighbour(key) {
    const row = this.rows.findIndex((numbers) => numbers.includes(this.focused));
    const column = this.rows[row].indexOf(this.focused);
    const at = (r, c) => this.rows[r]?.[c] ?? 0;
    const dark = this.rows[row].filter((number) => number > 0);
    switch (key) {
      case 'ArrowLeft': return at(row, column - 2);
      case 'ArrowRight': return at(row, column + 2);
      case 'ArrowUp': return at(row - 1, column - 1 + 2 * (row % 2)) || at(row - 1, column + 1 - 2 * (row % 2));
      case 'ArrowDown': return at(row + 1, column - 1 + 2 * (row % 2)) || at(row + 1, column + 1 - 2 * (row % 2));
      case 'Home': return dark[0];
      case 'End': return dark[dark.length - 1];
      default: return 0;
    }
  }
}

function makePiece(piece) {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  const use = document.createElementNS(space, 'use');
  picture.setAttribute('class', piece[0] === 'w' ? 'white' : 'black');
  picture.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', piece[1] === 'k' ? '#king' : '#man');
  picture.append(use);
  return picture;
}

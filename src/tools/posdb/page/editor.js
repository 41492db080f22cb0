// Sets up a position by hand: a piece is chosen, then the squares to put it on.

import { pieceNames, squareName, startPosition } from './games.js';

const element = (id) => document.getElementById(id);
const chosenValue = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;

export class Editor {
  // `onChange` is called with words for what was done, when the position has become another.
  constructor(onChange) {
    this.onChange = onChange;
    this.position = null;
    for (const input of document.querySelectorAll('input[name="side"]'))
      input.addEventListener('change', () => this.set(this.position, ''));
  }

  get isOpen() {
    return this.position !== null;
  }

  open(position) {
    this.position = position;
    document.querySelector(`input[name="side"][value="${position.side}"]`).checked = true;
    this.show();
  }

  close() {
    this.position = null;
    this.show();
  }

  show() {
    element('edit').setAttribute('aria-pressed', String(this.isOpen));
    element('editor').hidden = !this.isOpen;
    element('move-form').hidden = this.isOpen;
  }

  // Puts the piece on a square, or takes it away again.
  put(game, square) {
    const { pieces } = this.position;
    const piece = chosenValue('piece');
    const isPut = piece !== 'none' && pieces.get(square) !== piece;
    if (isPut) pieces.set(square, piece);
    else pieces.delete(square);
    const name = squareName(game, square);
    this.onChange(isPut ? `${pieceNames[piece]} on ${name}.` : `${name} is empty.`);
  }

  clear() {
    this.set({ pieces: new Map() }, 'The board is empty.');
  }

  start(game) {
    this.set(startPosition(game), 'The start position.');
  }

  // The side to move stays the one that is chosen.
  set({ pieces }, words) {
    this.position = { side: chosenValue('side'), pieces };
    this.onChange(words);
  }
}

// The part beside the board: the moves of the position with what the database knows of them, the
// best line, and the moves of the game so far.

import { moveName } from './games.js';
import { rankText, scoreText } from './database.js';

const element = (id) => document.getElementById(id);

function makeButton(text, onPress) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', onPress);
  return button;
}

function makeCell(content, className = '') {
  const cell = document.createElement('td');
  cell.append(content);
  if (className) cell.className = className;
  return cell;
}

// Lists the moves; `onPlay` is called with the one that is pressed.
export function showMoves(game, moves, onPlay) {
  const body = element('moves').tBodies[0];
  const hadFocus = body.contains(document.activeElement);
  body.replaceChildren(...moves.map((move) => {
    const row = document.createElement('tr');
    const isKnown = typeof move.score === 'number';
    const button = makeButton(moveName(game, move.san), () => onPlay(move));
    button.dataset.move = move.uci;
    if (move.uci !== move.san) button.title = moveName(game, move.uci);
    row.append(
      makeCell(button),
      makeCell(isKnown ? scoreText(move.score) : '?'),
      makeCell(isKnown ? rankText(move.rank) : '', isKnown ? `rank${move.rank}` : ''),
      makeCell(isKnown && move.depth > 0 ? String(move.depth) : '–'),
      makeCell(String(move.note ?? '').replace(/^[!*?] */, ''), 'note'),
    );
    return row;
  }));
  element('moves').hidden = moves.length === 0;
  return hadFocus;
}

export function focusFirstMove() {
  const button = element('moves').querySelector('button');
  if (button) button.focus();
  return button !== null;
}

export function showLine(game, reply) {
  const moves = reply?.status === 'ok' ? reply.pvSAN ?? reply.pv ?? [] : [];
  const text = moves.map((move) => moveName(game, move)).join(' ');
  element('line').textContent = moves.length === 0 ? 'None is known.'
    : `${text} (${scoreText(reply.score)})`;
}

// Lists the moves that led to the positions after the first; `onChoice` is called with an index.
export function showGame(game, entries, at, onChoice) {
  const items = entries.slice(1).map((entry, index) => {
    const item = document.createElement('li');
    const button = makeButton(moveName(game, entry.name), () => onChoice(index + 1));
    if (index + 1 === at) button.setAttribute('aria-current', 'true');
    item.append(button);
    return item;
  });
  const list = element('game-moves');
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...items);
  if (hadFocus) list.querySelector('[aria-current]')?.focus();
}

export function say(text) {
  element('state').textContent = text;
}

export function warn(text) {
  element('alert').textContent = text;
}

// The part beside the board: the moves of the position with what the database knows of them, the
// best line, and the moves of the game so far.

import { moveName } from './games.js';
import {
  isKnown, noteText, rankText, scoreText, shownRank,
} from './words.js';

const element = (id) => document.getElementById(id);

// A button that does nothing keeps the focus, unlike one that is disabled.
export function allow(button, isAllowed) {
  button.setAttribute('aria-disabled', String(!isAllowed));
}

export function isAllowed(button) {
  return button.getAttribute('aria-disabled') !== 'true';
}

export function onPress(button, action) {
  button.addEventListener('click', () => {
    if (isAllowed(button)) action();
  });
}

function makeButton(text, action) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  onPress(button, action);
  return button;
}

function makeCell(content, className = '') {
  const cell = document.createElement('td');
  cell.append(content);
  if (className) cell.className = className;
  return cell;
}

// --- the moves

const rows = () => element('moves').tBodies[0];

// The moves of the position before stay in sight until those of this one are known, but play nothing.
export function holdMoves() {
  element('moves-box').setAttribute('aria-busy', 'true');
  for (const button of rows().querySelectorAll('button')) allow(button, false);
}

// Takes the moves away. Tells whether the focus was there.
export function emptyMoves() {
  const hadFocus = rows().contains(document.activeElement);
  rows().replaceChildren();
  showTable();
  return hadFocus;
}

// Lists the moves; `onPlay` is called with the one that is pressed. A focus stays on its move, and
// goes to the best move of another position. Tells whether it was lost.
export function showMoves(game, moves, onPlay) {
  const focused = rows().contains(document.activeElement) ? document.activeElement.dataset.move : '';
  const isSame = element('moves-box').getAttribute('aria-busy') !== 'true';
  const hadFocus = emptyMoves();
  rows().replaceChildren(...moves.map((move) => makeMoveRow(game, move, moves, onPlay)));
  element('moves-box').setAttribute('aria-busy', 'false');
  showTable();
  return hadFocus && !focusMove(isSame ? focused : '');
}

function makeMoveRow(game, move, moves, onPlay) {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  const button = makeButton(moveName(game, move.san), () => onPlay(move));
  button.dataset.move = move.uci;
  if (move.uci !== move.san) button.title = moveName(game, move.uci);
  head.scope = 'row';
  head.append(button);
  const known = isKnown(move);
  const rank = known ? shownRank(move, moves) : null;
  row.append(
    head,
    makeCell(scoreText(move.score), 'score'),
    makeCell(known ? rankText(rank) : '', known ? `rank${rank}` : ''),
    makeCell(known && move.depth > 0 ? String(move.depth) : '–'),
    makeCell(noteText(String(move.note ?? '')), 'note'),
  );
  return row;
}

// Keys can move a table sideways that is wider than its place.
export function showTable() {
  const box = element('moves-box');
  element('moves').hidden = rows().rows.length === 0;
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

// Gives the focus to a move, or to the first one. Tells whether there is one.
export function focusMove(name = '') {
  const buttons = [...rows().querySelectorAll('button')];
  const button = buttons.find((one) => one.dataset.move === name) ?? buttons[0];
  button?.focus();
  return button !== undefined;
}

// --- the best line

export function showLine(game, reply) {
  const moves = reply.status === 'ok' ? reply.pvSAN ?? reply.pv ?? [] : [];
  const text = moves.map((move) => moveName(game, move)).join(' ');
  showLineText(moves.length === 0 ? 'None is known.' : `${text} (${scoreText(reply.score)})`);
}

export function showLineText(text) {
  element('line').textContent = text;
}

// --- the game

// Lists the moves that led to the positions after the first, numbered as in a record of a game: the side
// that moves first and the other one under one number. `onChoice` is called with an index. Tells
// whether the focus was lost.
export function showGame(game, entries, at, onChoice) {
  const list = element('game-moves');
  const hadFocus = list.contains(document.activeElement);
  // Where the second side begins, its first move has the number to itself.
  const shift = entries[0].fen[0] === game.first ? 0 : 1;
  list.replaceChildren();
  entries.slice(1).forEach((entry, index) => {
    const ply = index + shift;
    if (ply % 2 === 0 || index === 0) {
      const item = document.createElement('li');
      item.append(`${Math.floor(ply / 2) + 1}.${ply % 2 === 0 ? '' : '..'} `);
      list.append(item);
    }
    const button = makeButton(moveName(game, entry.name), () => onChoice(index + 1));
    if (index + 1 === at) button.setAttribute('aria-current', 'true');
    list.lastChild.append(button);
  });
  if (!hadFocus) return false;
  const button = list.querySelector('[aria-current]') ?? list.querySelector('button');
  button?.focus();
  return button === null;
}

// --- texts

// What is so of the position.
export function say(text) {
  element('state').textContent = text;
}

// What has become of something that the user did.
export function announce(text) {
  element('news').textContent = text;
}

export function warn(text) {
  element('alert').textContent = text;
}

// Lets the user ask anew what the database knows of the position.
export function offerAgain(isOffered) {
  element('again').hidden = !isOffered;
}

export function isAgainOffered() {
  return !element('again').hidden;
}

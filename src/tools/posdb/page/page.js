// The page of the position database: a board to walk on, and what the database knows of where one is.

import { Board } from './board.js';
import { ask, scoreText, statusText } from './database.js';
import {
  games, moveName, readFen, squareName, squaresOf, startPosition, writeFen,
} from './games.js';
import {
  focusFirstMove, say, showGame, showLine, showMoves, warn,
} from './panel.js';

const lookAgainAfter = 3000;    // milliseconds, for a position that was queued
const lookAgainTimes = 40;
const sideNames = { W: 'White', B: 'Black' };
const element = (id) => document.getElementById(id);

const state = {
  variant: 'english',
  isTurned: false,
  entries: [],      // the positions of the game: fen, and the name and squares of the move to it
  at: 0,            // the one that is shown
  moves: [],        // its moves, as the database lists them
  squares: [],      // the squares of a move that have been chosen
  editing: null,    // the position that is set up
  question: null,   // ends the questions about the position
  timer: 0,
};
const board = new Board(element('board'), (square) => (state.editing ? put(square) : choose(square)));

const game = () => games[state.variant];
const entry = () => state.entries[state.at];
const position = () => state.editing ?? readFen(game(), entry().fen);

// --- the board

// Every path of every move: a capture may be made on several.
function paths() {
  return state.moves.flatMap((move) => [...new Set([move.uci, ...(move.captures ?? [])])]
    .map((text) => ({ move, squares: squaresOf(game(), text) })));
}

function pathsFrom(squares) {
  return paths().filter((path) => squares.every((square, index) => path.squares[index] === square));
}

function show() {
  const next = pathsFrom(state.squares);
  const depth = state.squares.length;
  board.show(position().pieces, {
    chosen: new Set(state.squares),
    moved: new Set(state.editing || depth > 0 ? [] : entry().squares),
    movable: new Set(depth === 0 && !state.editing ? next.map((path) => path.squares[0]) : []),
    target: new Set(depth > 0 ? next.map((path) => path.squares[depth]) : []),
  });
}

// One more square of a move: where it begins, the next landing, or at once the last one.
function choose(square) {
  if (state.squares.includes(square) && !pathsFrom([...state.squares, square]).length) {
    state.squares = [];
    show();
    return;
  }
  const depth = state.squares.length;
  const ends = depth === 0 ? [] : pathsFrom(state.squares).filter((path) => path.squares.at(-1) === square);
  const exact = ends.filter((path) => path.squares.length === depth + 1);
  const chosen = exact.length > 0 ? exact : ends;
  if (chosen.length > 0 && chosen.every((path) => path.move === chosen[0].move)) {
    play(chosen[0].move);
    return;
  }
  const squares = [...state.squares, square];
  if (pathsFrom(squares).length > 0) state.squares = squares;
  else state.squares = pathsFrom([square]).length > 0 ? [square] : [];
  show();
  if (state.squares.length === 0) say(`No move begins on ${squareName(game(), square)}.`);
}

// --- the game

function play(move) {
  const mover = sideNames[readFen(game(), entry().fen).side];
  state.entries = [...state.entries.slice(0, state.at + 1), {
    fen: move.fen,
    name: move.san,
    squares: squaresOf(game(), move.uci),
  }];
  goTo(state.at + 1, `${mover} played ${moveName(game(), move.san)}. `);
}

function goTo(index, news = '') {
  state.at = Math.min(Math.max(index, 0), state.entries.length - 1);
  load(news);
}

function begin(fen) {
  state.entries = [{ fen, name: '', squares: [] }];
  state.at = 0;
  load('');
}

// --- the database

// Shows the position and asks what is known of it.
function load(news) {
  state.question?.abort();
  state.question = new AbortController();
  clearTimeout(state.timer);
  state.editing = null;
  showEditor();
  state.moves = [];
  state.squares = [];
  const hadFocus = showMoves(game(), [], play);
  showLine(game(), null);
  showGame(game(), state.entries, state.at, goTo);
  element('back').disabled = element('first').disabled = state.at === 0;
  element('forth').disabled = state.at + 1 === state.entries.length;
  element('fen').value = entry().fen;
  const address = new URLSearchParams({ game: state.variant, fen: entry().fen });
  history.replaceState(null, '', `#${address}`);
  warn('');
  say('');
  show();
  look(news, hadFocus, state.question.signal);
}

async function look(news, wantsFocus, signal) {
  const asked = { board: entry().fen, variant: state.variant };
  try {
    const [all, line] = await Promise.all([
      ask({ ...asked, action: 'queryall', showall: '1' }, signal),
      ask({ ...asked, action: 'querypv' }, signal),
    ]);
    if (signal.aborted) return;
    state.moves = all.moves ?? [];
    describe(all, news);
    showMoves(game(), state.moves, play);
    showLine(game(), line);
    show();
    if (wantsFocus && !focusFirstMove()) board.focus(board.focused);
  } catch (error) {
    if (signal.aborted) return;
    warn(error.message);
    say(`${news}The moves are not known.`);
  }
}

function describe(reply, news) {
  const side = sideNames[position().side];
  const problem = statusText(reply, side);
  const best = state.moves.find((move) => typeof move.score === 'number');
  const parts = [];
  if (reply.status !== 'checkmate' && reply.status !== 'invalid board') parts.push(`${side} to move.`);
  if (problem) parts.push(problem);
  if (best) parts.push(`Best: ${moveName(game(), best.san)}, ${scoreText(best.score)}.`);
  say(news + parts.join(' '));
}

async function queue() {
  const { signal } = state.question;
  try {
    const reply = await ask({ action: 'queue', board: entry().fen, variant: state.variant }, signal);
    if (signal.aborted) return;
    // A position that needs no queue is answered with nothing.
    if (reply.status === undefined) say('There is nothing to work out here.');
    else if (reply.status !== 'ok') warn(statusText(reply, sideNames[position().side]));
    else {
      say('Queued. The moves appear here when they have been worked out.');
      lookAgain(lookAgainTimes, signal);
    }
  } catch (error) {
    if (!signal.aborted) warn(error.message);
  }
}

// Looks for news of a queued position until every move has a score.
function lookAgain(times, signal) {
  if (times === 0) return;
  state.timer = setTimeout(async () => {
    if (document.visibilityState === 'visible' && !state.editing && state.squares.length === 0) {
      const before = JSON.stringify(state.moves);
      const asked = { action: 'queryall', showall: '1', board: entry().fen, variant: state.variant };
      const reply = await ask(asked, signal).catch(() => null);
      if (signal.aborted) return;
      if (reply?.moves && JSON.stringify(reply.moves) !== before) look('', false, signal);
      if (reply?.moves?.every((move) => typeof move.score === 'number')) return;
    }
    lookAgain(times - 1, signal);
  }, lookAgainAfter);
}

// --- setting up

const chosenValue = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;

function openEditor() {
  state.editing = readFen(game(), entry().fen);
  state.squares = [];
  document.querySelector(`input[name="side"][value="${state.editing.side}"]`).checked = true;
  showEditor();
  show();
}

// The position that was set up is the first of a new game, unless nothing was changed.
function closeEditor() {
  const fen = writeFen(state.editing);
  if (fen === writeFen(readFen(game(), entry().fen))) load('');
  else begin(fen);
}

function showEditor() {
  const isOn = state.editing !== null;
  element('edit').setAttribute('aria-pressed', String(isOn));
  element('editor').hidden = !isOn;
  element('move-form').hidden = isOn;
}

function put(square) {
  const piece = chosenValue('piece');
  if (piece === 'none' || state.editing.pieces.get(square) === piece) state.editing.pieces.delete(square);
  else state.editing.pieces.set(square, piece);
  showEdited();
}

function showEdited() {
  element('fen').value = writeFen(state.editing);
  show();
}

function setUp(edited) {
  state.editing = { ...edited, side: chosenValue('side') };
  showEdited();
}

// --- the controls

function setGame(variant, fen) {
  state.variant = variant;
  element('game').value = variant;
  board.lay(game(), state.isTurned);
  begin(fen || writeFen(startPosition(game())));
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, select')) return;
  const actions = {
    b: () => goTo(state.at - 1),
    n: () => goTo(state.at + 1),
    Escape: () => { state.squares = []; show(); },
  };
  if (state.editing || !actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

function playText(event) {
  event.preventDefault();
  const input = element('move-text');
  const text = squaresOf(game(), input.value).join();
  const isText = (move) => [move.uci, move.san, ...(move.captures ?? [])]
    .some((name) => squaresOf(game(), name).join() === text);
  const move = text && state.moves.find(isText);
  warn(move ? '' : `'${input.value}' is no move here.`);
  if (!move) return;
  input.value = '';
  play(move);
}

async function copyFen() {
  const input = element('fen');
  input.select();
  // The clipboard is for secure pages only, such as those of this machine.
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(input.value).then(() => true, () => false)
    : document.execCommand('copy');
  say(isCopied ? 'The FEN is copied.' : 'The FEN is selected; copy it with Ctrl+C.');
}

function connect() {
  const actions = {
    first: () => goTo(0),
    back: () => goTo(state.at - 1),
    forth: () => goTo(state.at + 1),
    turn: () => { state.isTurned = !state.isTurned; board.lay(game(), state.isTurned); show(); },
    edit: () => (state.editing ? closeEditor() : openEditor()),
    done: () => { closeEditor(); element('edit').focus(); },
    clear: () => setUp({ pieces: new Map() }),
    start: () => setUp(startPosition(game())),
    queue,
    copy: copyFen,
  };
  for (const [id, action] of Object.entries(actions)) element(id).addEventListener('click', action);
  for (const input of document.querySelectorAll('input[name="side"]'))
    input.addEventListener('change', () => setUp(state.editing));
  element('game').append(...Object.entries(games).map(([key, { name }]) => new Option(name, key)));
  element('game').addEventListener('change', (event) => setGame(event.target.value));
  element('move-form').addEventListener('submit', playText);
  element('fen-form').addEventListener('submit', (event) => {
    event.preventDefault();
    setGame(state.variant, element('fen').value.trim());
  });
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', readAddress);
}

function readAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  const variant = address.get('game');
  setGame(Object.hasOwn(games, variant ?? '') ? variant : 'english', address.get('fen'));
}

connect();
readAddress();

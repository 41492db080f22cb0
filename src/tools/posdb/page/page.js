// The page of the position database: a board to walk on, and what the database knows of where one is.

import { Board } from './board.js';
import { chooseSquare, pathsFrom, pathsOf, targetsOf } from './choice.js';
import { NoAnswer, ask, askPatiently } from './database.js';
import { Editor } from './editor.js';
import {
  games, isOwnForm, moveName, moveToBoard, readFen, sideNames, squareName, squaresOf, startPosition, writeFen,
} from './games.js';
import { keptForm, keptGame } from './kept_game.js';
import {
  allow, announce, emptyMoves, focusMove, holdMoves, isAgainOffered, offerAgain, onPress, say, showGame, showLine,
  showLineText, showMoves, showTable, warn,
} from './panel.js';
import { Watch } from './watch.js';
import {
  isKnown, mustCapture, stateText, statusText,
} from './words.js';

const looksAfterQueue = 40;
const looksUnasked = 10;      // the server works out by itself what one steps into
const oldMovesLast = 500;     // milliseconds, after which the moves of the position before are taken away
const element = (id) => document.getElementById(id);

const state = {
  variant: 'english',
  isTurned: false,
  entries: [],         // the positions of the game: fen, and the name and squares of the move to it
  at: 0,               // the one that is shown
  moves: [],           // its moves, as the database lists them
  isAnswered: false,   // whether the database has said what it knows of it
  squares: [],         // the squares of a move that have been chosen
  question: new AbortController(),    // ends the questions about the position
  reading: new AbortController(),     // ends the question what a text means
  timer: 0,
  wantsMoves: false,   // the focus goes to the moves when they come
};
const board = new Board(element('board'), (square) => (editor.isOpen ? editor.put(game(), square) : choose(square)));
const editor = new Editor(showEdited);
const watch = new Watch(lookAgain);

const game = () => games[state.variant];
const startFen = (variant) => writeFen(startPosition(games[variant]));
const entry = () => state.entries[state.at];
const position = () => editor.position ?? readFen(game(), entry().fen);
const paths = () => pathsOf(game(), state.moves);

// --- the board

function show() {
  const possible = pathsFrom(paths(), state.squares);
  const isWhole = state.squares.length === 0 && !editor.isOpen;
  board.show(position().pieces, {
    chosen: new Set(state.squares),
    moved: new Set(isWhole ? entry().squares : []),
    movable: new Set(isWhole ? possible.map((path) => path.squares[0]) : []),
    target: state.squares.length > 0 ? targetsOf(paths(), state.squares) : new Set(),
  });
}

function choose(square) {
  if (!state.isAnswered) {
    announce('The moves are not known yet.');
    return;
  }
  const choice = chooseSquare(paths(), state.squares, square);
  if (choice.move) {
    play(choice.move);
    return;
  }
  const isLetGo = state.squares.includes(square);
  state.squares = choice.squares;
  show();
  if (choice.isAmbiguous) announce('There are several ways to go there: choose the squares in between.');
  else announce(state.squares.length > 0 || isLetGo ? '' : noMoveText(square));
}

function noMoveText(square) {
  const { side, pieces } = position();
  const isOwn = pieces.get(square)?.[0] === side.toLowerCase();
  const reason = isOwn && mustCapture(state.moves) ? ' A capture must be made.' : '';
  return `No move begins on ${squareName(game(), square)}.${reason}`;
}

function letGo() {
  if (state.squares.length === 0) return;
  state.squares = [];
  announce('');
  show();
}

// --- the game

// A move that was played here before leads on in the same game.
function play(move) {
  const mover = sideNames[position().side];
  if (state.entries[state.at + 1]?.fen !== move.fen) {
    state.entries = [...state.entries.slice(0, state.at + 1), {
      fen: move.fen,
      name: move.san,
      squares: squaresOf(game(), move.uci),
    }];
  }
  goTo(state.at + 1, `${mover} played ${moveName(game(), move.san)}. `);
}

function goTo(index, news = '') {
  if (editor.isOpen || index === state.at || !state.entries[index]) return;
  state.at = index;
  load(news);
}

// Shows a game at one of its positions.
function enterGame(variant, entries, at) {
  takeGame(variant, entries, at);
  load('');
}

// Makes it the game of the page. What is to be seen of it comes from load() or from the editor.
function takeGame(variant, entries, at) {
  Object.assign(state, { variant, entries, at, isAnswered: false });
  element('game').value = variant;
  if (board.game === game()) return;
  const isFocused = element('board').contains(document.activeElement);
  board.lay(game(), state.isTurned);
  if (isFocused) board.focus(board.focused);
}

const gameFrom = (fen) => [{ fen, name: '', squares: [] }];

// Begins another game.
function begin(variant, fen) {
  leaveGame();
  enterGame(variant, gameFrom(fen), 0);
}

// The browser's Back leads to the game that is left, unless that was a mere start position.
function leaveGame() {
  const isStart = state.entries.length === 1 && entry().fen === startFen(state.variant);
  if (!isStart) leaveInHistory();
}

// A position that is put onto the page is the first of a new game, unless it is the one that is there.
function takePosition(fen, present) {
  if (fen === present) load('');
  else begin(state.variant, fen);
}

// --- the database

function stopAsking() {
  state.question.abort();
  state.reading.abort();
  clearTimeout(state.timer);
  watch.stop();
}

// Shows the position and asks what is known of it.
function load(news) {
  stopAsking();
  state.question = new AbortController();
  state.timer = setTimeout(takeMovesAway, oldMovesLast);
  state.moves = [];
  state.isAnswered = false;
  state.squares = [];
  state.wantsMoves = false;
  editor.close();
  holdMoves();
  showLineText('…');
  if (showGame(game(), state.entries, state.at, goTo)) board.focus(board.focused);
  showPlace();
  showControls();
  if (document.activeElement === element('again')) lendFocus();
  offerAgain(false);
  warn('');
  announce('');
  say('');
  show();
  look(news, state.question.signal);
}

function takeMovesAway() {
  if (emptyMoves()) lendFocus();
}

// Gives the focus to the board until there are moves, where the element that had it is no more.
function lendFocus() {
  board.focus(board.focused, { preventScroll: true });
  state.wantsMoves = true;
}

const hasLentFocus = () => state.wantsMoves && board.element.contains(document.activeElement);

// Writes where one is: into the field, the address, and the browser's history.
function showPlace() {
  element('fen').value = entry().fen;
  const address = new URLSearchParams({ game: state.variant, fen: entry().fen });
  changeHistory(() => history.replaceState(keptForm(state), '', `#${address}`));
}

// The place of the game in the history stays as it is, and another place is the present one.
function leaveInHistory() {
  changeHistory(() => history.pushState({}, ''));
}

function changeHistory(change) {
  try {
    change();
  } catch {
    // Some browsers refuse to do it often.
  }
}

function showControls() {
  const isFree = !editor.isOpen;
  allow(element('first'), isFree && state.at > 0);
  allow(element('back'), isFree && state.at > 0);
  allow(element('forward'), isFree && state.at + 1 < state.entries.length);
  allow(element('queue'), isFree);
  // A position in a form that only the server reads is not known before it has answered.
  allow(element('edit'), state.isAnswered || isOwnForm(game(), entry().fen));
  element('game-moves').inert = !isFree;
}

const question = (action) => ({ action, board: entry().fen, variant: state.variant });

async function look(news, signal) {
  const onWait = () => say(`${news}Too many questions at once. The page asks again in a moment.`);
  try {
    const all = await askPatiently({ ...question('queryall'), showall: '1' }, signal, onWait);
    if (signal.aborted) return;
    showReply(all, news);
  } catch (error) {
    if (signal.aborted) return;
    clearTimeout(state.timer);
    state.moves = [];
    state.isAnswered = false;
    takeMovesAway();
    showMoves(game(), [], play);
    showLineText('');
    offerAgain(true);
    complain(error);
    if (hasLentFocus()) element('again').focus();
    say(`${news}The moves are not known.`);
    return;
  }
  lookForLine(signal);
}

async function lookForLine(signal) {
  try {
    const line = await askPatiently(question('querypv'), signal, () => {});
    if (!signal.aborted) showLine(game(), line);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof NoAnswer)) console.error(error);
    showLineText('The database did not say.');
  }
}

function showReply(reply, news) {
  clearTimeout(state.timer);
  if (reply.fen && reply.fen !== entry().fen) {
    entry().fen = reply.fen;
    showPlace();
  }
  state.moves = reply.moves ?? [];
  state.isAnswered = true;
  // An answer may come although an earlier question has failed.
  if (isAgainOffered()) {
    if (document.activeElement === element('again')) lendFocus();
    offerAgain(false);
    warn('');
  }
  say(news + stateText(reply, game(), entry().fen));
  if (showMoves(game(), state.moves, play)) board.focus(board.focused);
  if (hasLentFocus()) focusMove();
  state.wantsMoves = false;
  showControls();
  show();
  if (!state.moves.every(isKnown) && !watch.isOn) watch.start(looksUnasked, () => {});
}

// Shows what is new of the position. Tells whether every move has a score.
async function lookAgain() {
  const { signal } = state.question;
  const reply = await ask({ ...question('queryall'), showall: '1' }, signal).catch(() => null);
  if (signal.aborted || !reply?.moves) return false;
  if (JSON.stringify(reply.moves) !== JSON.stringify(state.moves)) {
    showReply(reply, '');
    lookForLine(signal);
  }
  return state.moves.every(isKnown);
}

// The position is queued also when one goes on at once; what has become of it is then not shown.
async function queue() {
  const { signal } = state.question;
  warn('');
  announce('');
  try {
    const reply = await ask(question('queue'), new AbortController().signal);
    if (!signal.aborted) showQueued(reply);
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
}

function showQueued(reply) {
  // A database that answers can be asked for the moves too.
  if (isAgainOffered()) load('');
  // A position that needs no queue is answered with nothing.
  if (reply.status === undefined) announce('There is nothing to work out here.');
  else if (reply.status !== 'ok') warn(statusText(reply, game(), entry().fen));
  else waitForQueue();
}

function waitForQueue() {
  if (state.isAnswered && state.moves.every(isKnown)) {
    announce('Queued: what its good moves lead to.');
    return;
  }
  announce('Queued. The moves appear here when they have been worked out.');
  const tellEnd = (isDone) => announce(isDone ? 'The moves have been worked out.' : 'Not worked out yet.');
  watch.start(looksAfterQueue, tellEnd);
}

// What the database did not do is for the user; any other error is one of the page.
function complain(error) {
  const isAnswerMissing = error instanceof NoAnswer;
  if (!isAnswerMissing) console.error(error);
  warn(isAnswerMissing ? error.message : 'Something went wrong on this page.');
}

// --- a position as a text

// Begins a game with the position of a text. One that means no position leaves the game as it is.
async function takeText(text) {
  state.reading.abort();
  state.reading = new AbortController();
  const { signal } = state.reading;
  const onWait = () => announce('Too many questions at once. The page asks again in a moment.');
  warn('');
  announce('');
  if (state.isAnswered) holdMoves();
  try {
    const reply = await askPatiently({ ...question('queryall'), board: text }, signal, onWait);
    if (signal.aborted) return;
    if (reply.status !== 'invalid board') {
      takePosition(reply.fen ?? text, entry().fen);
      return;
    }
    warn(statusText(reply, game(), text));
  } catch (error) {
    if (signal.aborted) return;
    complain(error);
  }
  if (state.isAnswered) showMoves(game(), state.moves, play);
}

// --- setting up

function openEditor(start) {
  stopAsking();
  state.moves = [];
  state.squares = [];
  editor.open(start);
  showMoves(game(), [], play);
  showLineText('');
  showControls();
  offerAgain(false);
  warn('');
  announce('');
  say('A position is being set up.');
  show();
}

function takeEdited() {
  takePosition(writeFen(editor.position), writeFen(readFen(game(), entry().fen)));
}

function showEdited(words) {
  element('fen').value = writeFen(editor.position);
  warn('');
  announce(words);
  show();
}

// Begins another game. What is being set up stays on the board, and goes on being set up.
function changeGame(variant) {
  if (!editor.isOpen) {
    begin(variant, startFen(variant));
    return;
  }
  const edited = moveToBoard(game(), games[variant], editor.position);
  leaveGame();
  takeGame(variant, gameFrom(startFen(variant)), 0);
  showGame(game(), state.entries, state.at, goTo);
  showPlace();
  openEditor(edited);
  showEdited(`The pieces stay, now for ${game().name}.`);
}

function leaveEditor(finish) {
  finish();
  element('edit').focus();
}

// --- the controls

const isWriting = (target) => target.matches?.('select, input:not([type="radio"])');

function onKey(event) {
  // A key that is held down is pressed once.
  if (event.repeat && event.key === 'Enter') event.preventDefault();
  if (event.key !== 'Escape' || isWriting(event.target)) return;
  if (editor.isOpen) leaveEditor(() => load(''));
  else letGo();
}

// The letters are for the board and the buttons below it: elsewhere they may mean something else.
function onLetter(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const button = { b: 'back', n: 'forward' }[event.key.toLowerCase()];
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) element(button).click();
}

function playText(event) {
  event.preventDefault();
  if (!state.isAnswered) {
    announce('The moves are not known yet.');
    return;
  }
  const input = element('move-text');
  const text = squaresOf(game(), input.value).join();
  const isText = (move) => [move.uci, move.san, ...(move.captures ?? [])]
    .some((name) => squaresOf(game(), name).join() === text);
  const move = text && state.moves.find(isText);
  warn(move ? '' : noMoveOfText(input.value));
  if (!move) return;
  input.value = '';
  play(move);
}

function noMoveOfText(text) {
  const ends = (squares) => `${squares.at(0)},${squares.at(-1)}`;
  const typed = squaresOf(game(), text);
  const isMeant = (move) => ends(squaresOf(game(), move.uci)) === ends(typed);
  return typed.length === 2 && state.moves.filter(isMeant).length > 1
    ? 'There are several ways to go there: write the squares in between.'
    : `'${text}' is no move here.`;
}

async function copyFen() {
  const input = element('fen');
  input.select();
  // The clipboard is for secure pages only, such as those of this machine.
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(input.value).then(() => true, () => false)
    : document.execCommand('copy');
  announce(isCopied ? 'The FEN is copied.' : 'The FEN is selected; copy it with Ctrl+C.');
}

function connect() {
  const actions = {
    first: () => goTo(0),
    back: () => goTo(state.at - 1),
    forward: () => goTo(state.at + 1),
    turn: () => { state.isTurned = !state.isTurned; board.lay(game(), state.isTurned); show(); },
    edit: () => (editor.isOpen ? takeEdited() : openEditor(readFen(game(), entry().fen))),
    done: () => leaveEditor(takeEdited),
    cancel: () => leaveEditor(() => load('')),
    clear: () => editor.clear(),
    start: () => editor.start(game()),
    again: () => load(''),
    queue,
    copy: copyFen,
  };
  for (const [id, action] of Object.entries(actions)) onPress(element(id), action);
  element('game').append(...Object.entries(games).map(([key, { name }]) => new Option(name, key)));
  element('game').addEventListener('change', (event) => changeGame(event.target.value));
  element('move-form').addEventListener('submit', playText);
  element('fen-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = element('fen').value.trim();
    if (text) takeText(text);
    else begin(state.variant, startFen(state.variant));
  });
  document.addEventListener('keydown', onKey);
  element('board').addEventListener('keydown', onLetter);
  element('walk').addEventListener('keydown', onLetter);
  // One comes back to a place in the history, or goes to an address that is new to it.
  window.addEventListener('popstate', () => { if (history.state) readAddress(); });
  window.addEventListener('hashchange', () => { if (!history.state) readAddress(); });
  window.addEventListener('resize', showTable);
}

// Shows the position of the address, in its game where the history keeps that.
function readAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  const named = address.get('game');
  const variant = Object.keys(games).includes(named) ? named : 'english';
  const fen = address.get('fen') || startFen(variant);
  const { entries, at } = keptGame(variant, fen) ?? { entries: gameFrom(fen), at: 0 };
  enterGame(variant, entries, at);
}

connect();
readAddress();
element('cannot-run').remove();

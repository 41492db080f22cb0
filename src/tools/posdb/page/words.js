// How what the database says is put into words.

import { tooMany } from './database.js';
import {
  faultOf, moveName, readFen, sideNames,
} from './games.js';

export const isKnown = (move) => typeof move.score === 'number';

// A score of 1/100 man in words: a decided game is 30000 less its plies; 25000 and 24000 stand for
// a win whose end is not known, 20000 for one that a rule of draws may spoil.
export function scoreText(score) {
  if (typeof score !== 'number') return '?';
  const size = Math.abs(score);
  const outcome = score > 0 ? 'win' : 'loss';
  const plies = 30000 - size;
  if (size > 25000) return `${outcome} in ${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  if (size > 20000) return outcome;
  if (size > 15000) return `${outcome}?`;
  return `${score > 0 ? '+' : score < 0 ? '−' : ''}${(size / 100).toFixed(2)}`;
}

const tenth = 10;    // of a man: so little a good move may give away

// The rank of one of the moves as it is shown, 2 the best. Where the best move is bad the database gives
// all of them 0; there moves are ranked by how far they fall short of the best score.
export function shownRank(move, moves) {
  const known = moves.filter(isKnown);
  if (known.some(({ rank }) => rank > 0)) return move.rank;
  const best = Math.max(...known.map(({ score }) => score));
  if (move.score === best) return 2;
  return move.score >= best - tenth ? 1 : 0;
}

export function rankText(rank) {
  return ['weak', 'good', 'best'][rank] ?? '';
}

// A note in words. It is "! (08-03)" where 8 replies are known and 3 of them are good, "! (W-0013)" where
// an endgame database has the score.
export function noteText(note) {
  if (/\([WLD]-/.test(note)) return 'endgame database';
  const [known, good] = (/\((\d+)-(\d+)\)/.exec(note) ?? []).slice(1).map(Number);
  return known > 0 ? `${good} good of ${known} ${known === 1 ? 'reply' : 'replies'}` : '';
}

// What a status that comes without moves means, for the user.
export function statusText(reply, game, fen) {
  switch (reply.status) {
    case 'ok': return '';
    case 'unknown': return 'The database does not know this position.';
    case 'checkmate': return `${sideNames[readFen(game, fen).side]} has no move and has lost.`;
    case 'invalid board': return `This is no position that can be played: ${faultOf(game, fen)}.`;
    case tooMany: return 'Too many questions at once. Try again in a moment.';
    case 'permission denied': return 'The server does not permit this.';
    case 'queue full': return 'Too many positions wait to be worked out. Try again later.';
    default: return `The database says: ${reply.status}`;
  }
}

export const mustCapture = (moves) => moves.length > 0 && moves.every((move) => move.uci.includes('x'));

// Who is to move, and what of it matters most.
export function stateText(reply, game, fen) {
  const moves = reply.moves ?? [];
  const problem = statusText(reply, game, fen);
  const best = moves.find(isKnown);
  const parts = [];
  if (reply.status !== 'checkmate' && reply.status !== 'invalid board')
    parts.push(`${sideNames[readFen(game, fen).side]} to move.`);
  if (problem) parts.push(problem);
  if (mustCapture(moves)) parts.push('A capture must be made.');
  if (best) parts.push(`Best: ${moveName(game, best.san)}, ${scoreText(best.score)}.`);
  else if (!problem) parts.push('The database does not know its moves yet; queue it to have them worked out.');
  return parts.join(' ');
}

// Which move the squares mean that a player chooses on the board.

import { squaresOf } from './games.js';

const last = (list) => list[list.length - 1];

// Every path of every move: a capture may be made on several.
export function pathsOf(game, moves) {
  return moves.flatMap((move) => [...new Set([move.uci, ...(move.captures ?? [])])]
    .map((text) => ({ move, squares: squaresOf(game, text) })));
}

export function pathsFrom(paths, squares) {
  return paths.filter((path) => squares.every((square, index) => path.squares[index] === square));
}

const areOfOneMove = (paths) => paths.every((path) => path.move === paths[0].move);

// What one more square makes of the squares chosen so far: it begins a move, is the next landing of
// one, or at once the last. Gives the move when there is but one, else the squares that are chosen
// then; `isAmbiguous`: the square ends several moves, and the player is to say on which way.
export function chooseSquare(paths, squares, square) {
  if (square === last(squares)) return { squares: [] };    // lets the piece go
  const next = pathsFrom(paths, [...squares, square]);
  const ends = squares.length === 0 ? []
    : pathsFrom(paths, squares).filter((path) => last(path.squares) === square);
  const exact = ends.filter((path) => path.squares.length === squares.length + 1);
  if (exact.length > 0 && areOfOneMove(exact)) return { move: exact[0].move };
  // What is a landing of one move and the end of another is not played before the player goes on.
  if (ends.length > 0 && areOfOneMove([...ends, ...next])) return { move: ends[0].move };
  if (next.length > 0) return { squares: [...squares, square] };
  if (ends.length > 0) return { squares, isAmbiguous: true };
  return { squares: pathsFrom(paths, [square]).length > 0 ? [square] : [] };
}

// Where a piece can go on to: its next landings, and the ends that mean one move.
export function targetsOf(paths, squares) {
  const possible = pathsFrom(paths, squares);
  return new Set([
    ...possible.map((path) => path.squares[squares.length]),
    ...possible.map((path) => last(path.squares)).filter((end) => chooseSquare(paths, squares, end).move),
  ]);
}

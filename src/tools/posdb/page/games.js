// What tells the six games apart on a board. The rules are the server's.

// `mirrored`: the long diagonal has its lower end on White's right. `upwards`: square 1 is on
// White's side of the board. `algebraic`: squares are called a1 to h8.
export const games = {
  english: { name: 'English', first: 'B', mirrored: false, upwards: false, algebraic: false },
  italian: { name: 'Italian', first: 'W', mirrored: true, upwards: false, algebraic: false },
  spanish: { name: 'Spanish', first: 'W', mirrored: true, upwards: true, algebraic: false },
  russian: { name: 'Russian', first: 'W', mirrored: false, upwards: false, algebraic: true },
  brazilian: { name: 'Brazilian', first: 'W', mirrored: false, upwards: false, algebraic: true },
  czech: { name: 'Czech', first: 'W', mirrored: false, upwards: true, algebraic: true },
};

export const sideNames = { W: 'White', B: 'Black' };
export const pieceNames = { wm: 'White man', wk: 'White king', bm: 'Black man', bk: 'Black king' };

// Where the square with this number is when White sits at the bottom: row 0 is the topmost.
export function placeOf(game, number) {
  const rank = Math.floor((number - 1) / 4);
  const inRow = (number - 1) % 4;
  const row = game.upwards ? 7 - rank : rank;
  // Spanish numbers begin at the lower right, all others on the left.
  const fromLeft = game.mirrored && game.upwards ? 3 - inRow : inRow;
  const isDarkFirst = game.mirrored ? row % 2 === 0 : row % 2 === 1;
  return { row, column: 2 * fromLeft + (isDarkFirst ? 0 : 1) };
}

// The numbers of the squares by row and column; 0 for a light square.
export function boardOf(game) {
  const rows = Array.from({ length: 8 }, () => Array(8).fill(0));
  for (let number = 1; number <= 32; number += 1) {
    const { row, column } = placeOf(game, number);
    rows[row][column] = number;
  }
  return rows;
}

export function squareName(game, number) {
  if (!game.algebraic) return String(number);
  const { row, column } = placeOf(game, number);
  return 'abcdefgh'[column] + (8 - row);
}

// The number of the square that a text names, or 0. Some write all numbers with two digits: 09-14.
export function squareNumber(game, text) {
  if (/^\d\d?$/.test(text)) return Number(text) <= 32 ? Number(text) : 0;
  if (!game.algebraic || !/^[a-h][1-8]$/.test(text)) return 0;
  return boardOf(game)[8 - Number(text[1])]['abcdefgh'.indexOf(text[0])];
}

// The squares of a move such as 11-15 or 2x11x18; nothing when one of them is none.
export function squaresOf(game, move) {
  const squares = move.trim().toLowerCase().split(/[-x:\s]+/).map((text) => squareNumber(game, text));
  return squares.length >= 2 && squares.every((square) => square > 0) ? squares : [];
}

// The move with the names that players of the game give to squares.
export function moveName(game, move) {
  return move.split(/([-x:])/).map((part, index) => {
    const number = index % 2 === 0 ? squareNumber(game, part) : 0;
    return number > 0 ? squareName(game, number) : part;
  }).join('');
}

// The side to move and the pieces ('wm', 'wk', 'bm', 'bk') by the number of their square, of a FEN as
// writeFen() writes it. The server reads more forms and answers with this one.
export function readFen(game, fen) {
  const parts = fen.trim().replace(/\.$/, '').split(':');
  const pieces = new Map();
  for (const part of parts.slice(1).filter((text) => /^[WB]/.test(text))) {
    const colour = part[0] === 'W' ? 'w' : 'b';
    for (const text of part.slice(1).split(',')) {
      const isKing = text[0] === 'K';
      const number = squareNumber(game, isKing ? text.slice(1) : text);
      if (number > 0) pieces.set(number, colour + (isKing ? 'k' : 'm'));
    }
  }
  return { side: parts[0] === 'W' ? 'W' : 'B', pieces };
}

// As the server writes it: the men of a side before its kings.
export function writeFen({ side, pieces }) {
  const list = (colour) => [...pieces.entries()]
    .filter(([, piece]) => piece[0] === colour)
    .sort(([a, piece], [b, other]) => other[1].localeCompare(piece[1]) || a - b)
    .map(([number, piece]) => (piece[1] === 'k' ? 'K' : '') + number)
    .join(',');
  return `${side}:W${list('w')}:B${list('b')}`;
}

export function isOwnForm(game, fen) {
  return writeFen(readFen(game, fen)) === fen;
}

// Why nobody can play on from a position, for the user.
export function faultOf(game, fen) {
  const { pieces } = readFen(game, fen);
  if (!isOwnForm(game, fen))
    return 'the text is no FEN, a side has more than 12 pieces, or a man is where it would be a king';
  if (pieces.size === 0) return 'there are no pieces';
  for (const [letter, name] of Object.entries(sideNames)) {
    const count = [...pieces.values()].filter((piece) => piece[0] === letter.toLowerCase()).length;
    if (count > 12) return `${name} has ${count} pieces, and 12 are the most`;
  }
  for (const [number, piece] of pieces)
    if (placeOf(game, number).row === { wm: 0, bm: 7 }[piece])
      return `a ${pieceNames[piece].toLowerCase()} on ${squareName(game, number)} would be a king`;
  return 'it is no FEN of this game';
}

// The position of one game on the board of another: every piece where White sees it, but from the left
// to the right where the boards are mirrored.
export function moveToBoard(from, to, { side, pieces }) {
  const board = boardOf(to).map((row) => (from.mirrored === to.mirrored ? row : row.reverse()));
  return {
    side,
    pieces: new Map([...pieces].map(([number, piece]) => {
      const { row, column } = placeOf(from, number);
      return [board[row][column], piece];
    })),
  };
}

export function startPosition(game) {
  const pieces = new Map();
  for (let number = 1; number <= 32; number += 1) {
    const isWhiteSide = game.upwards ? number <= 12 : number >= 21;
    const isBlackSide = game.upwards ? number >= 21 : number <= 12;
    if (isWhiteSide || isBlackSide) pieces.set(number, isWhiteSide ? 'wm' : 'bm');
  }
  return { side: game.first, pieces };
}

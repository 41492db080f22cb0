// Keeps each game in its place in the browser's history: for when the page is loaded anew, and for when
// one comes back to the game from another one.

const mostEntries = 1000;

// What the history keeps of a game. Of one that is longer, the address keeps the position that is shown.
export function keptForm({ variant, entries, at }) {
  return entries.length > mostEntries ? {} : { variant, entries, at };
}

const isSquare = (number) => Number.isInteger(number) && number >= 1 && number <= 32;

function isEntry(entry) {
  return typeof entry?.fen === 'string' && typeof entry.name === 'string' && Array.isArray(entry.squares) &&
    entry.squares.every(isSquare);
}

// The entries of the game that is kept and the place in it, when it is the game of an address; else nothing.
export function keptGame(variant, fen) {
  const { variant: keptVariant, entries, at } = history.state ?? {};
  const isSound = keptVariant === variant && Array.isArray(entries) && entries.length <= mostEntries &&
    entries.every(isEntry) && Number.isInteger(at) && entries[at]?.fen === fen;
  return isSound ? { entries, at } : null;
}

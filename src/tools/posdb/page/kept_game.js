// Keeps the game that was played while the page is loaded anew in the same tab.

const key = 'defiance-game';
const mostEntries = 1000;

export function keepGame({ variant, entries, at }) {
  try {
    if (entries.length > mostEntries) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ variant, entries, at }));
  } catch {
    // A browser that keeps nothing shows the position of the address.
  }
}

const isSquare = (number) => Number.isInteger(number) && number >= 1 && number <= 32;

function isEntry(entry) {
  return typeof entry?.fen === 'string' && typeof entry.name === 'string' && Array.isArray(entry.squares) &&
    entry.squares.every(isSquare);
}

// The entries of the kept game and the place in it, when it is the game of an address; else nothing.
export function keptGame(variant, fen) {
  try {
    const { variant: keptVariant, entries, at } = JSON.parse(sessionStorage.getItem(key)) ?? {};
    const isSound = keptVariant === variant && Array.isArray(entries) && entries.length <= mostEntries &&
      entries.every(isEntry) && Number.isInteger(at) && entries[at]?.fen === fen;
    return isSound ? { entries, at } : null;
  } catch {
    return null;
  }
}

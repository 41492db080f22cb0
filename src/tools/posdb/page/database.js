// The position database behind /cdb, and how what it says is put into words.

const patience = 15000;    // milliseconds

export class NoAnswer extends Error {}

// Asks the database. `parameters` holds action, board and so on; `signal` ends the wait.
export async function ask(parameters, signal) {
  const fields = new URLSearchParams({ ...parameters, json: '1' });
  const end = AbortSignal.timeout(patience);
  const request = { signal: signal ? AbortSignal.any([signal, end]) : end, cache: 'no-store' };
  let reply;
  try {
    reply = await (parameters.action === 'queue'
      ? fetch('cdb', { ...request, method: 'POST', body: fields })
      : fetch(`cdb?${fields}`, request));
    if (reply.ok) return await reply.json();
  } catch (error) {
    if (signal && signal.aborted) throw error;
    throw new NoAnswer('The database does not answer.');
  }
  if (reply.status === 429) return { status: 'rate limit exceeded' };
  throw new NoAnswer(`The database answers with an error (${reply.status}).`);
}

// A score of 1/100 man in words: a decided game is 30000 less its plies; 25000 and 24000 stand for
// a win whose end is not known, 20000 for one that a rule of draws may spoil.
export function scoreText(score) {
  if (typeof score !== 'number') return '?';
  const size = Math.abs(score);
  const outcome = score > 0 ? 'win' : 'loss';
  if (size > 25000) return `${outcome} in ${30000 - size}`;
  if (size > 20000) return outcome;
  if (size > 15000) return `${outcome}?`;
  return `${score > 0 ? '+' : score < 0 ? '−' : ''}${(size / 100).toFixed(2)}`;
}

export function rankText(rank) {
  return ['weak', 'good', 'best'][rank] ?? '';
}

// What a status that comes without moves means, for the user.
export function statusText(reply, sideName) {
  switch (reply.status) {
    case 'ok': return '';
    case 'unknown': return 'The database does not know this position.';
    case 'checkmate': return `${sideName} has no move and has lost.`;
    case 'invalid board': return 'This is no position that can be played.';
    case 'rate limit exceeded': return 'Too many questions at once. Try again in a moment.';
    case 'permission denied': return 'The server does not permit this.';
    default: return `The database says: ${reply.status}`;
  }
}

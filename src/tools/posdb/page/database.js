// Asks the position database behind /cdb.

const patience = 15000;    // milliseconds

export const tooMany = 'rate limit exceeded';

// What went wrong, in words for the user.
export class NoAnswer extends Error {}

// Asks the database. `parameters` holds action, board and so on; `signal` ends the wait.
export async function ask(parameters, signal) {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, patience);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await fetchReply(parameters, end.signal);
  } catch (error) {
    if (signal.aborted || error instanceof NoAnswer) throw error;
    throw new NoAnswer('The database does not answer.');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function fetchReply(parameters, signal) {
  const fields = new URLSearchParams({ ...parameters, json: '1' });
  const request = { signal, cache: 'no-store' };
  // What is to be queued is sent also when the page is left.
  const reply = await (parameters.action === 'queue'
    ? fetch('cdb', { ...request, method: 'POST', body: fields, keepalive: true })
    : fetch(`cdb?${fields}`, request));
  if (!reply.ok && reply.status !== 429)
    throw new NoAnswer(`The database answers with an error (${reply.status}).`);
  const answer = reply.ok ? await reply.json() : { status: tooMany };
  if (answer.status === tooMany) answer.seconds = Number(reply.headers.get('Retry-After'));
  return answer;
}

// Asks until there are no longer too many questions at once; `onWait` is called when it has to wait.
export async function askPatiently(parameters, signal, onWait) {
  for (;;) {
    const answer = await ask(parameters, signal);
    if (answer.status !== tooMany || signal.aborted) return answer;
    onWait();
    const seconds = Math.min(Math.max(answer.seconds || 1, 1), 60);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

// Looks at something from time to time. While nobody sees the page it waits, and looks at once when
// it is seen again.

const interval = 3000;    // milliseconds

export class Watch {
  // `look` is to promise whether there is nothing more to wait for. It never fails.
  constructor(look) {
    this.look = look;
    this.run = null;
    this.timer = 0;
    document.addEventListener('visibilitychange', () => {
      if (!this.run || this.run.isLooking) return;
      clearTimeout(this.timer);
      this.lookOnce(this.run);
    });
  }

  get isOn() {
    return this.run !== null;
  }

  // Looks so many times. `onEnd` is called with whether there is nothing more to wait for.
  start(times, onEnd) {
    this.stop();
    this.run = { times, onEnd, isLooking: false };
    this.wait(this.run);
  }

  stop() {
    clearTimeout(this.timer);
    this.run = null;
  }

  wait(run) {
    this.timer = setTimeout(() => this.lookOnce(run), interval);
  }

  async lookOnce(run) {
    if (document.visibilityState !== 'visible') return;
    run.isLooking = true;
    const isDone = await this.look();
    if (this.run !== run) return;    // stopped, or begun anew
    run.isLooking = false;
    run.times -= 1;
    if (isDone || run.times === 0) {
      this.stop();
      run.onEnd(isDone);
    } else {
      this.wait(run);
    }
  }
}

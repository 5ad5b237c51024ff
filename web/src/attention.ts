// Seconds with the page in front; they go on from what the draft already has.

export class Attention {
  private since: number | null = null;

  constructor(private readonly now: () => number, private before = 0) {}

  /** Takes what a draft has, without what was counted here meanwhile. */
  goOnFrom(seconds: number): void {
    this.before = Math.max(this.before, seconds);
  }

  visible(is: boolean): void {
    if (is && this.since === null) this.since = this.now();
    if (!is && this.since !== null) {
      this.before = this.seconds;
      this.since = null;
    }
  }

  get seconds(): number {
    const running = this.since === null ? 0 : (this.now() - this.since) / 1000;
    return Math.round((this.before + running) * 10) / 10;
  }
}

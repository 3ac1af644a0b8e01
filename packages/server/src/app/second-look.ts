// Catches up once after a worker has begun: until then, another process may have believed that it
// was alone, and sent no notes. By the time of the second look it has noticed this process.
export class SecondLook {
  readonly #leaseSeconds: number
  readonly #look: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(leaseSeconds: number, look: () => void) {
    this.#leaseSeconds = leaseSeconds
    this.#look = look
  }

  /** Looks after 0.3 of the lease's time. Replaces a look that is already scheduled. */
  schedule(): void {
    this.cancel()
    this.#timer = setTimeout(this.#look, this.#leaseSeconds * 300).unref()
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }
}

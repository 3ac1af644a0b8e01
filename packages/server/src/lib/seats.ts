// So many at a time; who comes later waits, in turn.
export interface Seats {
  take(): Seat
}

export interface Seat {
  /** Resolves when it is one's turn; never, when one leaves before. */
  taken: Promise<void>
  leave(): void
}

export function openSeats(count: number): Seats {
  let free = count
  const waiting = new Set<() => void>()
  return {
    take() {
      let sit: () => void = () => {}
      let isSitting = false
      const taken = new Promise<void>((resolve) => {
        sit = () => {
          isSitting = true
          free--
          resolve()
        }
      })
      if (free > 0) sit()
      else waiting.add(sit)
      return {
        taken,
        leave() {
          if (!waiting.delete(sit) && isSitting) {
            isSitting = false
            free++
          }
          const [next] = waiting
          if (next && free > 0 && waiting.delete(next)) next()
        },
      }
    },
  }
}

// A semaphore: up to `count` holders at a time, the others wait in order.
export interface Seats {
  take(): Seat
}

export interface Seat {
  /** Resolves when the permit is granted; never after an earlier `leave`. */
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

// A semaphore: up to `count` holders at a time, the others wait in order.
interface Semaphore {
  acquire(): Permit
}

interface Permit {
  /** Resolves when the permit is granted; never after an earlier `leave`. */
  granted: Promise<void>
  release(): void
}

export function createSemaphore(count: number): Semaphore {
  let free = count
  const waiting = new Set<() => void>()
  return {
    acquire() {
      let sit: () => void = () => {}
      let isSitting = false
      const granted = new Promise<void>((resolve) => {
        sit = () => {
          isSitting = true
          free--
          resolve()
        }
      })
      if (free > 0) sit()
      else waiting.add(sit)
      return {
        granted,
        release() {
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

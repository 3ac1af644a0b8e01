// A shared amount, granted strictly first in, first out: a request that exceeds the rest waits, and
// later ones wait behind it.
interface Budget {
  /**
   * Resolves with a function that releases the amount, or with null after `maxWaitMs`. An amount
   * above the total is granted while nothing else is taken.
   */
  take(amount: number, maxWaitMs: number): Promise<(() => void) | null>
}

interface Waiting {
  amount: number
  grant(): void
}

export function openBudget(total: number): Budget {
  let taken = 0
  const queue = new Set<Waiting>()
  const fits = (amount: number) => taken === 0 || taken + amount <= total
  const grantNext = () => {
    for (const waiting of queue) {
      if (!fits(waiting.amount)) return
      queue.delete(waiting)
      waiting.grant()
    }
  }
  return {
    take(amount, maxWaitMs) {
      return new Promise((resolve) => {
        const release = () => {
          taken -= amount
          grantNext()
        }
        const waiting: Waiting = {
          amount,
          grant() {
            clearTimeout(timer)
            taken += amount
            resolve(release)
          },
        }
        const timer = setTimeout(() => {
          queue.delete(waiting)
          resolve(null)
          grantNext()
        }, maxWaitMs)
        queue.add(waiting)
        grantNext()
      })
    },
  }
}

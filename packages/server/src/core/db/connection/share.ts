// Shares of a pool: each kind of work has its own, so that none uses up the connections of another. The
// sizes of the shares add up to the pool's.
import type pg from 'pg'

export interface Share {
  pool: pg.Pool
  /** Waits for a connection. Rejects after 10 s, as the pool does. */
  connect(): Promise<pg.PoolClient>
  /** Returns the number of calls that wait for the share. */
  waiting(): number
}

/** In milliseconds. */
export const connectTimeoutMs = 10_000

export function openShare(pool: pg.Pool, size: number): Share {
  let used = 0
  const queue = new Set<() => void>()
  function enter(): Promise<void> | undefined {
    if (used === size) return waitIn(queue)
    used++
  }
  /** Hands the place to the next in the queue. */
  function leave() {
    const [next] = queue
    if (next) next()
    else used--
  }
  async function connect() {
    await enter()
    try {
      const client = await pool.connect()
      const { release } = client // the pool makes a new one for each use
      client.release = (error) => {
        release(error)
        leave()
      }
      return client
    } catch (error) {
      leave()
      throw error
    }
  }
  return { pool, connect, waiting: () => queue.size }
}

/** Rejects with the driver's error. */
const waitIn = (queue: Set<() => void>) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.delete(enter)
      reject(new Error('timeout exceeded when trying to connect'))
    }, connectTimeoutMs).unref()
    const enter = () => {
      queue.delete(enter)
      clearTimeout(timer)
      resolve()
    }
    queue.add(enter)
  })

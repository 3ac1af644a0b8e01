// Writes of one kind that arrive while others are being written go together in one statement: one flush of the disk serves them all.
// A lone one does not wait. One that cannot be written fails alone: when a statement is refused, its halves are written one after the other.

export interface SharedCommits<In, Out> {
  write(item: In): Promise<Out>
}

/** Items of one statement. */
const mostTogether = 64

interface Waiting<In, Out> {
  item: In
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

/** `writeAll` answers in the order given. One statement runs at a time: more of them, with fewer items each, cost more and write less. */
export function shareCommits<In, Out>(writeAll: (items: In[]) => Promise<Out[]>): SharedCommits<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  let writing = false

  const pump = () => {
    if (writing || waiting.length === 0) return
    writing = true
    void settle(waiting.splice(0, mostTogether)).finally(() => {
      writing = false
      pump()
    })
  }

  const settle = async (batch: Waiting<In, Out>[]) => {
    try {
      const out = await writeAll(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(out[i]!)
    } catch (error) {
      if (batch.length > 1 && wasRefused(error)) await settleHalves(batch)
      else for (const { reject } of batch) reject(error)
    }
  }
  const settleHalves = async (batch: Waiting<In, Out>[]) => {
    const middle = batch.length >> 1
    await settle(batch.slice(0, middle))
    await settle(batch.slice(middle))
  }

  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        // Not at once: what arrives in the same turn of the loop joins.
        if (waiting.length === 1) setImmediate(pump)
      }),
  }
}

/**
 * The database itself said no, so nothing was written. A connection that broke may have broken after the commit: never write that again.
 * Codes of PostgreSQL begin with a digit or with F, H, P or X (the system's have letters too: EPIPE); those of class 57 come with the end of a connection.
 */
export const wasRefused = (error: unknown) =>
  /^(?!57P)[0-9FHPX][0-9A-Z]{4}$/.test(String((error as { code?: unknown } | null)?.code))

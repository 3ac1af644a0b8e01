// Group commit: writes of one kind that arrive during another write share the next statement, and
// so one flush to disk. A single write does not wait. A bad item fails alone: when the database
// rejects a statement, its halves are written one after the other.

interface SharedCommits<In, Out> {
  write(item: In): Promise<Out>
}

/** Items per statement. */
const maxTogether = 64

interface Waiting<In, Out> {
  item: In
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

/**
 * `writeAll` returns results in the order of its items. One statement runs at a time: several
 * smaller ones would cost more and write less.
 */
export function shareCommits<In, Out>(
  writeAll: (items: In[]) => Promise<Out[]>,
): SharedCommits<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  let writing = false

  const pump = () => {
    if (writing || waiting.length === 0) return
    writing = true
    void settle(waiting.splice(0, maxTogether)).finally(() => {
      writing = false
      pump()
    })
  }

  const settle = async (batch: Waiting<In, Out>[]) => {
    try {
      const out = await writeAll(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(out[i]!)
    } catch (error) {
      if (batch.length > 1 && wasRejected(error)) await settleHalves(batch)
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
        // Deferred, so that items of the same event loop turn share the statement.
        if (waiting.length === 1) setImmediate(pump)
      }),
  }
}

/**
 * Returns whether the database rejected the statement, so that nothing was written. A broken
 * connection may have broken after the commit: never retry that. PostgreSQL's codes begin with a
 * digit or F, H, P, X; the system's codes (EPIPE) do not match. Codes 57P… accompany the end of a
 * connection.
 */
export const wasRejected = (error: unknown) =>
  /^(?!57P)[0-9FHPX][0-9A-Z]{4}$/.test(String((error as { code?: unknown } | null)?.code))

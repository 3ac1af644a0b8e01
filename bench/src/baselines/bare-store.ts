// The writes of the bare program. `openStore` commits each message alone. `openSharedStore`, for the
// second baseline, does it like the server: messages that arrive during a write share the next
// statement and its commit, and one statement records the outcomes of 20 ms.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  writeEnd,
  writeEnds,
  writeIncoming,
  writeMany,
  writeOutgoing,
} from './bare-sql.ts'

interface Due {
  eventId: string
  deliveryId: string
}

interface StoredMessage {
  id: string
  conversationId: string
  userId: string
  payload: { type: string; text: string }
  /** Of the event and the delivery to the bot; null for a message of the bot. */
  due: Due | null
}

interface Store {
  pool: pg.Pool
  /** Returns the time of the message. */
  write(message: StoredMessage): Promise<Date>
  end(due: Due): Promise<unknown>
}

const outcomeMs = 20

function openPools(settings: pg.PoolConfig) {
  const pool = new pg.Pool({ ...settings, max: 10 })
  const lazyPool = new pg.Pool({
    ...settings,
    max: 2,
    options: '-c synchronous_commit=off',
  })
  for (const each of [pool, lazyPool]) each.on('error', () => {})
  return { pool, lazyPool }
}

export function openStore(settings: pg.PoolConfig): Store {
  const { pool, lazyPool } = openPools(settings)
  return {
    pool,
    write: (message) => writeAlone(pool, message),
    end: ({ deliveryId, eventId }) =>
      lazyPool.query({ name: 'end', text: writeEnd, values: [deliveryId, eventId] }),
  }
}

async function writeAlone(pool: pg.Pool, message: StoredMessage): Promise<Date> {
  const { conversationId, id, userId, payload, due } = message
  const common = [conversationId, id, userId, payload.type, payload]
  const { rows } = await pool.query(
    due
      ? {
          name: 'in',
          text: writeIncoming,
          values: [...common, due.eventId, due.deliveryId],
        }
      : { name: 'out', text: writeOutgoing, values: common },
  )
  return rows[0].created_at
}

export function openSharedStore(settings: pg.PoolConfig): Store {
  const { pool, lazyPool } = openPools(settings)
  const write = share<StoredMessage, Date>(async (messages) =>
    messages.length === 1
      ? [await writeAlone(pool, messages[0]!)]
      : writeTogether(pool, messages),
  )
  const end = share<Due, null>(async (due) => {
    const values = [
      due.map(({ deliveryId }) => deliveryId),
      due.map(({ eventId }) => eventId),
    ]
    await lazyPool.query({ name: 'ends', text: writeEnds, values })
    return due.map(() => null)
  }, outcomeMs)
  return { pool, write, end }
}

async function writeTogether(pool: pg.Pool, messages: StoredMessage[]): Promise<Date[]> {
  const column = (of: (message: StoredMessage) => unknown) => messages.map(of)
  const { rows } = await pool.query({
    name: 'many',
    text: writeMany,
    values: [
      column(({ conversationId }) => conversationId),
      column(({ id }) => id),
      column(({ userId }) => userId),
      column(({ payload }) => payload.type),
      column(({ payload }) => JSON.stringify(payload)),
      column(({ due }) => due?.eventId ?? null),
      column(({ due }) => due?.deliveryId ?? null),
    ],
  })
  const times: Date[] = []
  for (const { ord, created_at } of rows) times[Number(ord) - 1] = created_at
  return times
}

/** One write at a time; inputs that arrive meanwhile, or within `gatherMs`, share the next. */
function share<Input, Output>(
  write: (inputs: Input[]) => Promise<Output[]>,
  gatherMs = 0,
): (input: Input) => Promise<Output> {
  type Pending = {
    input: Input
    resolve(output: Output): void
    reject(error: unknown): void
  }
  let pending: Pending[] = []
  let isWriting = false
  async function writePending() {
    isWriting = true
    while (pending.length > 0) {
      if (gatherMs > 0) await pause(gatherMs)
      const taken = pending
      pending = []
      try {
        const outputs = await write(taken.map(({ input }) => input))
        for (const [at, { resolve }] of taken.entries()) resolve(outputs[at]!)
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isWriting = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      pending.push({ input, resolve, reject })
      if (!isWriting) void writePending()
    })
}

// Receives by /sync, which waits for events after a position. What an answer does not hold is loaded from the
// room.
import { setImmediate as turn } from 'node:timers/promises'
import type { Arrival, Batch, Context } from '../channel.ts'
import { call, findOwnId, toPath } from './api.ts'
import { toArrivals, toReceipts } from './events.ts'
import { join } from './rooms.ts'
import type { JoinedRoom, MatrixEvent, SyncAnswer } from './types.ts'

const pollMs = 30_000
/** Of one answer: reading it takes about 50 ms. */
const maxBytes = 8 * 2 ** 20
const eventsPerRoom = 20
const eventsPerPage = 100
/** Of one room; the bot was away for long. */
const maxPages = 10

const toFilter = (limit: number) =>
  JSON.stringify({
    presence: { types: [] },
    account_data: { types: [] },
    room: {
      account_data: { types: [] },
      ephemeral: { types: ['m.receipt'] },
      state: { types: [] },
      timeline: { limit },
    },
  })

/** The cursor is the position of the homeserver. */
export async function* receiveEvents(
  context: Context,
  cursor: string | null,
): AsyncGenerator<Batch> {
  const ownId = await findOwnId(context)
  let since = cursor
  while (!context.signal.aborted) {
    const answer = await sync(context, since)
    const { join: joined = {}, invite = {} } = answer.rooms ?? {}
    for (const roomId of Object.keys(invite)) await join(context, roomId)
    const arrivals: Arrival[] = []
    // The first answer has what people wrote before the bot was connected.
    if (since !== null)
      for (const [roomId, room] of Object.entries(joined))
        arrivals.push(...(await readRoom(context, { ownId, roomId, since }, room)))
    since = answer.next_batch
    yield { arrivals, cursor: since }
    await markAsRead(context, arrivals)
  }
}

async function sync(context: Context, since: string | null): Promise<SyncAnswer> {
  const query = {
    filter: toFilter(since === null ? 1 : eventsPerRoom),
    timeout: since === null ? '0' : String(pollMs),
    ...(since !== null && { since }),
  }
  return call<SyncAnswer>(context, toPath('sync'), {
    query,
    timeoutMs: pollMs + 30_000,
    maxBytes,
  })
}

interface Place {
  ownId: string
  roomId: string
  since: string
}

async function readRoom(
  context: Context,
  place: Place,
  room: JoinedRoom,
): Promise<Arrival[]> {
  const { ownId, roomId } = place
  const { events = [], limited, prev_batch: from } = room.timeline ?? {}
  const isComplete = !limited || !from || findEntry(ownId, events) >= 0
  const all = isComplete
    ? events
    : [...(await loadMissed(context, place, from)), ...events]
  const arrivals: Arrival[] = []
  for (const event of all.slice(findEntry(ownId, all) + 1)) {
    arrivals.push(...(await toArrivals(context, ownId, roomId, event)))
    await turn()
  }
  return [...arrivals, ...toReceipts(ownId, roomId, room)]
}

/** Returns the position at which the bot has joined, before which nothing is for it; -1 if it was there before. */
const findEntry = (ownId: string, events: MatrixEvent[]): number =>
  events.findLastIndex(
    ({ type, state_key, content, unsigned }) =>
      type === 'm.room.member' &&
      state_key === ownId &&
      content?.membership === 'join' &&
      unsigned?.prev_content?.membership !== 'join',
  )

interface Page {
  chunk?: MatrixEvent[]
  end?: string
}

/** Loads the events between two answers, oldest first. */
async function loadMissed(
  context: Context,
  { ownId, roomId, since }: Place,
  before: string,
): Promise<MatrixEvent[]> {
  const missed: MatrixEvent[] = []
  let from: string | undefined = before
  for (let i = 0; i < maxPages && from; i++) {
    const query: Record<string, string> = {
      dir: 'b',
      from,
      to: since,
      limit: String(eventsPerPage),
    }
    const path = toPath('rooms', roomId, 'messages')
    const page: Page = await call(context, path, { query, maxBytes })
    const { chunk = [], end } = page
    missed.unshift(...chunk.toReversed())
    if (chunk.length === 0 || findEntry(ownId, missed) >= 0) break
    from = end
  }
  return missed
}

/** After they are stored: people see how far the bot has read. */
async function markAsRead(context: Context, arrivals: Arrival[]): Promise<void> {
  const latest = new Map<string, string>()
  for (const { message } of arrivals) {
    const { id, roomId } = message?.tags ?? {}
    if (id && roomId) latest.set(roomId, id.replace(/#\d+$/, ''))
  }
  for (const [roomId, id] of latest)
    call(context, toPath('rooms', roomId, 'receipt', 'm.read', id), { body: {} }).catch(
      () => {},
    )
}

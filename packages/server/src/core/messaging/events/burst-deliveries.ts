// Messages that a user writes in a row, for bots with rules for bursts: the delivery of the last one brings
// all of them. Those before it are ignored.
import type { BurstRules, Event } from '@botstead/contract'
import type { Database, Db } from '../../db/index.ts'
import type { DeliveryOutcome, Enqueued } from '../../queue/index.ts'
import type { Stops } from '../../realtime/index.ts'
import {
  type Burst,
  type BurstMessage,
  type Content,
  findBurst,
  findContents,
  joinEvent,
} from './bursts.ts'

interface BurstDeps {
  db: Db
  database: Pick<Database, 'run'>
  stops: Pick<Stops, 'stop'>
}

const maxMessages = 50
/** Of all messages together: a longer burst becomes several. */
const maxBytes = 500_000
const maxBurstMs = 30_000

/** The outcome of a message that the next one brings. */
const joined: DeliveryOutcome = {
  result: 'ignored',
  reason: 'Joined with the next message',
}
const waiting = (pauseMs: number): DeliveryOutcome => ({
  result: 'postponed',
  reason: 'The user may continue',
  pauseMs,
})

interface BurstDelivery {
  rules: BurstRules
  event: Event
  /** Delivers the event with the content of the burst. */
  call: (event: Event) => Promise<DeliveryOutcome>
}

/** Delivers a message with those before it, unless the next one brings it. */
async function deliverBurst(
  deps: BurstDeps,
  delivery: Enqueued,
  { rules, event, call }: BurstDelivery,
): Promise<DeliveryOutcome> {
  const watch = rules.mode === 'restart' ? watchNext(deps, delivery, rules) : null
  try {
    const whole = await toBurstEvent(deps, delivery, rules, event)
    const outcome = 'result' in whole ? whole : await call(whole)
    const nextId = await watch?.found()
    return nextId ? await join(deps, delivery, nextId) : outcome
  } finally {
    delete delivery.onFollowed
  }
}

async function toBurstEvent(
  deps: BurstDeps,
  delivery: Enqueued,
  rules: BurstRules,
  event: Event,
): Promise<Event | DeliveryOutcome> {
  const burst = await find(deps, delivery)
  if (!burst) return event
  if (burst.joinedTo !== null) return joined
  if (continues(burst, rules)) return join(deps, delivery, burst.next!.eventId)
  const restMs = rules.seconds * 1_000 - burst.own.ageMs
  if (rules.mode === 'wait' && burst.next === null && restMs > 0 && hasRoom(burst))
    return waiting(restMs)
  if (burst.earlier.length === 0) return event
  const ids = [burst.own, ...burst.earlier].map(({ messageId }) => messageId)
  const content = toOne(await findContents(deps.db, delivery.botId, ids))
  const { message } = event.payload as { message: object }
  return { ...event, payload: { ...event.payload, message: { ...message, ...content } } }
}

/** Stops the running answer when the user continues. */
function watchNext(deps: BurstDeps, delivery: Enqueued, rules: BurstRules) {
  let nextId: string | null = null
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    const burst = nextId === null ? await find(deps, delivery) : null
    if (!burst || !continues(burst, rules)) return
    nextId = burst.next!.eventId
    const { botId, lane: conversationId, subjectId: eventId, id: deliveryId } = delivery
    deps.stops.stop({ botId, conversationId, eventId, deliveryId })
  }
  delivery.onFollowed = () => {
    // Without the look, the next message is a turn by itself.
    looking = looking.then(look).catch(() => {})
  }
  return {
    /** Resolves to the event that brings this message; null if none does. */
    async found(): Promise<string | null> {
      await looking
      return nextId
    },
  }
}

const find = (
  { database }: BurstDeps,
  { botId, lane, number, subjectId: eventId }: Enqueued,
) => findBurst(database, { botId, lane, number, eventId }, maxMessages)

/** Whether the next message belongs to the burst. */
const continues = (burst: Burst, { seconds }: BurstRules): boolean =>
  burst.next !== null &&
  burst.own.ageMs - burst.next.ageMs <= seconds * 1_000 &&
  hasRoom(burst, burst.next)

function hasRoom({ own, earlier }: Burst, next?: BurstMessage): boolean {
  const all = [...(next ? [next] : []), own, ...earlier]
  const bytes = all.reduce((sum, message) => sum + message.bytes, 0)
  const spanMs = all.at(-1)!.ageMs - (next?.ageMs ?? 0)
  return all.length <= maxMessages && bytes <= maxBytes && spanMs <= maxBurstMs
}

async function join(
  { database }: BurstDeps,
  { botId, lane, subjectId: eventId, owner }: Enqueued,
  nextId: string,
): Promise<DeliveryOutcome> {
  const isOurs =
    owner !== null && (await joinEvent(database, { botId, lane, eventId, nextId, owner }))
  return isOurs ? joined : waiting(0)
}

/** Joins texts with line feeds; messages of other types become parts of a bloc. */
export function toOne(contents: Content[]): Content {
  const last = contents.at(-1)!
  if (contents.every(({ type }) => type === 'text'))
    return {
      type: 'text',
      payload: {
        ...last.payload,
        text: contents.map(({ payload }) => payload.text).join('\n'),
      },
    }
  return { type: 'bloc', payload: { items: contents.flatMap(toItems) } }
}

const toItems = ({ type, payload }: Content): unknown[] =>
  type === 'bloc' && Array.isArray(payload.items) ? payload.items : [{ type, payload }]

/** Deliveries of messages that a user writes in a row. */
export const bursts = {
  deliver: deliverBurst,
  joined,
}

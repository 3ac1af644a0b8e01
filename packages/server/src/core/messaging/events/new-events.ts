// Events that a bot or an integration creates.
import type { Event, Schedule } from '@botstead/contract'
import { type GetRedactors, redactStored } from '../../compute/index.ts'
import type { Db } from '../../db/index.ts'
import { type Caller, getViewer } from '../../http/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import { toEvents } from '../event-serializers.ts'
import { checkReferences } from '../messages/references.ts'
import { checkDeclaredEvent } from './declared-events.ts'
import { createEvent, type NewEvent } from './events.ts'
import { type DueTime, dueTime } from './schedule.ts'
import { scheduleEvent } from './scheduled-events.ts'

interface RequestedEvent extends Omit<NewEvent, 'botId' | 'cause' | 'fence'> {
  schedule?: Schedule | undefined
}

interface CheckedEvent {
  event: NewEvent
  due: DueTime | undefined
}

/**
 * Checks everything but the workflow, and redacts the payload. Throws InvalidPayload,
 * ReferenceNotFound.
 */
export async function checkNewEvent(
  { db, getRedactors }: { db: Db; getRedactors: GetRedactors },
  caller: Caller<'bot'>,
  { schedule, ...input }: RequestedEvent,
): Promise<CheckedEvent> {
  const due = schedule && dueTime(schedule)
  const { botId, cause, fence } = caller
  const viewer = getViewer(caller)
  const type =
    viewer === null
      ? input.type
      : await checkDeclaredEvent(db, botId, viewer, input.type, input.payload)
  await checkReferences(db, botId, viewer, input)
  const payload = await redactStored(getRedactors, botId, input.payload)
  return { event: { ...input, payload, type, botId, cause, fence }, due }
}

type EnqueueDeps = Parameters<typeof createEvent>[0] &
  Pick<QueueServices, 'dueIn'> & { db: Db }

/** Creates the event now, or stores it until it is due. */
export async function enqueueEvent(
  deps: EnqueueDeps,
  { event, due }: CheckedEvent,
): Promise<Event> {
  const row = due ? await schedule(deps, event, due) : await createEvent(deps, event)
  return (await toEvents(deps.db, event.botId, [row]))[0]!
}

async function schedule({ db, dueIn }: EnqueueDeps, event: NewEvent, due: DueTime) {
  const { row, waitMs } = await scheduleEvent(db, event, due)
  dueIn(waitMs)
  return row
}

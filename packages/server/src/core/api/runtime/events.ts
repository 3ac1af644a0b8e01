import type { Handlers, runtime } from '@botstead/contract'
import type { BotServices } from '../../bots/index.ts'
import { redactStored } from '../../compute/index.ts'
import type { Db } from '../../db/index.ts'
import {
  type Contexts,
  getViewer,
  runtimePage,
  type Services,
  toListPage,
} from '../../http/index.ts'
import {
  cancelScheduledEvent,
  checkDeclaredEvent,
  checkReferences,
  createEvent,
  type DueTime,
  dueTime,
  type EventRow,
  findEventRow,
  listEvents,
  type NewEvent,
  noEvent,
  scheduleEvent,
  toEvents,
} from '../../messaging/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import { addWorkflows, checkWorkflow } from '../../workflows/index.ts'

type Own = BotServices & QueueServices

export const events: Handlers<typeof runtime.events, Contexts<Own>> = {
  async createEvent({ services, caller }, { body }) {
    const { schedule, ...input } = body
    const due = schedule && dueTime(schedule)
    const viewer = getViewer(caller)
    const type =
      viewer === null
        ? input.type
        : await checkDeclaredEvent(services.db, caller.botId, viewer, input.type, input.payload)
    await checkReferences(services.db, caller.botId, viewer, input)
    if (input.workflowId !== undefined)
      await checkWorkflow(services.db, caller.botId, input.workflowId)
    const { botId, cause, fence } = caller
    const payload = await redactStored(services.getRedactors, botId, input.payload)
    const event = { ...input, payload, type, botId, cause, fence }
    const row = due
      ? await enqueueScheduled(services, event, due)
      : await createEvent(services, event)
    return { event: (await shown(services.db, caller.botId, [row]))[0]! }
  },

  async cancelScheduledEvent({ services, caller }, { params }) {
    await cancelScheduledEvent(services.db, caller.botId, params.id, getViewer(caller))
    return {}
  },

  async getEvent({ services, caller }, { params }) {
    const row = await findEventRow(services.db, caller.botId, params.id, getViewer(caller))
    if (!row) throw noEvent(params.id)
    return { event: (await shown(services.db, caller.botId, [row]))[0]! }
  },

  async listEvents(context, { query }) {
    const { services, caller } = context
    const page = runtimePage(context, 'listEvents', query)
    const rows = await listEvents(services.db, caller.botId, getViewer(caller), {
      ...query,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [row.id])
    return { events: await shown(services.db, caller.botId, items), meta }
  },
}

async function enqueueScheduled({ db, dueIn }: Services & Own, event: NewEvent, due: DueTime) {
  const { row, waitMs } = await scheduleEvent(db, event, due)
  dueIn(waitMs)
  return row
}

const shown = async (db: Db, botId: string, rows: EventRow[]) =>
  addWorkflows(db, botId, await toEvents(db, botId, rows))

import type { Event, Handlers, runtime } from '@botstead/contract'
import type { BotServices } from '../../bots/index.ts'
import type { Db } from '../../db/index.ts'
import { type Contexts, getViewer, runtimePage, toListPage } from '../../http/index.ts'
import {
  cancelScheduledEvent,
  checkNewEvent,
  enqueueEvent,
  findEvent,
  listBotEvents,
  noEvent,
} from '../../messaging/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import { addWorkflows, checkWorkflow } from '../../workflows/index.ts'

export const events: Handlers<typeof runtime.events, Contexts<BotServices & QueueServices>> = {
  async createEvent({ services, caller }, { body }) {
    const { db } = services
    const checked = await checkNewEvent(services, caller, body)
    if (body.workflowId !== undefined) await checkWorkflow(db, caller.botId, body.workflowId)
    const event = await enqueueEvent(services, checked)
    return { event: await withWorkflow(db, caller.botId, event) }
  },

  async cancelScheduledEvent({ services, caller }, { params }) {
    await cancelScheduledEvent(services.db, caller.botId, params.id, getViewer(caller))
    return {}
  },

  async getEvent({ services: { db }, caller }, { params }) {
    const event = await findEvent(db, caller.botId, params.id, getViewer(caller))
    if (!event) throw noEvent(params.id)
    return { event: await withWorkflow(db, caller.botId, event) }
  },

  async listEvents(context, { query }) {
    const { services, caller } = context
    const page = runtimePage(context, 'listEvents', query)
    const found = await listBotEvents(services.db, caller.botId, getViewer(caller), {
      ...query,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, found, ({ id }) => [id])
    return { events: await addWorkflows(services.db, caller.botId, items), meta }
  },
}

const withWorkflow = async (db: Db, botId: string, event: Event) =>
  (await addWorkflows(db, botId, [event]))[0]!

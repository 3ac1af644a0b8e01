import type { Event, Handlers, runtime } from '@botstead/contract'
import {
  type Contexts,
  getViewer,
  type HttpServices,
  runtimePage,
  type Services,
  toListPage,
} from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import { findEvent, listBotEvents } from '../../event-serializers.ts'
import { noEvent } from '../../events/events.ts'
import { checkNewEvent, enqueueEvent } from '../../events/new-events.ts'
import { cancelScheduledEvent } from '../../events/scheduled-events.ts'
import type { MessagingServices } from '../../services.ts'

type Own = HttpServices & Pick<MessagingServices, 'hooks'> & QueueServices

export const events: Handlers<typeof runtime.events, Contexts<Own>> = {
  async createEvent({ services, caller }, { body }) {
    const { db, hooks } = services
    const checked = await checkNewEvent(services, caller, body)
    for (const check of hooks.checkEvent) await check(db, caller.botId, body)
    const event = await enqueueEvent(services, checked)
    return { event: (await complete(services, caller.botId, [event]))[0]! }
  },

  async cancelScheduledEvent({ services, caller }, { params }) {
    await cancelScheduledEvent(services.db, caller.botId, params.id, getViewer(caller))
    return {}
  },

  async getEvent({ services, caller }, { params }) {
    const event = await findEvent(services.db, caller.botId, params.id, getViewer(caller))
    if (!event) throw noEvent(params.id)
    return { event: (await complete(services, caller.botId, [event]))[0]! }
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
    return { events: await complete(services, caller.botId, items), meta }
  },
}

/** Adds the current data of other modules, such as workflows. */
async function complete({ db, hooks }: Services & Own, botId: string, events: Event[]) {
  let completed = events
  for (const add of hooks.completeEvents) completed = await add(db, botId, completed)
  return completed
}

import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import { checkBroadcast } from '../../broadcast-input.ts'
import {
  createBroadcast,
  deleteBroadcast,
  findBroadcast,
  listBroadcasts,
  resumeBroadcast,
  stopBroadcast,
  toBroadcast,
} from '../../broadcasts.ts'
import { previewBroadcast } from '../../dry-run.ts'
import {
  listRecipients,
  recipientsCsv,
  reportBroadcast,
  toRecipient,
} from '../../report.ts'

const defaultPerMinute = 600
/** Per page of CSV. */
const exportedRows = 5_000

export const broadcasts: Handlers<typeof platform.broadcasts, Contexts> = {
  async listBroadcasts(context, { query }) {
    const page = operatorPage(context, 'listBroadcasts', query)
    const rows = await listBroadcasts(context.services.db, operated(context.caller), {
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { broadcasts: items.map(toBroadcast), meta }
  },

  async createBroadcast({ services: { db }, caller }, { body }) {
    const botId = operated(caller)
    const { name, perMinute = defaultPerMinute, startAt, ...input } = body
    const checked = await checkBroadcast(db, botId, input)
    const createdBy = caller.account?.accountId ?? null
    const created = { ...checked, name, perMinute, startAt: toDate(startAt), createdBy }
    return { broadcast: toBroadcast(await createBroadcast(db, botId, created)) }
  },

  async previewBroadcast({ services: { db }, caller }, { body }) {
    const botId = operated(caller)
    return previewBroadcast(db, botId, await checkBroadcast(db, botId, body))
  },

  async getBroadcast({ services: { db }, caller }, { params }) {
    const row = await findBroadcast(db, operated(caller), params.id)
    return { broadcast: toBroadcast(row), report: await reportBroadcast(db, row) }
  },

  async stopBroadcast({ services: { db }, caller }, { params }) {
    return {
      broadcast: toBroadcast(await stopBroadcast(db, operated(caller), params.id)),
    }
  },

  async resumeBroadcast({ services: { db }, caller }, { params }) {
    return {
      broadcast: toBroadcast(await resumeBroadcast(db, operated(caller), params.id)),
    }
  },

  async deleteBroadcast({ services: { db }, caller }, { params }) {
    await deleteBroadcast(db, operated(caller), params.id)
    return {}
  },

  async listBroadcastRecipients(context, { params, query }) {
    const { db } = context.services
    const row = await findBroadcast(db, operated(context.caller), params.id)
    const page = operatorPage(context, 'listBroadcastRecipients', {
      ...query,
      id: params.id,
    })
    const { rows, next } = await listRecipients(db, row, {
      state: query.state,
      position: page.position?.[0] ?? null,
      limit: page.limit,
    })
    const meta = next === null ? {} : { nextToken: page.token([next]) }
    return { recipients: rows.map(toRecipient), meta }
  },

  async exportBroadcastRecipients(context, { params, query }) {
    const { db } = context.services
    const row = await findBroadcast(db, operated(context.caller), params.id)
    const page = operatorPage(context, 'exportBroadcastRecipients', {
      ...query,
      id: params.id,
    })
    const position = page.position?.[0] ?? null
    const { rows, next } = await listRecipients(db, row, {
      position,
      limit: query.pageSize ?? exportedRows,
    })
    const csv = recipientsCsv(rows.map(toRecipient), position === null)
    return { csv, meta: next === null ? {} : { nextToken: page.token([next]) } }
  },
}

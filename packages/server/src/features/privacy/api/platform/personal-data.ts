import {
  ApiError,
  type ErasureReceipt,
  type Handlers,
  type PersonalDataCounts,
  type PersonalDataKind,
  type PersonalDataScope,
  type platform,
} from '@botstead/contract'
import type { Db } from '../../../../core/db/index.ts'
import type { BlobServices } from '../../../../core/files/index.ts'
import {
  type Caller,
  type Contexts,
  creationPosition,
  operated,
  operatorPage,
  sendLines,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import { personHomes } from '../../../../core/messaging/index.ts'
import type { TableRuleServices } from '../../../../core/table-rules/index.ts'
import { listBackupsSince } from '../../../archive/index.ts'
import type { ModelServices } from '../../../models/index.ts'
import { splitUser } from '../../../persons/index.ts'
import {
  countPersonalData,
  createErasure,
  findErasure,
  findPerson,
  listErasures,
  toBackup,
  toErasure,
} from '../../erasures.ts'
import { exportPerson } from '../../person-export.ts'
import { verifyReceipt } from '../../receipts.ts'

/**
 * Each holds a connection and a snapshot of the database. A workspace has one at a time, so that it
 * leaves places to others.
 */
const maxExports = 6
/** Time in which the client must read a part; otherwise the export ends. */
const maxStallMs = 60_000
/** Workspaces with a running export. */
const exporting = new Set<string>()

function rejectBusy(workspaceId: string) {
  if (exporting.has(workspaceId))
    throw new ApiError(
      'Unavailable',
      'An export of this workspace is running: wait for its end',
    )
  if (exporting.size >= maxExports)
    throw new ApiError(
      'Unavailable',
      `${maxExports} exports are running: wait for their end`,
    )
}

export const personalData: Handlers<
  typeof platform.personalData,
  Contexts<BlobServices & ModelServices & TableRuleServices>
> = {
  async countPersonalData({ services, caller }, { params, query }) {
    const { db, database, models, tableRules } = services
    const { recordings } = models.deps
    const people = await findPeople(db, operated(caller), params.id, query.scope)
    const since = people
      .map(({ createdAt }) => createdAt)
      .sort((a, b) => Number(a) - Number(b))[0]!
    const backups = await listBackupsSince(database, caller.workspaceId, since)
    const counts: PersonalDataCounts = {}
    for (const person of people)
      addCounts(counts, await countPersonalData({ db, recordings, tableRules }, person))
    return { counts, backups: backups.map(toBackup) }
  },

  async exportPersonalData({ services, caller, request, reply }, { params, query }) {
    const [person, ...others] = await findPeople(
      services.db,
      operated(caller),
      params.id,
      query.scope,
    )
    rejectBusy(caller.workspaceId)
    exporting.add(caller.workspaceId)
    try {
      const parts = whileRead(
        exportPerson(
          { ...services, recordings: services.models.deps.recordings },
          person!,
          others,
        ),
        () => reply.raw.destroy(),
      )
      reply.header('content-disposition', `attachment; filename="${params.id}.tar.gz"`)
      await sendLines(request, reply, 'application/gzip', parts, (error) => {
        services.log.warn({ err: error }, "an export of a user's data broke off")
        reply.raw.destroy()
        return ''
      })
    } finally {
      exporting.delete(caller.workspaceId)
    }
    return undefined as never
  },

  async erasePersonalData({ services, caller }, { params, body }) {
    const request = toRequest(caller)
    const [erasure, ...others] = await services.inTransaction(async ({ db }) => {
      if (body.scope === 'user') await splitUser(db, request.botId, params.id)
      const rows = []
      for (const userId of await listUserIds(db, request.botId, params.id))
        rows.push(await createErasure(db, { ...request, userId }))
      return rows.map(toErasure)
    })
    return { erasure: erasure!, ...(others.length > 0 && { others }) }
  },

  async repeatErasure({ services: { db, secrets }, caller }, { body: { receipt } }) {
    const request = toRequest(caller)
    const { isValid, reason } = verifyReceipt(secrets, receipt)
    if (!isValid)
      throw new ApiError('InvalidPayload', `\`receipt\` is not valid here: ${reason}`)
    const { botId, userId } = receipt as ErasureReceipt
    if (botId !== request.botId)
      throw new ApiError('InvalidPayload', `\`receipt\` belongs to the bot "${botId}"`)
    const row = await createErasure(db, { ...request, userId }, { mayBeDeleted: true })
    return { erasure: toErasure(row) }
  },

  async listErasures(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listErasures', query)
    const rows = await listErasures(context.services.db, botId, {
      after: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { erasures: items.map(toErasure), meta }
  },

  async getErasure({ services: { db }, caller }, { params }) {
    return { erasure: toErasure(await findErasure(db, operated(caller), params.id)) }
  },

  async verifyErasureReceipt({ services: { secrets } }, { body: { receipt } }) {
    return verifyReceipt(secrets, receipt)
  },
}

/** Returns the user first, and then the others of its person; without an unknown user, this user alone. */
async function listUserIds(db: Db, botId: string, id: string): Promise<string[]> {
  const ids = await personHomes.listUsersOfPerson(db, botId, id)
  return [id, ...ids.filter((other) => other !== id)]
}

/** Throws ResourceNotFound. */
async function findPeople(
  db: Db,
  botId: string,
  id: string,
  scope: PersonalDataScope = 'person',
) {
  const ids = scope === 'user' ? [id] : await listUserIds(db, botId, id)
  return Promise.all(ids.map((userId) => findPerson(db, botId, userId)))
}

function addCounts(sum: PersonalDataCounts, counts: PersonalDataCounts): void {
  for (const [kind, count] of Object.entries(counts) as [PersonalDataKind, number][])
    sum[kind] = (sum[kind] ?? 0) + count
}

const toRequest = (caller: Caller<'bot'>) => ({
  workspaceId: caller.workspaceId,
  botId: operated(caller),
  requestedBy: caller.account?.accountId ?? null,
})

/** Calls `onStall` if the reader of the parts does not continue in time. */
async function* whileRead(parts: AsyncGenerator<Buffer>, onStall: () => void) {
  for await (const part of parts) {
    const timer = setTimeout(onStall, maxStallMs)
    try {
      yield part
    } finally {
      clearTimeout(timer)
    }
  }
}

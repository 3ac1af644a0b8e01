import { ApiError, type ErasureReceipt, type Handlers, type platform } from '@botstead/contract'
import type { BlobServices } from '../../../../core/blobs/index.ts'
import {
  type BotCaller,
  type Contexts,
  creationPosition,
  operated,
  operatorPage,
  sendLines,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import type { TableRuleServices } from '../../../../core/table-rules/index.ts'
import { createSigner, listBackupsSince } from '../../../archive/index.ts'
import type { ModelServices } from '../../../models/index.ts'
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
    throw new ApiError('Unavailable', 'An export of this workspace is running: wait for its end')
  if (exporting.size >= maxExports)
    throw new ApiError('Unavailable', `${maxExports} exports are running: wait for their end`)
}

export const personalData: Handlers<
  typeof platform.personalData,
  Contexts<BlobServices & ModelServices & TableRuleServices>
> = {
  async countPersonalData({ services, caller }, { params }) {
    const { db, database, models, tableRules } = services
    const { recordings } = models.deps
    const person = await findPerson(db, operated(caller), params.id)
    const backups = await listBackupsSince(database, caller.workspaceId, person.createdAt)
    const counts = await countPersonalData({ db, recordings, tableRules }, person)
    return { counts, backups: backups.map(toBackup) }
  },

  async exportPersonalData({ services, caller, request, reply }, { params }) {
    const person = await findPerson(services.db, operated(caller), params.id)
    rejectBusy(caller.workspaceId)
    exporting.add(caller.workspaceId)
    try {
      const parts = whileRead(
        exportPerson({ ...services, recordings: services.models.deps.recordings }, person),
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

  async erasePersonalData({ services: { db }, caller }, { params }) {
    const request = { ...toRequest(caller), userId: params.id }
    return { erasure: toErasure(await createErasure(db, request)) }
  },

  async repeatErasure({ services: { db, secrets }, caller }, { body: { receipt } }) {
    const request = toRequest(caller)
    const { isValid, reason } = verifyReceipt(createSigner(secrets), receipt)
    if (!isValid) throw new ApiError('InvalidPayload', `\`receipt\` is not valid here: ${reason}`)
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
    return verifyReceipt(createSigner(secrets), receipt)
  },
}

const toRequest = (caller: BotCaller) => ({
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

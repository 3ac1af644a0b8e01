import { ApiError, type files as contract, type Handlers } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import { documentAccess, fileAccess, tagFilter } from '../../../../core/files/index.ts'
import { type Contexts, parsePage, toListPage } from '../../../../core/http/index.ts'
import { toTitle } from '../../search/indexer.ts'
import { listPassages, setPassages } from '../../search/passages.ts'
import { findReadBot } from '../../search/read-bot.ts'
import { searchPassages, toMeta } from '../../search/results.ts'
import type { KnowledgeServices } from '../../services.ts'

const maxQueryBytes = 1_024

export const passages: Handlers<
  (typeof contract)['passages'],
  Contexts<KnowledgeServices & BotServices>
> = {
  async searchFiles({ services, caller, request }, { query }) {
    const { viewer } = fileAccess(caller, request.headers)
    if (Buffer.byteLength(query.query) > maxQueryBytes)
      throw new ApiError(
        'InvalidQuery',
        `\`query\` must have at most ${maxQueryBytes} bytes`,
      )
    return {
      passages: await searchPassages(
        services.db,
        await findReadBot(services, caller),
        { ...query, viewer, tags: tagFilter.parse(query.tags) },
        services,
      ),
    }
  },

  async listFilePassages({ services, caller, request }, { params, query }) {
    const file = await documentAccess(caller, request.headers).find(
      services.db,
      params.id,
    )
    const page = parsePage(services, ['listFilePassages', caller.botId, file.id], {
      ...query,
      pageSize: query.limit ?? query.pageSize,
    })
    const rows = await listPassages(
      services.db,
      { botId: caller.botId, fileId: file.id },
      { after: page.position && Number(page.position[0]), limit: page.limit },
    )
    const { items, meta } = toListPage(page, rows, (row) => [String(row.position)])
    return {
      passages: items.map((row) => ({
        id: row.id,
        content: row.content,
        meta: { type: 'chunk' as const, ...toMeta(row) },
      })),
      meta,
    }
  },

  async setFilePassages({ services, caller, request }, { params, body }) {
    const access = fileAccess(caller, request.headers)
    const file = await access.find(services.db, params.id)
    if (!access.mayWrite(file))
      throw new ApiError('Forbidden', 'This caller may only read this file')
    await setPassages(
      services.db,
      { botId: caller.botId, fileId: file.id },
      toTitle(file.key),
      body.passages,
    )
    return {}
  },
}

import {
  ApiError,
  type CopilotAllowance,
  type Handlers,
  type platform,
} from '@botstead/contract'
import { type Bot, botStore } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  parsePage,
  type Services,
  toListPage,
} from '../../../../core/http/index.ts'
import type { ModelServices } from '../../../models/index.ts'
import { openDraft } from '../../../studio/index.ts'
import { perDay, perRequest } from '../../copilot/limits.ts'
import {
  createRun,
  findRun,
  listRuns,
  stopRun,
  sumUseOfDay,
  toRun,
} from '../../copilot/runs.ts'

type Own = ModelServices

export const copilot: Handlers<typeof platform.copilot, Contexts<Own>> = {
  async listCopilotRuns({ services, caller }, { params, query }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    const page = parsePage(services, ['platform.listCopilotRuns', bot.id], query)
    const rows = await listRuns(services.db, bot.id, {
      before: page.position && Number(page.position[0]),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ number }) => [String(number)])
    return { runs: items.map(toRun), allowance: await readAllowance(services, bot), meta }
  },

  async startCopilotRun({ services, caller }, { params, body }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    const { hasModel, usedToday } = await readAllowance(services, bot)
    if (!hasModel)
      throw new ApiError(
        'ReferenceNotFound',
        'The bot has no language model: set one up in Server settings, or as a provider of the workspace',
        { metadata: { subtype: 'NO_MODEL' } },
      )
    if (usedToday.tokens >= perDay.tokens || usedToday.dollars >= perDay.dollars)
      throw new ApiError(
        'QuotaExceeded',
        'The copilot of this bot has used its allowance for the day: continue tomorrow',
      )
    const { revision, text, format } = await openDraft(services, bot)
    const { request } = body
    const run = { request, createdBy: caller.accountId, base: { revision, text, format } }
    const row = await services.inTransaction(({ db }) => createRun(db, bot.id, run))
    return { run: toRun(row) }
  },

  async getCopilotRun({ services, caller, request }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    const row = await findRun(services.db, bot.id, toNumber(params.number))
    const { base_text: baseText, text } = row
    return { run: toRun(row), format: row.format as 'JSON' | 'YAML', baseText, text }
  },

  async stopCopilotRun({ services, caller }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    return { run: toRun(await stopRun(services.db, bot.id, toNumber(params.number))) }
  },
}

const toNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : -1)

async function readAllowance(
  services: Services & Own,
  bot: Bot,
): Promise<CopilotAllowance> {
  return {
    hasModel: await services.models.hasTextModel(bot.workspace_id),
    perRequest,
    perDay,
    usedToday: await sumUseOfDay(services.db, bot.id),
  }
}

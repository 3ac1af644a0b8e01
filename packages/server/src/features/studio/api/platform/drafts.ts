import type {
  DraftRevision,
  DraftTextEntry,
  Handlers,
  platform,
} from '@botstead/contract'
import type { TranslatedText } from '@botstead/flows/texts'
import { botStore } from '../../../../core/bots/index.ts'
import { type Contexts, parsePage, toListPage } from '../../../../core/http/index.ts'
import type { DeployServices } from '../../../versions/index.ts'
import { isNotFlows } from '../../deployed-document.ts'
import { testDraft } from '../../draft-tests.ts'
import { listTexts, saveTexts } from '../../draft-texts.ts'
import {
  findRevision,
  listRevisions,
  noRevision,
  type RevisionRow,
} from '../../drafts.ts'
import { publishDraft, tryDraft } from '../../publishing.ts'
import { discardDraft, openDraft, saveDraft, toBotDraft, toEditor } from '../../saving.ts'

export const drafts: Handlers<typeof platform.drafts, Contexts<DeployServices>> = {
  async getBotDraft({ services, caller, request }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    const draft = await openDraft(services, bot).catch(toNoDraft)
    return { draft: draft && toBotDraft(draft) }
  },

  async saveBotDraft({ services, caller, request }, { params, body }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    const { draft, overwritten } = await saveDraft(services, bot, caller.accountId, body)
    return { draft: toBotDraft(draft), overwritten }
  },

  async discardBotDraft({ services, caller, request }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    return { draft: toBotDraft(await discardDraft(services, bot, caller.accountId)) }
  },

  async listDraftTexts({ services, caller, request }, { params, query }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    const page = parsePage(services, ['platform.listDraftTexts', bot.id], query)
    const from = page.position ? Number(page.position[0]) : 0
    const found = await listTexts(services, bot, { from, limit: page.limit + 1 })
    const numbered = found.texts.map((text, index) => ({ text, next: from + index + 1 }))
    const { items, meta } = toListPage(page, numbered, ({ next }) => [String(next)])
    const texts = items.map(({ text }) => toDraftTextEntry(text))
    return { original: found.original ?? null, languages: found.languages, texts, meta }
  },

  async saveDraftTexts({ services, caller }, { params, body: { changes } }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    return { revision: await saveTexts(services, bot, caller.accountId, changes) }
  },

  async listDraftRevisions({ services, caller }, { params, query }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    const page = parsePage(services, ['platform.listDraftRevisions', bot.id], query)
    const rows = await listRevisions(services.db, bot.id, {
      before: page.position && Number(page.position[0]),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ revision }) => [String(revision)])
    return { revisions: items.map(toDraftRevision), meta }
  },

  async getDraftRevision({ services, caller, request }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    const number = /^\d{1,9}$/.test(params.revision) ? Number(params.revision) : -1
    const found = await findRevision(services.db, bot.id, number)
    if (!found) throw noRevision(params.revision)
    request.isLarge = true // for its response
    return { revision: toDraftRevision(found), text: found.text }
  },

  async publishBotDraft(context, { params, body }) {
    const { services, caller, request } = context
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    request.isLarge = true // for its response
    const version = await publishDraft(context, bot, body)
    return { draft: toBotDraft(await openDraft(services, bot)), version }
  },

  async tryBotDraft(context, { params, body: { revision } }) {
    const bot = await botStore.find(
      context.services.db,
      context.caller.workspaceId,
      params.botId,
    )
    const { loadError, ...trial } = await tryDraft(context, bot, revision)
    return { ...trial, revision, ...(loadError !== null && { loadError }) }
  },

  async testBotDraft({ services, caller }, { params, body }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.botId)
    const results = await testDraft(services, bot, body)
    return { passed: results.filter(({ failure }) => !failure).length, results }
  },
}

/** Returns null for a bot made of code; throws other errors. */
function toNoDraft(error: unknown): null {
  if (isNotFlows(error)) return null
  throw error
}

const toDraftTextEntry = ({
  key,
  text,
  pointer,
  flow,
  node,
  cardType,
  translations,
}: TranslatedText): DraftTextEntry => ({
  key,
  text,
  isStandard: pointer === null,
  ...(flow !== undefined && { flow }),
  ...(node !== undefined && { node }),
  ...(cardType !== undefined && { card: cardType }),
  translations,
})

const toDraftRevision = (row: RevisionRow): DraftRevision => ({
  revision: row.revision,
  format: row.format,
  createdAt: row.createdAt.toISOString(),
  createdBy: toEditor(row.author),
  isPublished: row.isPublished,
})

// A bot as a new user makes it: from the example "Questions and answers", with own documents in place
// of the samples.
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  createClient,
  createMissingData,
  findKnowledgeBases,
  toRoutes,
} from '@botstead/client'
import { families } from '@botstead/contract'
import { adminHeaders, type RunningServer } from '../botstead-server.ts'
import type { Company } from './companies.ts'
import { buildFiles } from './documents/files.ts'

const example = 'faq-bot'
const pollMs = 500
const maxIndexMs = 2_400_000

export interface CompanyBot {
  company: Company
  client: Client
  botId: string
  /** Path of the Chat API. */
  chatPath: string
}

/** Resolves when the documents are uploaded; their indexing continues. */
export async function createCompanyBot(
  { credentials }: RunningServer,
  company: Company,
): Promise<CompanyBot> {
  const { url } = credentials
  const headers = adminHeaders(credentials)
  const routes = toRoutes(families)
  const { admin, platform } = createClient({ routes, url, headers })
  const { example: found } = await platform.getExample({ params: { example } })
  const document = JSON.parse(found.files['bot.json']!)
  const { bot } = await admin.createBot({ body: { name: company.name } })
  const client = createClient({
    routes,
    url,
    headers: { ...headers, 'x-bot-id': bot.id },
  })
  await createMissingData(client, document)
  const params = { id: bot.id }
  await admin.publishFromBotJson({ params, body: { botJson: document } })
  const [knowledgeBase] = (await findKnowledgeBases(client)).values()
  await upload(client, knowledgeBase!, company)
  return { company, client, botId: bot.id, chatPath: await findChat(client, bot.id) }
}

async function findChat({ admin }: Client, id: string): Promise<string> {
  const { bot } = await admin.getBot({ params: { id } })
  const installed = Object.values(bot.integrations as Record<string, Installed>)
  return `/chat/${installed.find(({ name }) => name === 'chat')!.webhookId}`
}

interface Installed {
  name: string
  webhookId: string
}

/** With the tags of the page Knowledge. */
async function upload({ files }: Client, kbId: string, company: Company) {
  for (const { name, content, contentType } of buildFiles(company)) {
    const title = name.replace(/\.\w+$/, '')
    const { file } = await files.upsertFile({
      body: {
        key: `knowledge/${kbId}/${name}`,
        size: content.length,
        contentType,
        index: true,
        tags: { source: 'knowledge-base', kbId, title },
      },
    })
    const { ok, status } = await fetch(file.uploadUrl!, {
      method: 'PUT',
      headers: { 'content-type': file.contentType },
      body: new Uint8Array(content),
    })
    if (!ok) throw new Error(`The upload of ${name} failed with status ${status}`)
  }
}

/** How searches of the bot work. */
export interface Indexed {
  /** The embedding model; null: searches are by words only. */
  model: string | null
  passages: number | null
}

interface Meaning {
  model: string | null
  passages: number
  embedded: number
  /** In languages that the model does not know. */
  wordsOnly: number
}

/**
 * Waits until searches find all passages, also by meaning. Throws if a document cannot be read, or after 40
 * minutes.
 */
export async function waitForIndex({ client, company }: CompanyBot): Promise<Indexed> {
  for (
    const end = performance.now() + maxIndexMs;
    performance.now() < end;
    await pause(pollMs)
  ) {
    const { counts, ...rest } = await client.platform.countFiles({})
    const findCount = (wanted: string) =>
      counts.find(({ status }) => status === wanted)?.count ?? 0
    if (findCount('indexing_failed') > 0)
      throw new Error(`Documents of ${company.name} cannot be read`)
    const { meaning } = rest as { meaning?: Meaning }
    const isEmbedded =
      !meaning?.model || meaning.embedded + meaning.wordsOnly >= meaning.passages
    if (
      findCount('indexing_completed') === Object.keys(company.documents).length &&
      isEmbedded
    )
      return { model: meaning?.model ?? null, passages: meaning?.passages ?? null }
  }
  throw new Error(
    `The documents of ${company.name} are not indexed after ${maxIndexMs / 1000} s`,
  )
}

// What a channel finds and stores on this server.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Host } from '@botstead/channels'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { contentPath, contentUrl, fileStore, storeFile } from '../../core/files/index.ts'
import { conversationStore, hasTags, messageStore } from '../../core/messaging/index.ts'
import type { ChannelDeps } from './deps.ts'

interface Installed {
  botId: string
  alias: string
  integrationId: string
}

/** Providers do not take larger files. */
const maxFileBytes = 100 * 2 ** 20

export const createHost = (deps: ChannelDeps, installed: Installed): Host => ({
  storeFile: (file) => storePublicFile(deps, installed, file),
  readFile: (url) => readFile(deps, installed.botId, url),
  findMessage: (id) =>
    nullIfMissing(async () => {
      const row = await messageStore.find(deps.db, installed.botId, id, installed.alias)
      const { conversation_id: conversationId, type, payload, tags } = row
      return { id, conversationId, type, payload, tags }
    }),
  async findSent(conversationId, tags) {
    const { botId, alias } = installed
    const { rows } = await sql<{ id: string }>`
      select id from (
        select id, direction, tags, number from message
        where bot_id = ${botId} and conversation_id = ${conversationId} order by number desc limit 50
      ) latest
      where direction = 'outgoing' and ${hasTags(withAlias(tags, alias))}
      order by number desc limit 1`.execute(deps.db)
    return rows[0]?.id ?? null
  },
  async listRecent(conversationId) {
    const { rows } = await sql<{
      id: string
      direction: string
      tags: Record<string, string>
      created_at: Date
    }>`
      select id, direction, tags, created_at from message
      where bot_id = ${installed.botId} and conversation_id = ${conversationId}
      order by number desc limit 50`.execute(deps.db)
    return rows.map(({ id, direction, tags, created_at: createdAt }) => ({
      id,
      isOwn: direction === 'outgoing',
      tags,
      createdAt,
    }))
  },
  findConversation: (id) =>
    nullIfMissing(async () => {
      const { channel, tags } = await conversationStore.find(
        deps.db,
        installed.botId,
        id,
        installed.alias,
      )
      return { channel, tags: withoutAlias(tags, installed.alias) }
    }),
  async openConversation({ channel, tags, by }) {
    const { botId, alias } = installed
    const wanted = { integration: alias, channel, tags }
    return (await conversationStore.getOrCreate(deps.db, botId, alias, wanted, by)).row.id
  },
  storeSent: (conversationId, { type, payload, tags }) =>
    deps.inTransaction(async ({ messages }) => {
      const { botId, alias } = installed
      await messages.post({
        botId,
        conversationId,
        userId: botId,
        direction: 'outgoing',
        origin: 'synthetic',
        type,
        payload,
        tags: withAlias(tags, alias),
        cause: null,
      })
    }),
})

/** Returns the tags of messages and conversations for an integration's own ones. */
export const withAlias = (tags: Record<string, string>, alias: string) =>
  Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [`${alias}:${name}`, value]),
  )

/** Returns an integration's own tags by their names in its definition. */
export const withoutAlias = (tags: Record<string, string>, alias: string) =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) =>
      name.startsWith(`${alias}:`) ? [[name.slice(alias.length + 1), value]] : [],
    ),
  )

/** Everyone with the URL may read the file, as messages of people are shown to members. */
async function storePublicFile(
  deps: ChannelDeps,
  { botId, alias, integrationId }: Installed,
  { key, contentType, content }: Parameters<Host['storeFile']>[0],
): Promise<string> {
  const file = {
    key: `channels/${alias}/${key}`,
    size: content.length,
    contentType,
    accessPolicies: ['public_content'],
    owner: { type: 'integration' as const, id: integrationId, alias },
  }
  const fileId = await storeFile(deps, botId, file, Readable.from([content]))
  return contentUrl(deps.secrets, deps.publicUrl(), { botId, fileId, isPublic: true })
}

/** Null for the URL of another server, for files that not everyone with the URL may read, and larger ones. */
export async function readFile(
  { db, blobs, publicUrl }: ChannelDeps,
  botId: string,
  url: string,
  maxBytes = maxFileBytes,
): Promise<{ name: string; contentType: string; content: Buffer } | null> {
  const prefix = `${publicUrl()}${contentPath}/${encodeURIComponent(botId)}/`
  if (!url.startsWith(prefix)) return null
  const fileId = decodeURIComponent(url.slice(prefix.length).split(/[/?#]/)[0] ?? '')
  return nullIfMissing(async () => {
    const { key, contentType, size, blob } = await fileStore.findContent(
      db,
      botId,
      fileId,
      {
        publicOnly: !new URL(url).searchParams.has('signature'),
      },
    )
    if (size > maxBytes) return null
    const content = await buffer(await blobs.read(blob))
    return { name: key.split('/').at(-1) || 'file', contentType, content }
  })
}

async function nullIfMissing<T>(find: () => Promise<T | null>): Promise<T | null> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ApiError && error.type === 'ResourceNotFound') return null
    throw error
  }
}

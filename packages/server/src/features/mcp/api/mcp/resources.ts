// The bot's indexed files as resources. Their content is the text that the server has extracted, in
// parts.
import { ApiError } from '@botstead/contract'
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js'
import { fileAccess, fileStore } from '../../../../core/files/index.ts'
import { parsePage, toListPage } from '../../../../core/http/index.ts'
import { listPassages } from '../../../knowledge/index.ts'
import type { BotContext } from './caller.ts'

const pageSize = 100
/** Maximum characters of one part, exceeded by at most one passage. */
const maxLength = 100_000
const passagesAtOnce = 100

const root = 'botstead://files/'

export const resourceUri = (fileId: string) => root + encodeURIComponent(fileId)

export const resourceTemplates = [
  {
    uriTemplate: `${root}{id}{?from}`,
    name: 'Text of a file',
    description: 'Text of an indexed file, from a passage on (0 is the first)',
    mimeType: 'text/plain',
  },
]

/** Throws InvalidQuery for a cursor of another listing, Forbidden without access to files. */
export async function listResources(
  { services, caller, request }: BotContext,
  cursor: string | undefined,
) {
  const { viewer } = fileAccess(caller, request.headers)
  const listing = ['mcp.resources', caller.botId]
  const page = parsePage(services, listing, { nextToken: cursor, pageSize })
  const rows = await fileStore.list(services.db, caller.botId, {
    viewer,
    tags: [],
    indexed: true,
    sort: 'createdAt',
    direction: 'desc',
    limit: page.limit + 1,
    position: page.position,
  })
  const { items, meta } = toListPage(page, rows, (row) =>
    fileStore.position(row, 'createdAt'),
  )
  return {
    resources: items.map(
      ({ id, key, tags, updated_at }): Resource => ({
        uri: resourceUri(id),
        name: key,
        ...(typeof tags.title === 'string' && { title: tags.title }),
        mimeType: 'text/plain',
        annotations: { lastModified: updated_at.toISOString() },
      }),
    ),
    ...(meta.nextToken !== undefined && { nextCursor: meta.nextToken }),
  }
}

/** Throws ResourceNotFound, Forbidden. */
export async function readResource(
  { services, caller, request }: BotContext,
  uri: string,
): Promise<ReadResourceResult> {
  const access = fileAccess(caller, request.headers)
  const { fileId, from } = parseUri(uri)
  const file = await access.find(services.db, fileId)
  if (!file.index || file.id !== fileId) throw noResource(uri)
  const { texts, next } = await readPassages(services.db, caller.botId, fileId, from)
  const rest = next === null ? [] : [`[Continued in ${resourceUri(fileId)}?from=${next}]`]
  return {
    contents: [{ uri, mimeType: 'text/plain', text: [...texts, ...rest].join('\n\n') }],
  }
}

/** `next` is the position of the passage after these; null at the end of the file. */
async function readPassages(
  db: BotContext['services']['db'],
  botId: string,
  fileId: string,
  from: number,
) {
  const texts: string[] = []
  let [length, position] = [0, from]
  for (;;) {
    const rows = await listPassages(
      db,
      { botId, fileId },
      { after: position - 1, limit: passagesAtOnce },
    )
    for (const row of rows.slice(0, passagesAtOnce)) {
      if (length >= maxLength) return { texts, next: row.position }
      texts.push(row.content)
      length += row.content.length
      position = row.position + 1
    }
    if (rows.length <= passagesAtOnce) return { texts, next: null }
  }
}

function parseUri(uri: string): { fileId: string; from: number } {
  const match = /^botstead:\/\/files\/([\w-]{1,64})(?:\?from=(\d{1,9}))?$/.exec(uri)
  if (!match) throw noResource(uri)
  return { fileId: match[1]!, from: Number(match[2] ?? 0) }
}

const noResource = (uri: string) =>
  new ApiError('ResourceNotFound', `Resource "${uri.slice(0, 200)}" was not found`)

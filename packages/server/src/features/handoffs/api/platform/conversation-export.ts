// A conversation as a file, written page by page, so that its length does not matter.
import type { Services } from '../../../../core/http/index.ts'
import {
  type ConversationRow,
  listParticipants,
  toConversation,
  toUser,
} from '../../../../core/messaging/index.ts'
import {
  readTranscript,
  type TranscriptPosition,
  type TranscriptRow,
  toPosition,
  transcriptEnds,
} from '../../search/transcripts.ts'
import { toTranscriptMessage } from './transcript.ts'

const pageSize = 500

export const exportTypes = {
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/** Yields a JSON object with an item of a list in each line. */
export async function* exportedJson(services: Services, conversation: ConversationRow) {
  yield `{"conversation":${JSON.stringify(toConversation(conversation))},\n"participants":[`
  yield* separated(readParticipants(services, conversation), (row) =>
    JSON.stringify(toUser(row)),
  )
  yield '],\n"messages":['
  const toJson = (row: TranscriptRow) => JSON.stringify(toTranscriptMessage(row))
  yield* separated(readMessages(services, conversation), toJson)
  yield ']}\n'
}

/** Yields a line per message; further lines of a message are indented. */
export async function* exportedText(services: Services, conversation: ConversationRow) {
  const { id, integration, channel, message_count: count } = conversation
  yield `Conversation ${id} (${integration}, ${printable(channel)}), ${count} messages\n\n`
  for await (const page of readMessages(services, conversation))
    yield page.map(toLines).join('')
}

function toLines(row: TranscriptRow): string {
  const author = row.author_name ?? (row.user_id === row.bot_id ? 'Bot' : row.user_id)
  const time = row.created_at.toISOString()
  return `${time}  ${printable(author).replaceAll('\n', ' ')}: ${toText(row)}\n`
}

function toText({ type, payload }: TranscriptRow): string {
  const { text, markdown, transcript } = payload
  const own = [text, markdown, transcript].find((value) => typeof value === 'string')
  const shown = own ?? `[${type}] ${JSON.stringify(payload)}`
  return printable(shown as string).replaceAll('\n', '\n    ')
}

/** Without characters by which a text could imitate other lines or control a terminal. */
const printable = (text: string) =>
  text
    .replaceAll(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�')

/** Yields pages of items, with commas between all items. */
async function* separated<Item>(
  pages: AsyncIterable<Item[]>,
  write: (item: Item) => string,
) {
  let separator = '\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map(write).join(',\n')
    separator = ',\n'
  }
}

async function* readMessages({ database }: Services, { bot_id, id }: ConversationRow) {
  const place = { botId: bot_id, conversationId: id }
  let position: TranscriptPosition = transcriptEnds.start
  for (;;) {
    const page = await readTranscript(database, place, 'newer', position, pageSize)
    yield page
    if (page.length < pageSize) return
    position = toPosition(page.at(-1)!)
  }
}

async function* readParticipants({ db }: Services, { bot_id, id }: ConversationRow) {
  let position: { at: Date; id: string } | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof listParticipants>> = await listParticipants(
      db,
      bot_id,
      id,
      { position, limit: pageSize },
    )
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    position = { at: last.joined_at, id: last.id }
  }
}

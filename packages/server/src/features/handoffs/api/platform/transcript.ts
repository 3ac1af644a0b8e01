// Pages of a conversation's transcript, which continue in both directions.
import type { TranscriptMessage } from '@botstead/contract'
import type { PageRequest } from '../../../../core/http/index.ts'
import { type MessageRow, toMessage } from '../../../../core/messaging/index.ts'
import {
  type Direction,
  positionBefore,
  type TranscriptPosition,
  type TranscriptRow,
  toPosition,
  transcriptEnds,
} from '../../search/transcripts.ts'

interface Transcript {
  messages: TranscriptMessage[]
  meta: { older?: string; newer?: string }
}

type Page = Pick<PageRequest<string[]>, 'limit' | 'token'>

/** Reads up to `limit` messages on one side of a position. */
export type ReadTranscript = (
  direction: Direction,
  position: TranscriptPosition,
  limit: number,
) => Promise<TranscriptRow[]>

export const firstPage = (page: Page, read: ReadTranscript) =>
  newerPage(page, read, transcriptEnds.start)

export async function lastPage(page: Page, read: ReadTranscript): Promise<Transcript> {
  const older = await olderPage(page, read, transcriptEnds.end)
  const newer = older.last && toToken(page, 'newer', toPosition(older.last))
  return { messages: older.messages, meta: { ...older.meta, ...(newer && { newer }) } }
}

/** Half of the page is older than the message. */
export async function pageAround(
  page: Page,
  read: ReadTranscript,
  message: MessageRow,
): Promise<Transcript> {
  const before = Math.floor(page.limit / 2)
  const [older, newer] = await Promise.all([
    olderPage({ ...page, limit: before }, read, toPosition(message)),
    newerPage({ ...page, limit: page.limit - before }, read, positionBefore(message)),
  ])
  return {
    messages: [...older.messages, ...newer.messages],
    meta: { ...older.meta, ...newer.meta },
  }
}

/** Returns the page after the position of a token. */
export async function continuedPage(
  page: Page,
  read: ReadTranscript,
  [direction, at, number]: string[],
): Promise<Transcript> {
  const position = { at: new Date(at!), number: number! }
  if (direction === 'newer') return newerPage(page, read, position)
  const { messages, meta, last } = await olderPage(page, read, position)
  // Lets clients that read everything again continue to the later pages.
  const newer = last && toToken(page, 'newer', toPosition(last))
  return { messages, meta: { ...meta, ...(newer && { newer }) } }
}

async function olderPage(page: Page, read: ReadTranscript, from: TranscriptPosition) {
  const rows = await read('older', from, page.limit + 1)
  const items = rows.slice(0, page.limit)
  const hasMore = rows.length > page.limit
  // A page around a message may have no older half; its token is the message's position.
  const end = items.length > 0 ? toPosition(items.at(-1)!) : from
  return {
    messages: items.toReversed().map(toTranscriptMessage),
    meta: hasMore ? { older: toToken(page, 'older', end) } : {},
    last: items[0],
  }
}

async function newerPage(
  page: Page,
  read: ReadTranscript,
  from: TranscriptPosition,
): Promise<Transcript> {
  const rows = await read('newer', from, page.limit)
  const end = rows.length > 0 ? toPosition(rows.at(-1)!) : from
  const newer = typeof end.at === 'string' ? {} : { newer: toToken(page, 'newer', end) }
  return { messages: rows.map(toTranscriptMessage), meta: newer }
}

const toToken = (
  { token }: Page,
  direction: Direction,
  { at, number }: TranscriptPosition,
) => token([direction, new Date(at).toISOString(), number])

export const toTranscriptMessage = (row: TranscriptRow): TranscriptMessage => ({
  message: toMessage(row),
  author: {
    id: row.user_id,
    isBot: row.user_id === row.bot_id,
    ...(row.author_name !== null && { name: row.author_name }),
    ...(row.author_fid !== null && { fid: row.author_fid }),
    ...(row.author_picture_url !== null && { pictureUrl: row.author_picture_url }),
    ...(row.author_integration !== null && { integration: row.author_integration }),
    ...(row.author_account_id !== null && { accountId: row.author_account_id }),
  },
})

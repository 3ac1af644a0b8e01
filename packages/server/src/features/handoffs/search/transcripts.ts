// The messages of a conversation with their authors, oldest first, from either end or around a
// message. A page costs the same at any position in a conversation of any length.
import { type BoundStatement, type Database, statement } from '../../../core/db/index.ts'
import {
  type MessageRow,
  messagePage,
  type PageValues,
} from '../../../core/messaging/index.ts'

export type TranscriptRow = MessageRow & {
  author_name: string | null
  author_fid: string | null
  author_picture_url: string | null
  /** Alias of the integration that created the author. */
  author_integration: string | null
  /** The account of a member who answers in place of the bot. */
  author_account_id: string | null
  [column: string]: unknown
}

export type Direction = 'older' | 'newer'

/** A place between messages. */
export interface TranscriptPosition {
  at: Date | 'infinity' | '-infinity'
  number: string
}

const [first, last] = ['-9223372036854775808', '9223372036854775807']
export const transcriptEnds = {
  start: { at: '-infinity', number: first },
  end: { at: 'infinity', number: last },
} as const satisfies Record<string, TranscriptPosition>

export const toPosition = ({ created_at, number }: MessageRow): TranscriptPosition => ({
  at: created_at,
  number,
})

/** The position directly before a message. */
export const positionBefore = ({
  created_at,
  number,
}: MessageRow): TranscriptPosition => ({
  at: created_at,
  number: String(BigInt(number) - 1n),
})

interface Values extends PageValues {
  botId: string
  conversationId: string
}

const pageStatement = (direction: Direction, imported: boolean) => {
  const bounds = {
    imported,
    after: false,
    before: false,
    ascending: direction === 'newer',
  }
  const order = direction === 'newer' ? 'asc' : 'desc'
  return statement<Values>(
    `read-transcript-${direction}${imported ? '-imported' : ''}`,
    `select page.*, u.name as author_name, u.fid as author_fid, u.picture_url as author_picture_url,
      u.integration as author_integration, a.account_id as author_account_id
    from ${messagePage(':conversationId::text', bounds)} page
    left join "user" u on u.bot_id = page.bot_id and u.id = page.user_id
    left join handoff_agent a on a.bot_id = page.bot_id and a.user_id = page.user_id
    order by page.created_at ${order}, page.number ${order}`,
  )
}

const statements: Record<string, (values: Values) => BoundStatement> = {
  older: pageStatement('older', false),
  olderImported: pageStatement('older', true),
  newer: pageStatement('newer', false),
  newerImported: pageStatement('newer', true),
}

/** Returns up to `limit` messages on one side of the position; the nearest to it comes first. */
export async function readTranscript(
  { run }: Pick<Database, 'run'>,
  { botId, conversationId }: { botId: string; conversationId: string },
  direction: Direction,
  { at, number }: TranscriptPosition,
  limit: number,
): Promise<TranscriptRow[]> {
  const isImported = typeof at !== 'string' && number.startsWith('-')
  const bind = statements[`${direction}${isImported ? 'Imported' : ''}`]!
  const values = { at, number, after: null, before: null, limit, botId, conversationId }
  return run<TranscriptRow>(...bind(values))
}

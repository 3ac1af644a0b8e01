// Lists the messages of a conversation by time, newest first. Written messages have positive
// numbers that rise with time. Imported messages have negative numbers in order of arrival, and
// sort by their own time. A page merges both sets, each read by its own index.
import { type RawBuilder, sql } from 'kysely'

/** Position of the previous page's last message. */
interface MessagePosition {
  at: Date
  number: string
}

interface MessageWindow {
  botId: string
  conversationId: string
  position: MessagePosition | null
  after?: Date | undefined
  before?: Date | undefined
  /** Additional condition on `message`. */
  where?: RawBuilder<unknown>
  limit: number
}

export const messagePositionOf = (row: { created_at: Date; number: string }) => [
  row.created_at.toISOString(),
  row.number,
]
export function parseMessagePosition(position: string[] | null): MessagePosition | null {
  if (!position) return null
  const [at, number] = position
  return { at: new Date(at!), number: number! }
}

/** Returns a subquery with all columns of `message`; its rows are in order. */
export function messagesIn(window: MessageWindow): RawBuilder<unknown> {
  const { botId, conversationId, where = sql`true`, limit } = window
  const these = sql`select * from message where bot_id = ${botId} and conversation_id = ${conversationId}
    and ${where}`
  return sql`(
    (${these} and number > 0 and ${sql.join(writtenBounds(window), sql` and `)} order by number desc
      limit ${limit})
    union all
    (${these} and number < 0 and ${sql.join(importedBounds(window), sql` and `)}
      order by created_at desc, number desc limit ${limit})
    order by created_at desc, number desc limit ${limit}
  )`
}

function importedBounds({ position, after, before }: MessageWindow): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(position ? [sql`(created_at, number) < (${position.at}, ${position.number}::bigint)`] : []),
    ...(after ? [sql`created_at >= ${after}`] : []),
    ...(before ? [sql`created_at <= ${before}`] : []),
  ]
}

/**
 * Converts times to numbers first: a page then costs the same at any position in a conversation of
 * any length.
 */
function writtenBounds({
  botId,
  conversationId,
  position,
  after,
  before,
}: MessageWindow): RawBuilder<unknown>[] {
  const first = (isEarly: RawBuilder<unknown>) => firstNumber(botId, conversationId, isEarly)
  return [
    sql`true`,
    ...(position
      ? [
          position.number.startsWith('-')
            ? sql`number < ${first(sql`created_at < ${position.at}`)}`
            : sql`number < ${position.number}`,
        ]
      : []),
    ...(after ? [sql`number >= ${first(sql`created_at < ${after}`)}`] : []),
    ...(before ? [sql`number < ${first(sql`created_at <= ${before}`)}`] : []),
  ]
}

/** Finds the first number with a message that is not early, by binary search. */
const firstNumber = (
  botId: string,
  conversationId: string,
  isEarly: RawBuilder<unknown>,
): RawBuilder<string> => sql`(
  with recursive search (low, high) as (
    select 1::bigint, last_number + 1 from conversation where bot_id = ${botId} and id = ${conversationId}
    union all
    select case when early then middle + 1 else low end, case when early then high else middle end
    from search
      cross join lateral (select (low + high) / 2 as middle) m
      cross join lateral (
        select coalesce((
          select ${isEarly} from message where bot_id = ${botId} and conversation_id = ${conversationId}
            and number >= middle order by number limit 1
        ), false) as early
      ) e
    where low < high
  )
  select low from search where low = high
)`

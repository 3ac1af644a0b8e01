// Lists the messages of a conversation by time, newest or oldest first. Written messages have positive
// numbers that rise with time. Imported messages have negative numbers in order of arrival, and
// sort by their own time. A page merges both sets, each read by its own index.

/** Position of the previous page's last message. */
interface MessagePosition {
  at: Date
  number: string
}

interface MessageWindow {
  position: MessagePosition | null
  after?: Date | undefined
  before?: Date | undefined
  limit: number
}

export const toMessagePosition = (row: { created_at: Date; number: string }) => [
  row.created_at.toISOString(),
  row.number,
]
export function parseMessagePosition(position: string[] | null): MessagePosition | null {
  if (!position) return null
  const [at, number] = position
  return { at: new Date(at!), number: number! }
}

/** The bounds of a page that its statement contains; most pages have none of them. */
export interface PageBounds {
  /** Whether the previous page ends with an imported message. */
  imported: boolean
  after: boolean
  before: boolean
  /** Whether the oldest message comes first. */
  ascending?: boolean
}

export const toBounds = ({ position, after, before }: MessageWindow): PageBounds => ({
  imported: position?.number.startsWith('-') === true,
  after: after !== undefined,
  before: before !== undefined,
})

/** The parameters of a page. */
export interface PageValues {
  at: Date | 'infinity' | '-infinity'
  number: string
  after: Date | null
  before: Date | null
  limit: number
}

const maxNumber = '9223372036854775807'

export const toPageValues = ({
  position,
  after,
  before,
  limit,
}: MessageWindow): PageValues => ({
  at: position?.at ?? 'infinity',
  number: position?.number ?? maxNumber,
  after: after ?? null,
  before: before ?? null,
  limit,
})

/**
 * Returns a subquery with all columns of `message`; its rows are in order. `conversation` is an
 * expression for the id, which may be null, and `where` an additional condition on `message`.
 */
export function messagePage(
  conversation: string,
  bounds: PageBounds,
  where = 'true',
): string {
  const these = `select * from message
    where bot_id = :botId::text and conversation_id = ${conversation} and ${where}`
  const order = bounds.ascending ? 'asc' : 'desc'
  return `(
    (${these} and number > 0 and ${writtenBounds(conversation, bounds).join(' and ')}
      order by number ${order} limit :limit::bigint)
    union all
    (${these} and number < 0 and ${importedBounds(bounds).join(' and ')}
      order by created_at ${order}, number ${order} limit :limit)
    order by created_at ${order}, number ${order} limit :limit
  )`
}

const importedBounds = ({ after, before, ascending }: PageBounds): string[] => [
  `(created_at, number) ${ascending ? '>' : '<'} (:at::timestamptz, :number::bigint)`,
  ...(after ? ['created_at >= :after::timestamptz'] : []),
  ...(before ? ['created_at <= :before::timestamptz'] : []),
]

/**
 * Converts times to numbers first: a page then costs the same at any position in a conversation of
 * any length.
 */
function writtenBounds(
  conversation: string,
  { imported, after, before, ascending }: PageBounds,
): string[] {
  const first = (isEarly: string) => firstNumber(conversation, isEarly)
  const [beyond, atImported] = ascending ? ['>', '>='] : ['<', '<']
  return [
    imported
      ? `number ${atImported} ${first('created_at < :at::timestamptz')}`
      : `number ${beyond} :number::bigint`,
    ...(after ? [`number >= ${first('created_at < :after::timestamptz')}`] : []),
    ...(before ? [`number < ${first('created_at <= :before::timestamptz')}`] : []),
  ]
}

/** Finds the first number with a message that is not early, by binary search. */
const firstNumber = (conversation: string, isEarly: string) => `(
  with recursive search (low, high) as (
    select 1::bigint, last_number + 1 from conversation where bot_id = :botId and id = ${conversation}
    union all
    select case when early then middle + 1 else low end, case when early then high else middle end
    from search
      cross join lateral (select (low + high) / 2 as middle) m
      cross join lateral (
        select coalesce((
          select ${isEarly} from message where bot_id = :botId and conversation_id = ${conversation}
            and number >= middle order by number limit 1
        ), false) as early
      ) e
    where low < high
  )
  select low from search where low = high
)`

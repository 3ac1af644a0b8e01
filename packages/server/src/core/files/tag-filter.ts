// The filter by tags, from JSON text or from dotted query parameters (`colour.not=red`): {"colour":
// "red"}, {"colour": ["red", "blue"]} for any of them, {"colour": {"not": "red"}}, {"colour":
// {"in": ["red"]}}, {"colour": {"exists": false}}. All conditions must hold.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import { tagKey } from '../lib/index.ts'

type Condition = { in: string[] } | { not: string[] } | { exists: boolean }
export type TagFilter = [tag: string, condition: Condition][]

const maxConditions = 50

/** Throws InvalidQuery for an invalid filter. */
export function parseTagFilter(given: unknown): TagFilter {
  if (given === undefined || given === '') return []
  const filter = typeof given === 'string' ? parseJson(given) : given
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw invalidFilter()
  const conditions = Object.entries(filter).map(([tag, value]): [string, Condition] => [
    storable(tag),
    parseCondition(value),
  ])
  if (conditions.length > maxConditions) throw invalidFilter()
  return conditions
}

export function matchesTags(filter: TagFilter): RawBuilder<boolean> {
  if (filter.length === 0) return sql`true`
  return sql.join(
    filter.map(([tag, condition]) => matches(tag, condition)),
    sql` and `,
  )
}

/**
 * The same condition for rows of `file` of a bot, using the index of file_tag: it stays fast if few
 * of many files match.
 */
export function filesMatchTags(botId: string, filter: TagFilter): RawBuilder<boolean> {
  const wanted = filter.flatMap(([tag, condition]) =>
    'in' in condition ? [{ tag, values: condition.in }] : [],
  )
  const found = wanted.map(
    ({ tag, values }) => sql`exists (
      select from file_tag t where t.bot_id = ${botId} and t.file_id = file.id and t.tag_key = ${tagKey(tag)}
        and t.value_key = any(${values.map(tagKey)}::bytea[])
    )`,
  )
  return sql.join(
    [matchesTags(filter.filter(([, condition]) => !('in' in condition))), ...found],
    sql` and `,
  )
}

function matches(tag: string, condition: Condition): RawBuilder<boolean> {
  if ('exists' in condition) return sql`(tags ? ${tag}) = ${condition.exists}`
  if ('in' in condition) return sql`tags ->> ${tag} = any(${condition.in})`
  // A file without the tag does not have the excluded value either.
  return sql`not coalesce(tags ->> ${tag} = any(${condition.not}), false)`
}

function parseCondition(value: unknown): Condition {
  if (typeof value === 'string' || Array.isArray(value)) return { in: texts(value) }
  if (typeof value !== 'object' || value === null) throw invalidFilter()
  const [entry, ...others] = Object.entries(value)
  if (!entry || others.length > 0) throw invalidFilter()
  const [name, operand] = entry
  // Query parameters are always text.
  if (name === 'exists' && (operand === true || operand === 'true'))
    return { exists: true }
  if (name === 'exists' && (operand === false || operand === 'false'))
    return { exists: false }
  if (name === 'not') return { not: texts(operand) }
  if (name === 'in') return { in: texts(operand) }
  throw invalidFilter()
}

function texts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((text) => (typeof text === 'string' ? storable(text) : raise()))
}

/** Rejects text that PostgreSQL cannot store, since no tag can contain it. */
const storable = (text: string) => (/[\0\p{Surrogate}]/u.test(text) ? raise() : text)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidFilter()
  }
}

const invalidFilter = () =>
  new ApiError(
    'InvalidQuery',
    '`tags` must be a JSON object of strings, arrays of strings, or {not}, {in} or {exists} conditions',
  )
const raise = (): never => {
  throw invalidFilter()
}

/** Filters by tags of files. */
export const tagFilter = {
  matches: matchesTags,
  parse: parseTagFilter,
}

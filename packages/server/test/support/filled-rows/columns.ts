// Values of columns of the filled tables.

/** Rows of the largest tables. */
export const many = 1_000_000
/** Number of the row with the rare values. */
export const rare = 7

/** An id of the usual length, which sorts by number. */
export const id = (prefix: string, number = 'i') =>
  `'${prefix}_' || lpad((${number})::text, 26, '0')`
export const rareId = (prefix: string) => `${prefix}_${String(rare).padStart(26, '0')}`
export const at = `timestamptz '2026-01-01' + i * interval '1 second'`
export const isRare = `i = ${rare}`
export const rareOr = (value: string, usual: string) =>
  `case when ${isRare} then ${value} else ${usual} end`
export const tags = rareOr(`'{"tg:id": "rare"}'::jsonb`, `'{"tg:lang": "fr"}'::jsonb`)

export interface Fill {
  rows: number
  /** Expressions by column, of `i`, `:bot`, `:workspace` and `:account`. */
  values: Record<string, string>
}

export const times = { created_at: at, updated_at: at }
export const ofBot = { bot_id: ':bot' }
export const ofWorkspace = { workspace_id: ':workspace' }
export const none = `'{}'`

export const packages = (prefix: string) => ({
  id: id(prefix),
  ...ofWorkspace,
  ...times,
  line_id: `'line'`,
  name: `'name' || i / 10`,
  version: `'0.0.' || i % 10`,
  rank: `lpad((i % 10)::text, 18, '0')`,
  visibility: `case when i % 100 = 7 then 'public' else 'private' end`,
  definition: none,
})

export const ofTag = `case when i % 2 = 0 then 'kind' else 'kbId' end`
export const ofTagValue = `case when (i + 1) / 2 = ${rare} then 'rare' else 'usual' end`

export const messagesOfConversation = 10

/** A word as core/messaging/search/message-words.ts writes it. */
export const lexeme = (word: string) =>
  `substring(encode(sha256(convert_to(:bot, 'UTF8')), 'hex') for 5) || ${word}`

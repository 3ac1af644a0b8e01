// Describes the statements of a migration: the tables on which they work, what running servers wait
// for, and how much work they are. migration-plan.ts prints it, and tests compare it with the locks
// that PostgreSQL takes. Knows the SQL that migrations use. It does not look into functions and
// blocks, and a dropped foreign key also locks its other table, which only the database knows.

/**
 * `all`: blocks reads and writes of the table. `writers`: blocks writes. `rows`: only changed
 * rows.
 */
type Lock = 'none' | 'rows' | 'writers' | 'all'
/**
 * `catalog`: the same time for any size. `scan`: reads the table, `index`: builds an index,
 * `rewrite`: writes the table and its indexes again, `change`: changes rows.
 */
type Work = 'catalog' | 'scan' | 'index' | 'rewrite' | 'change'
export interface Effect {
  table: string
  lock: Lock
  work: Work
}
export interface Statement {
  /** On one line, without comments. */
  text: string
  /** The comment above it. */
  comment: string
  effects: Effect[]
}

/** Returns the statements of a file, without effects on tables that the file itself creates. */
export function parseStatements(sql: string): Statement[] {
  const created = createdTables(sql)
  return split(sql).map((statement) => ({
    ...statement,
    effects: findEffects(statement.text).filter(({ table }) => !created.includes(table)),
  }))
}

export const createdTables = (sql: string): string[] =>
  split(sql).flatMap(
    ({ text }) => /^create table (?:if not exists )?"?(\w+)/.exec(text)?.[1] ?? [],
  )

/** A comment, a quoted text or name, or the body of a function. */
const opaque = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1/g

function split(sql: string): { text: string; comment: string }[] {
  // Semicolons inside of texts and bodies end no statement.
  const isInside = new Set(
    [...sql.matchAll(opaque)].flatMap(({ 0: text, index }) =>
      [...text.matchAll(/;/g)].map((found) => index + found.index),
    ),
  )
  const ends = [...sql.matchAll(/;|$/g)]
    .map(({ index }) => index)
    .filter((at) => !isInside.has(at))
  return ends
    .map((end, nth) => sql.slice(nth === 0 ? 0 : ends[nth - 1]! + 1, end))
    .map((part) => ({ text: onOneLine(part), comment: commentAbove(part) }))
    .filter(({ text }) => text !== '')
}

const onOneLine = (part: string) =>
  part
    .replaceAll(opaque, (text) => (text.startsWith('--') ? '' : text))
    .replaceAll(/\s+/g, ' ')
    .trim()

const commentAbove = (part: string) =>
  (/^\s*((?:--[^\n]*\n\s*)*)/.exec(part)?.[1] ?? '').replaceAll(/^\s*--[ ]?/gm, '').trim()

type Rule = [RegExp, (found: RegExpExecArray, text: string) => Effect[]]
const on = (table: string | undefined, lock: Lock, work: Work): Effect[] =>
  table === undefined ? [] : [{ table, lock, work }]

const rules: Rule[] = [
  [
    /^create (?:unique )?index concurrently .*? on (?:only )?"?(\w+)/,
    ([, table]) => on(table, 'none', 'index'),
  ],
  [
    /^create (?:unique )?index .*?\bon (?:only )?"?(\w+)/,
    ([, table]) => on(table, 'writers', 'index'),
  ],
  [
    /^create (?:or replace )?(?:constraint )?trigger .*? on "?(\w+)/,
    ([, table]) => on(table, 'writers', 'catalog'),
  ],
  [/^create table /, (_, text) => referenced(text)],
  [/^drop trigger .*? on "?(\w+)/, ([, table]) => on(table, 'all', 'catalog')],
  [
    /^(?:drop|truncate) table (?:if exists )?"?(\w+)/,
    ([, table]) => on(table, 'all', 'catalog'),
  ],
  [
    /^(?:with .*?\b)?(?:update|delete from|insert into) (?:only )?"?(\w+)/,
    ([, table]) => on(table, 'rows', 'change'),
  ],
  [
    /^alter table (?:if exists )?(?:only )?"?(\w+)"? (.*)/,
    ([, table, actions]) => alterations(table!, actions!),
  ],
]

function findEffects(text: string): Effect[] {
  for (const [pattern, effects] of rules) {
    const found = pattern.exec(text)
    if (found) return effects(found, text)
  }
  return []
}

/** A foreign key gets triggers on the referenced table. */
const referenced = (text: string) =>
  [...text.matchAll(/\breferences "?(\w+)/g)].flatMap(([, table]) =>
    on(table, 'writers', 'catalog'),
  )

const isVolatile = /\b(?:random|gen_random_uuid|clock_timestamp|nextval)\(/
const rewrites = [
  /\balter (?:column )?"?\w+"? (?:set data )?type\b/,
  /\badd (?:column )?.*\bgenerated always as \(.*\bstored\b/,
  /\badd (?:column )?.*\b(?:(?:big|small)?serial|generated (?:always|by default) as identity)\b/,
  /\bset (?:logged|unlogged|access method)\b/,
]
const scans = [
  /\badd (?:constraint "?\w+"? )?(?:check|foreign key)\b(?!.*\bnot valid\b)/,
  /\badd column .*\bcheck \(/,
  /\bset not null\b/,
]
const buildsIndex =
  /\badd (?:constraint "?\w+"? )?(?:primary key|unique)\b(?!.*\busing index\b)/

function alterations(table: string, actions: string): Effect[] {
  if (/^validate constraint\b/.test(actions)) return on(table, 'none', 'scan')
  if (/^(?:set \(|reset \()/.test(actions)) return on(table, 'none', 'catalog')
  if (/^alter (?:column )?"?\w+"? set statistics\b/.test(actions))
    return on(table, 'none', 'catalog')
  const isForeignKey = /^add (?:constraint "?\w+"? )?foreign key\b/.test(actions)
  const lock =
    isForeignKey || /^(?:enable|disable) trigger\b/.test(actions) ? 'writers' : 'all'
  return [...on(table, lock, toWork(actions)), ...referenced(actions)]
}

function toWork(actions: string): Work {
  const isRewritten =
    rewrites.some((pattern) => pattern.test(actions)) ||
    (/\badd (?:column )?.*\bdefault\b/.test(actions) && isVolatile.test(actions))
  if (isRewritten) return 'rewrite'
  if (buildsIndex.test(actions)) return 'index'
  return scans.some((pattern) => pattern.test(actions)) ? 'scan' : 'catalog'
}

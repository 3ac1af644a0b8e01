// During a rolling upgrade, servers of the previous version work on the new schema, under load. So
// new migrations must keep what these servers use, and lock nothing for long (CONTRIBUTING.md,
// "Migrations and running servers").
import { expect, it } from 'vitest'
import { readMigrations, readReleased } from './migrate.ts'
import { createdTables, parseStatements, type Statement } from './migration-statements.ts'

const released = await readReleased()
const newestReleased = Math.max(...Object.values(released))

/** Older than these rules. */
const exempt = [
  '0046_tags_and_types',
  '0049_integration_tables_and_empty_schemas',
  '0056_listings',
  '0087_version_numbers',
]

const contracts =
  /^(?:drop (?:table|view|function|type)\b|alter table .*?\b(?:drop column|rename)\b)/
const requiresColumn =
  /^alter table .*\badd column\b(?!.*\b(?:default|generated)\b).*\bnot null\b/

/** Returns the problems of a statement; a comment above it may permit it. */
function checkStatement({ text, comment, effects }: Statement): string[] {
  const unusedSince = /^contract: unused since (\S+)/m.exec(comment)?.[1]
  if (contracts.test(text) && !(unusedSince && released[unusedSince]))
    return [
      'the previous version may use it: write above it "-- contract: unused since <released version>"',
    ]
  if (requiresColumn.test(text))
    return [
      'servers of the previous version insert rows without the column: add a default',
    ]
  if (/^safe: \S/m.test(comment)) return []
  return effects.flatMap(({ table, lock, work }) =>
    lock !== 'none' && work !== 'catalog'
      ? [
          `it locks ${table} (${lock}) while PostgreSQL works (${work}): see CONTRIBUTING.md, or ` +
            'write "-- safe: <reason>" above it',
        ]
      : [],
  )
}

/** No released server uses the tables of `isNew`. */
const findProblems = (sql: string, isNew = new Set<string>()) =>
  parseStatements(sql)
    .map(({ effects, ...more }) => ({
      ...more,
      effects: effects.filter(({ table }) => !isNew.has(table)),
    }))
    .flatMap(checkStatement)

it('finds no problem in new migrations', async () => {
  const unreleased = (await readMigrations()).filter(
    ({ number }) => number > newestReleased,
  )
  const isNew = new Set(unreleased.flatMap(({ sql }) => createdTables(sql)))
  const found = unreleased
    .filter(({ name }) => !exempt.includes(name))
    .flatMap(({ name, sql }) =>
      findProblems(sql, isNew).map((problem) => `${name}: ${problem}`),
    )
  expect(found).toEqual([])
})

it.each([
  ['alter table bot drop column name', 'the previous version may use it'],
  ['alter table bot rename column name to title', 'the previous version may use it'],
  ['-- contract: unused since 9.9.9\ndrop table bot', 'the previous version may use it'],
  ['alter table bot add column mood text not null', 'without the column'],
  [
    'alter table message alter column type type integer',
    'it locks message (all) while PostgreSQL works (rewrite)',
  ],
  [
    'create index on message (type)',
    'it locks message (writers) while PostgreSQL works (index)',
  ],
  [
    "alter table message add check (type <> '')",
    'it locks message (all) while PostgreSQL works (scan)',
  ],
  [
    "update message set type = 'text'",
    'it locks message (rows) while PostgreSQL works (change)',
  ],
])('rejects %s', (sql, problem) => {
  expect(findProblems(sql)).toEqual([expect.stringContaining(problem)])
})

it.each([
  'alter table bot add column mood text',
  "alter table bot add column mood text not null default 'good'",
  'create table mood (id text primary key); create index on mood (id)',
  'create index concurrently if not exists mood on message (type)',
  "alter table message add constraint mood check (type <> '') not valid",
  '-- contract: unused since 0.1.0\nalter table bot drop column name',
  '-- safe: a workspace has few bots\ncreate index on bot (name)',
])('accepts %s', (sql) => {
  expect(findProblems(sql)).toEqual([])
})

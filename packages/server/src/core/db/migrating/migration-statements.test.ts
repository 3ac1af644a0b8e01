// The plan of migrations names the locks that PostgreSQL takes: every migration since the first
// version is compared with it, and statements that no migration has yet.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../../test/support/database.ts'
import { openVersionDatabase } from '../../../../test/support/versions.ts'
import { readMigrations } from './migrate.ts'
import { type Effect, parseStatements } from './migration-statements.ts'
import { parseSteps } from './migration-steps.ts'

const lastOfFirstVersion = 43
let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await openVersionDatabase('0.1.0')
  client = new pg.Client(database.settings)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const isTable = `relnamespace = current_schema()::regnamespace and relkind = 'r'`

/** Returns the strong locks of this transaction, and which tables it has written again. */
async function observe(run: () => Promise<unknown>): Promise<string[]> {
  const files = `select relname, relfilenode from pg_class where ${isTable}`
  const before = new Map(
    (await client.query(files)).rows.map((row) => [row.relname, row.relfilenode]),
  )
  await run()
  const { rows } = await client.query(
    `select relname, bool_or(mode = 'AccessExclusiveLock') as "forAll", pg_relation_filenode(c.oid) as file
    from pg_locks l join pg_class c on c.oid = l.relation
    where pid = pg_backend_pid() and ${isTable} and mode in
      ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
    group by relname, c.oid`,
  )
  return rows
    .filter(({ relname }) => before.has(relname))
    .flatMap(({ relname, forAll, file }) => [
      `${relname}: ${forAll ? 'all' : 'writers'}`,
      ...(file === before.get(relname) ? [] : [`${relname}: rewrite`]),
    ])
    .sort()
}

function predict(sql: string): string[] {
  const effects = parseStatements(sql).flatMap((statement) => statement.effects)
  const lines = (wanted: (effect: Effect) => boolean, word: string) =>
    [...new Set(effects.filter(wanted).map(({ table }) => table))].map(
      (table) => `${table}: ${word}`,
    )
  const forAll = lines(({ lock }) => lock === 'all', 'all')
  const forWriters = lines(({ lock }) => lock === 'writers', 'writers')
  return [
    ...forAll,
    ...forWriters.filter((line) => !forAll.includes(line.replace('writers', 'all'))),
    ...lines(({ work }) => work === 'rewrite', 'rewrite'),
  ].sort()
}

it('predicts the locks of every migration since the first version', async () => {
  const observed: Record<string, string[]> = {}
  const predicted: Record<string, string[]> = {}
  for (const { number, name, sql } of await readMigrations()) {
    if (number <= lastOfFirstVersion) continue
    const steps = parseSteps(sql)
    if (steps) {
      for (const step of steps) await client.query(step)
      continue
    }
    await client.query('begin')
    observed[name] = await observe(() => client.query(sql))
    predicted[name] = predict(sql)
    await client.query('commit')
  }
  // It drops foreign keys. Their other tables are locked too, which the statements do not name.
  const { '0069_guards_of_the_hot_path': guards, ...others } = predicted
  expect(observed).toMatchObject(others)
  expect(guards).toEqual([
    'bot: writers',
    'conversation: writers',
    'event: all',
    'message: all',
  ])
})

describe('predicts the locks of', () => {
  it.each([
    'alter table message alter column type type varchar(50)',
    'alter table message add column one integer generated always as identity',
    "alter table message add column two text generated always as (type || '!') stored",
    'alter table message add column three uuid not null default gen_random_uuid()',
    'alter table message add column four timestamptz not null default now()',
    'alter table message add column five text; alter table message rename column five to six',
    'alter table message alter column payload set not null',
    "alter table message add constraint seven check (type <> '') not valid",
    "alter table message add constraint seven check (type <> '') not valid; " +
      'alter table message validate constraint seven',
    'alter table message add constraint eight unique (id)',
    'alter table passage add column nine text references bot (id)',
    'alter table passage add foreign key (bot_id) references bot (id) not valid',
    'alter table message set (fillfactor = 90)',
    'create index on message (type)',
    'create table note (bot_id text references bot (id), text text); create index on note (text)',
    "update message set type = 'text' where false",
    'create trigger ten after insert on message for each row ' +
      'execute function suppress_redundant_updates_trigger()',
  ])('%s', async (sql) => {
    await client.query('begin')
    const observed = await observe(() => client.query(sql)).finally(() =>
      client.query('rollback'),
    )
    expect(predict(sql)).toEqual(observed)
  })
})

it('splits at semicolons outside of texts and functions, and keeps comments', () => {
  const sql = `-- in steps
-- why;
create function f() returns trigger language plpgsql as $$ begin delete from bot; return null; end $$;

update bot set name = 'a;b' -- later; or never
where id = 'x''; y';`
  expect(parseStatements(sql)).toEqual([
    {
      text:
        'create function f() returns trigger language plpgsql as $$ begin ' +
        'delete from bot; return null; end $$',
      comment: 'in steps\nwhy;',
      effects: [],
    },
    {
      text: "update bot set name = 'a;b' where id = 'x''; y'",
      comment: '',
      effects: [{ table: 'bot', lock: 'rows', work: 'change' }],
    },
  ])
})

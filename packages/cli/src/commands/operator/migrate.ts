// `botstead migrate`: applies database migrations without starting the server, or prints them.
import {
  migrateDatabase,
  type PlannedMigration,
  planDatabaseMigrations,
} from '@botstead/server'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { formatSize } from '../../terminal/progress.ts'

export async function runMigrate({
  plan,
  json,
}: {
  plan?: boolean
  json?: boolean
}): Promise<void> {
  if (plan) return printPlan(await onThisMachine(planDatabaseMigrations), json)
  await onThisMachine((config) =>
    migrateDatabase(config, { onProgress: (text) => console.error(`${text} …`) }),
  )
  console.log(json ? JSON.stringify({ upToDate: true }) : 'The database is up to date')
}

function printPlan(migrations: PlannedMigration[], json?: boolean) {
  if (json) return console.log(JSON.stringify({ migrations }, null, 2))
  if (migrations.length === 0) return console.log('The database is up to date')
  console.log(`${migrations.length} pending migrations:`)
  for (const { name, inSteps, statements } of migrations) {
    console.log(
      `\n${name}${inSteps ? ', statement by statement' : ', in one transaction'}`,
    )
    for (const { text, effects } of statements)
      console.log([`  ${shortened(text)}`, ...effects.map(toLine)].join('\n'))
  }
}

const maxLength = 100
const shortened = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

const locks = {
  none: 'locks nothing',
  rows: 'locks the changed rows',
  writers: 'delays writers',
  all: 'delays readers and writers',
}
const works = {
  catalog: 'for a moment',
  scan: 'while it reads the table',
  index: 'while it builds an index',
  rewrite: 'while it writes the table again',
  change: 'while it changes rows',
}

type PlannedEffect = PlannedMigration['statements'][number]['effects'][number]

function toLine({ table, lock, work, bytes, seconds }: PlannedEffect): string {
  const time = seconds > 0 ? `, about ${seconds} s` : ''
  return `    ${table} (${formatSize(bytes)}): ${locks[lock]} ${works[work]}${time}`
}

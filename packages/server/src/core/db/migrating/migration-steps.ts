// Migrations in steps: for statements that cannot run in a transaction, or would hold their locks
// for too long in one. The first line of the file is the marker. Blank lines separate the steps,
// each one statement that commits on its own. If a step fails or the server is killed, the next
// start begins again with the first step, so each must be repeatable (`if not exists`).
import type pg from 'pg'

const marker = '-- in steps: not in one transaction'

/** Returns the statements of a migration in steps, and null for any other. */
export function parseSteps(sql: string): string[] | null {
  const [first, ...lines] = sql.split('\n')
  if (first !== marker) return null
  const blocks = lines.join('\n').split(/\n{2,}/)
  return blocks.map(withoutComments).filter((step) => step !== '')
}

const withoutComments = (block: string) => block.replaceAll(/^--.*$/gm, '').trim()

/** Requires the lock of migrations: an index that another process builds is invalid until then. */
export async function runSteps(client: pg.Client, steps: string[]): Promise<void> {
  // Large indexes may take longer than the role's timeout.
  await client.query('set statement_timeout = 0')
  for (const step of steps) {
    await dropInvalidIndex(client, step)
    await client.query(step)
  }
  await client.query('reset statement_timeout')
}

const indexStep = /^create (?:unique )?index concurrently if not exists (\w+)/

/**
 * An interrupted `create index concurrently` leaves an invalid index, which `if not exists` keeps.
 */
async function dropInvalidIndex(client: pg.Client, step: string) {
  const [, name] = indexStep.exec(step) ?? []
  if (name === undefined) return
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  )
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
}

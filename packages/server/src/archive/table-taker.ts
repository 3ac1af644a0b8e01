// Takes the rows of a table out of an archive: first as JSON into a place of its own, then, in one statement, into the table itself, where the database
// checks types, references and what is unique. Only rows that are the workspace's, and that refer to nothing of another one, go in.
import { roles } from '@botstead/contract'
import pg from 'pg'
import { ArchiveError } from './archive-error.ts'
import { relinking } from './audit-links.ts'
import { listOf, quoted, type Table } from './catalog.ts'
import { mapped, stage } from './rows.ts'
import { type Resealing, resealing } from './sealed-values.ts'
import { blobColumn, holdsBlobs } from './snapshot.ts'
import { type Holding, isStray } from './tenancy.ts'

interface Into {
  session: pg.Client
  /** With whose workspace it is, too. */
  sealing: Resealing
  auditKey: Buffer
  holdings: Holding[]
  /** By table. */
  columns: Record<string, string[]>
}

/** Takes one table after the other, and says how many rows it had. Throws ArchiveError, and what `explained` explains. */
export function tableTaker(into: Into): (name: string, content: AsyncIterable<Buffer>) => Promise<number> {
  return async (name, content) => {
    const holding = into.holdings.find(({ table }) => table.name === name)
    if (!holding) throw new ArchiveError(`The archive has an unknown workspace table, "${name}"`)
    const columns = columnsOf(holding.table, into.columns[name]!)
    const change =
      name === 'audit_record' ? await relinking(into.session, into.auditKey) : resealing(name, into.sealing)
    const staged = await stage(into.session, change ? mapped(content, change) : content)
    const { rowCount } = await into.session.query(insertion(holding, columns, into))
    if (rowCount !== staged)
      throw new ArchiveError(
        `Rows of ${name} in the archive belong to or refer to another workspace, or refer to missing content`,
      )
    if (holding.table.changedOnArrival) await into.session.query(correction(holding.table, columns))
    await into.session.query('truncate staged')
    return staged
  }
}

/** Throws ArchiveError for columns that this version does not have. */
function columnsOf(table: Table, written: string[]) {
  const strange = written.find(
    (name) => !table.columns.some((column) => column.name === name && !column.computed),
  )
  if (strange !== undefined)
    throw new ArchiveError(
      `This version of Botstead does not know the archive's column ${table.name}.${strange}: use the version that made it`,
    )
  return table.columns.filter(({ name }) => written.includes(name))
}

/** What the database counts by itself it counts anew, in the same order: elsewhere the numbers may be taken. */
function insertion(
  holding: Holding,
  columns: Table['columns'],
  { sealing: { workspaceId }, holdings }: Into,
): string {
  const { table, belongs } = holding
  const literal = pg.escapeLiteral(workspaceId)
  const counted = columns.filter((column) => column.counted).map(({ name }) => name)
  const taken = columns.filter((column) => !column.counted).map(({ name }) => name)
  const stray = isStray(holding, holdings, literal)
  const hasBlob = `r.${blobColumn} is null or exists (select from blob_here where there = r.${blobColumn})`
  const conditions = [
    belongs(literal),
    stray && `not (${stray})`,
    holdsBlobs(table) && hasBlob,
    rules[table.name],
  ].filter((one) => one)
  return `insert into ${quoted(table.name)} (${listOf(taken)})
    select ${taken.map((name) => writtenAs(table, name)).join(', ')}
    from staged s cross join lateral json_populate_record(null::${quoted(table.name)}, s.line) r
    where ${conditions.map((one) => `(${one})`).join(' and ')}${counted.length ? ` order by ${listOf(counted, 'r.')}` : ''}`
}

/** What a trigger takes for news is none: the row becomes again what it was. */
function correction(table: Table, columns: Table['columns']): string {
  const names = columns
    .filter(({ name, counted }) => !counted && !table.key.includes(name))
    .map(({ name }) => name)
  return `update ${quoted(table.name)} t set ${names.map((name) => `${quoted(name)} = ${writtenAs(table, name)}`).join(', ')}
    from staged s cross join lateral json_populate_record(null::${quoted(table.name)}, s.line) r
    where ${table.key.map((name) => `t.${quoted(name)} = r.${quoted(name)}`).join(' and ')}`
}

/** Columns that name a process, which is elsewhere. */
const processes = ['lane.owner', 'file.indexing_worker']

/** What the tables themselves do not check, because only the server writes them. */
const rules: Record<string, string> = {
  workspace_member: `r.role in (${roles.map((role) => pg.escapeLiteral(role)).join(', ')})`,
  token: `r.kind in ('bak', 'iak')`,
}

function writtenAs({ name: table, references }: Table, column: string): string {
  const value = `r.${quoted(column)}`
  if (processes.includes(`${table}.${column}`)) return 'null'
  if (column === blobColumn) return `(select here from blob_here where there = ${value})`
  const here = `(select here from account_here where there = ${value})`
  if (references.some(({ to, columns }) => to === 'account' && columns[0] === column)) return here
  return column === 'account_id' || column === 'created_by' ? `coalesce(${here}, ${value})` : value
}

/** What the database says of what it does not take: wrong values, missing or repeated things, more nesting than it can hold. */
export function explained(thrown: unknown, table: string): unknown {
  const { code = '', message, detail } = thrown as Partial<pg.DatabaseError>
  if (code === '23505')
    return new ArchiveError(`A row of ${table} in the archive already exists here: ${detail ?? message}`, {
      cause: thrown,
    })
  if (/^(22|23|54)/.test(code))
    return new ArchiveError(`Rows of ${table} in the archive are invalid: ${detail ?? message}`, {
      cause: thrown,
    })
  const isBroken =
    thrown instanceof SyntaxError || thrown instanceof RangeError || thrown instanceof TypeError
  return isBroken
    ? new ArchiveError(`Rows of ${table} in the archive are invalid: ${message}`, { cause: thrown })
    : thrown
}

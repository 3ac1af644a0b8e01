// Imports the rows of a table: first as JSON into a staging table, then in one statement into the
// table itself, where the database checks types, references and uniqueness. Only rows that belong
// to the workspace, and that do not refer to another one, are inserted.
import { roles } from '@botstead/contract'
import pg from 'pg'
import { createRelinker } from '../../core/audit/index.ts'
import { blobColumn, hasBlobs } from './backups/snapshot.ts'
import { ArchiveError } from './format/archive-error.ts'
import { type CatalogTable, quoted, toColumnList } from './format/catalog.ts'
import { mapLines, stage } from './format/rows.ts'
import { createResealer, type ResealOptions } from './format/sealed-values.ts'
import { type Holding, isStray, type Purpose } from './format/tenancy.ts'

interface Into {
  session: pg.Client
  /** Also names the workspace. */
  sealing: ResealOptions
  auditKey: Buffer
  holdings: Holding[]
  /** By table. */
  columns: Record<string, string[]>
  /** A move keeps numbers and personal tokens, and replaces rows that exist. */
  purpose?: Purpose
}

/**
 * Returns a function that imports a table and returns its number of rows. Throws ArchiveError, and
 * errors for `explained`.
 */
export function createTableImporter(
  into: Into,
): (name: string, content: AsyncIterable<Buffer>) => Promise<number> {
  return async (name, content) => {
    const holding = into.holdings.find(({ table }) => table.name === name)
    if (!holding)
      throw new ArchiveError(`The archive has an unknown workspace table, "${name}"`)
    const columns = findColumns(holding.table, into.columns[name]!)
    const change =
      name === 'audit_record'
        ? await createRelinker(into.session, into.auditKey, into.sealing.workspaceId)
        : createResealer(holding.rules, into.sealing)
    const staged = await stage(into.session, change ? mapLines(content, change) : content)
    const { rowCount } = await into.session.query(insertion(holding, columns, into))
    if (rowCount !== staged && !(into.purpose === 'move' && name === 'audit_record'))
      throw new ArchiveError(
        `Rows of ${name} in the archive belong to or refer to another workspace, or refer to missing content`,
      )
    if (into.purpose === 'move') await continueNumbers(into.session, holding.table)
    if (holding.table.changedOnArrival)
      await into.session.query(correction(holding.table, columns, into.purpose))
    await into.session.query('truncate staged')
    return staged
  }
}

/** Throws ArchiveError for columns that this version does not have. */
function findColumns(table: CatalogTable, written: string[]) {
  const strange = written.find(
    (name) => !table.columns.some((column) => column.name === name && !column.computed),
  )
  if (strange !== undefined)
    throw new ArchiveError(
      `This version of Botstead does not know the archive's column ${table.name}.${strange}: use the ` +
        'version that made it',
    )
  return table.columns.filter(({ name }) => written.includes(name))
}

/**
 * The database assigns new serial numbers in the same order: the old numbers may be in use here. A
 * move keeps them, because its changes refer to rows by them; in the keys of these tables, an id of
 * the workspace is first.
 */
function insertion(
  holding: Holding,
  columns: CatalogTable['columns'],
  { sealing: { workspaceId }, holdings, purpose }: Into,
): string {
  const { table, belongs } = holding
  const literal = pg.escapeLiteral(workspaceId)
  const counted = columns.filter((column) => column.counted).map(({ name }) => name)
  const isMove = purpose === 'move'
  const taken = columns
    .filter((column) => isMove || !column.counted)
    .map(({ name }) => name)
  const stray = isStray(holding, holdings, literal)
  const hasBlob = `r.${blobColumn} is null or exists (select from blob_here where there = r.${blobColumn})`
  const conditions = [
    belongs(literal),
    stray && `not (${stray})`,
    hasBlobs(table) && hasBlob,
    isMove && table.name === 'token' ? null : rules[table.name],
  ].filter((one) => one)
  return `insert into ${quoted(table.name)} (${toColumnList(taken)})
      ${isMove ? 'overriding system value' : ''}
    select ${taken.map((name) => writtenAs(table, name, purpose)).join(', ')}
    from staged s cross join lateral json_populate_record(null::${quoted(table.name)}, s.line) r
    where ${conditions.map((one) => `(${one})`).join(' and ')}
    ${counted.length ? `order by ${toColumnList(counted, 'r.')}` : ''}
    ${isMove && table.key.length ? replacement(table, taken) : ''}`
}

/** Audit records never change. */
function replacement({ name: table, key }: CatalogTable, taken: string[]): string {
  const changed = taken.filter((name) => !key.includes(name))
  if (table === 'audit_record' || !changed.length) return 'on conflict do nothing'
  const set = changed
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`)
    .join(', ')
  return `on conflict (${toColumnList(key)}) do update set ${set}`
}

/** Numbers that the database assigns from now on are above those that were kept. */
async function continueNumbers(session: pg.Client, table: CatalogTable) {
  for (const { name } of table.columns.filter(({ counted }) => counted))
    await session.query(
      `select setval(s.name, greatest(max, (select last_value from pg_sequences
          where format('%I.%I', schemaname, sequencename)::regclass = s.name::regclass)))
        from (select max((line ->> ${pg.escapeLiteral(name)})::bigint) from staged) m,
          (select pg_get_serial_sequence(${pg.escapeLiteral(quoted(table.name))},
            ${pg.escapeLiteral(name)}) as name) s
        where max is not null`,
    )
}

/** Triggers treat imported rows as new; restore the archived values. */
function correction(
  table: CatalogTable,
  columns: CatalogTable['columns'],
  purpose: Purpose | undefined,
): string {
  const names = columns
    .filter(({ name, counted }) => !counted && !table.key.includes(name))
    .map(({ name }) => name)
  return `update ${quoted(table.name)} t
    set ${names.map((name) => `${quoted(name)} = ${writtenAs(table, name, purpose)}`).join(', ')}
    from staged s cross join lateral json_populate_record(null::${quoted(table.name)}, s.line) r
    where ${table.key.map((name) => `t.${quoted(name)} = r.${quoted(name)}`).join(' and ')}`
}

/** Columns that name a process of the source installation. */
const processes = ['lane.owner', 'file.indexing_worker']

const isRole = `r.role in (${roles.map((role) => pg.escapeLiteral(role)).join(', ')})`

/** Conditions that the tables do not check because only the server writes them. */
const rules: Record<string, string> = {
  workspace_member: isRole,
  pending_member: isRole,
  token: `r.kind in ('bak', 'iak')`,
}

/** A move keeps the ids of accounts. */
function writtenAs(
  { name: table, references }: CatalogTable,
  column: string,
  purpose: Purpose | undefined,
): string {
  const value = `r.${quoted(column)}`
  if (processes.includes(`${table}.${column}`)) return 'null'
  if (column === blobColumn) return `(select here from blob_here where there = ${value})`
  if (purpose === 'move') return value
  const here = `(select here from account_here where there = ${value})`
  if (references.some(({ to, columns }) => to === 'account' && columns[0] === column))
    return here
  return column === 'account_id' || column === 'created_by'
    ? `coalesce(${here}, ${value})`
    : value
}

/**
 * Explains errors of the database about the data: invalid, missing or duplicate values, and too
 * much nesting.
 */
export function explainImportError(thrown: unknown, table: string): unknown {
  const { code = '', message, detail } = thrown as Partial<pg.DatabaseError>
  if (code === '23505')
    return new ArchiveError(
      `A row of ${table} in the archive already exists here: ${detail ?? message}`,
      {
        cause: thrown,
      },
    )
  if (/^(22|23|54)/.test(code))
    return new ArchiveError(
      `Rows of ${table} in the archive are invalid: ${detail ?? message}`,
      {
        cause: thrown,
      },
    )
  const isBroken =
    thrown instanceof SyntaxError ||
    thrown instanceof RangeError ||
    thrown instanceof TypeError
  return isBroken
    ? new ArchiveError(`Rows of ${table} in the archive are invalid: ${message}`, {
        cause: thrown,
      })
    : thrown
}

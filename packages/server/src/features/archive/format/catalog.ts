// Reads the table definitions from the database itself, so that archives contain the tables of new
// migrations without changes here.
import type pg from 'pg'

export interface CatalogColumn {
  name: string
  type: string
  /** A generated column. */
  computed: boolean
  /** Not null. */
  required: boolean
  /** An identity column. */
  counted: boolean
}
interface ForeignKey {
  columns: string[]
  to: string
  toColumns: string[]
}
export interface CatalogTable {
  name: string
  columns: CatalogColumn[]
  key: string[]
  references: ForeignKey[]
  /** A trigger modifies new rows. */
  changedOnArrival: boolean
}

const tablesQuery = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'computed',
      a.attgenerated <> '', 'required', a.attnotnull, 'counted', a.attidentity <> '')
      order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped) as columns,
    coalesce((select json_agg(a.attname order by k.nth) from pg_constraint p, unnest(p.conkey)
      with ordinality k (attnum, nth), pg_attribute a
      where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.attnum),
        '[]') as key,
    coalesce((select json_agg(json_build_object('to', f.confrelid::regclass::text,
        'columns', (select json_agg(a.attname order by k.nth) from unnest(f.conkey)
          with ordinality k (attnum, nth) join pg_attribute a on a.attrelid = f.conrelid
            and a.attnum = k.attnum),
        'toColumns', (select json_agg(a.attname order by k.nth) from unnest(f.confkey)
          with ordinality k (attnum, nth) join pg_attribute a on a.attrelid = f.confrelid
            and a.attnum = k.attnum))
      order by f.conname) from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'),
        '[]') as "references",
    -- for each row (1), before (2), on insert (4)
    exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
      and t.tgtype & 7 = 7) as "changedOnArrival"
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

/** Returns referenced tables before referring ones. */
export async function readTables(client: pg.ClientBase): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(tablesQuery)
  const unquoted = rows.map((table) => ({
    ...table,
    references: table.references.map((one) => ({
      ...one,
      to: one.to.replace(/^"(.*)"$/, '$1'),
    })),
  }))
  return referredFirst(unquoted)
}

function referredFirst(tables: CatalogTable[]): CatalogTable[] {
  const placed = new Map<string, CatalogTable>()
  for (let remaining = tables; remaining.length > 0; ) {
    const [ready, waiting] = [[] as CatalogTable[], [] as CatalogTable[]]
    for (const table of remaining)
      (table.references.every(({ to }) => to === table.name || placed.has(to))
        ? ready
        : waiting
      ).push(table)
    if (!ready.length)
      throw new Error(
        `These tables have circular references: ${waiting.map(({ name }) => name).join(', ')}`,
      )
    for (const table of ready) placed.set(table.name, table)
    remaining = waiting
  }
  return [...placed.values()]
}

/** Omits generated columns; keeps identity columns. */
export const storedColumns = ({ columns }: CatalogTable) =>
  columns.filter(({ computed }) => !computed).map(({ name }) => name)

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const toColumnList = (names: string[], from = '') =>
  names.map((name) => from + quoted(name)).join(', ')

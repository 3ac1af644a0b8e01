// Determines the rows of a workspace, by the owner's rule of each table (its module's table-rules.ts). The
// rule `derived` is determined from the columns of the table. Exports fail if it cannot be determined, and
// so does a test.
import {
  selectBots,
  type TableRules,
  type Tables,
} from '../../../core/table-rules/index.ts'
import { type CatalogColumn, type CatalogTable, quoted } from './catalog.ts'

type Belongs = (workspace: string) => string

export interface Holding {
  table: CatalogTable
  rules: TableRules
  /** Returns a condition on the row `r`: it belongs to the workspace, a quoted text. */
  belongs: Belongs
}

export type Purpose = 'archive' | 'move'

/** For a table of a newer version: its server works on the same database. */
const unknownRules: TableRules = { owner: 'derived' }

/** `unknown` are the tables without a rule. */
export function findHoldings(
  tables: CatalogTable[],
  tableRules: Tables,
  purpose: Purpose = 'archive',
): { holdings: Holding[]; unknown: string[] } {
  const known = new Map<string, Holding>()
  const unknown: string[] = []
  for (const table of tables) {
    const rules = tableRules[table.name] ?? unknownRules
    if (isLeftOut(rules, purpose)) continue
    const belongs = toCondition(rules, purpose) ?? derive(table, known)
    if (belongs) known.set(table.name, { table, rules, belongs })
    else unknown.push(table.name)
  }
  return {
    holdings: [...known.values()].sort(
      (one, other) => toImportTurn(one) - toImportTurn(other),
    ),
    unknown,
  }
}

const isLeftOut = ({ owner }: TableRules, purpose: Purpose) =>
  owner !== 'derived' && 'leftOut' in owner && !(purpose === 'move' && owner.isMoved)

/** Returns null for a rule that is derived. */
function toCondition({ owner }: TableRules, purpose: Purpose): Belongs | null {
  if (owner === 'derived' || 'leftOut' in owner) return null
  return (purpose === 'move' && owner.whereInMoves) || owner.where
}

const derive = (table: CatalogTable, known: Map<string, Holding>): Belongs | null =>
  byColumns(table, ({ required }) => required) ||
  byReference(table, known) ||
  byColumns(table, () => true)

/**
 * Order of import: tables that triggers read come first, whether others refer to them or not;
 * counters that triggers update come last.
 */
function toImportTurn({ table: { name } }: Holding): number {
  if (['workspace', 'account', 'bot'].includes(name)) return 0
  return name === 'table_counter' ? 2 : 1
}

/** A log of an integration may name a bot, but does not belong to it. */
function byColumns(
  { columns }: CatalogTable,
  counts: (column: CatalogColumn) => boolean,
): Belongs | null {
  const has = (name: string) =>
    columns.some((column) => column.name === name && counts(column))
  if (has('workspace_id')) return (workspace) => `r.workspace_id = ${workspace}`
  return has('bot_id') ? (workspace) => `r.bot_id in ${selectBots(workspace)}` : null
}

/** The key begins with the reference to its owner. */
function byReference(
  { key, references }: CatalogTable,
  known: Map<string, Holding>,
): Belongs | null {
  const owner = references.find(
    ({ columns, to }) => columns.length === 1 && columns[0] === key[0] && known.has(to),
  )
  if (!owner) return null
  const { belongs } = known.get(owner.to)!
  return (workspace) =>
    `r.${owner.columns[0]} in (select r.${owner.toColumns[0]} from ${owner.to} r where ${belongs(workspace)})`
}

/** Packages that are not private may be used by other workspaces. */
const shared = ['integration', 'interface', 'plugin']

interface Foreign {
  to: string
  /** Rows of `to`, as `other`, that `r` refers to and that belong to another workspace. */
  from: string
  mayBe: boolean
}

/**
 * Lists the references of a row `r` that may lead to another workspace. A reference that includes
 * the bot or the workspace cannot.
 */
function findForeign({ table }: Holding, all: Holding[], workspace: string): Foreign[] {
  return table.references.flatMap(({ columns: [column, ...more], to, toColumns }) => {
    const target = all.find((one) => one.table.name === to)
    if (!target || more.length || to === 'account') return []
    const others = `(select * from ${quoted(to)} r
      where not coalesce(${target.belongs(workspace)}, false)) other`
    return [
      {
        to,
        from: `${others} where other.${toColumns[0]} = r.${column}`,
        mayBe: shared.includes(to),
      },
    ]
  })
}

/**
 * Returns a condition for a row `r` that refers to rows of another workspace; null if no reference
 * can.
 */
export function isStray(
  holding: Holding,
  all: Holding[],
  workspace: string,
): string | null {
  const found = findForeign(holding, all, workspace).map(
    ({ from, mayBe }) =>
      `exists (select from ${from}${mayBe ? " and other.visibility = 'private'" : ''})`,
  )
  return found.length ? found.join(' or ') : null
}

/**
 * Returns a query for the packages of other workspaces that the workspace uses: kind, id, name,
 * version.
 */
export function needsQuery(all: Holding[], workspace: string): string {
  const uses = all.flatMap((holding) =>
    findForeign(holding, all, workspace)
      .filter(({ mayBe }) => mayBe)
      .map(
        ({ to, from }) =>
          `select '${to}' as kind, used.* from ${quoted(holding.table.name)} r
            cross join lateral (select other.id, other.name, other.version from ${from}) used
              where ${holding.belongs(workspace)}`,
      ),
  )
  return `${uses.join(' union ')} order by 1, 3, 4, 2`
}

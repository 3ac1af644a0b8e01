// Determines the rows of a workspace. The rule of a table is derived from its columns, so new
// tables are in archives without changes here. Exceptions are below, and so are the omitted tables
// with the reason. A table in neither list fails exports, and a test.
import { type CatalogColumn, type CatalogTable, quoted } from './catalog.ts'

export interface Holding {
  table: CatalogTable
  /** Returns a condition on the row `r`: it belongs to the workspace, a quoted text. */
  belongs: (workspace: string) => string
}

/** Why rows of a workspace are omitted. */
export const excludedTables: Record<string, string> = {
  archive_job: 'describes a file of this installation',
  arrival_blob: 'describes a move to this installation',
  move_change: 'describes a move from this installation',
  move_pause: 'describes a move from this installation',
  recovery_code: 'signs a person in at this installation',
  resting_bot: 'describes a move from or to this installation',
  workspace_arrival: 'describes a move to this installation',
  workspace_move: 'describes a move from this installation',
  account_identity: 'signs a person in at this installation',
  account_password: 'signs a person in at this installation',
  account_preference: 'belongs to a person, not to a workspace',
  account_totp: 'signs a person in at this installation',
  data_key:
    'decrypts the secrets of this installation; an archive encrypts its secrets with its passphrase',
  first_start: 'describes the first start of this installation',
  file_tag: 'is derived from files by the database',
  idempotency_key: 'expires after a day, and only this installation can decrypt it',
  invitation: 'is a link to this installation',
  loose_blob: 'is content without a file',
  message_search: 'is derived from messages in the background',
  message_search_fill: 'describes the progress of a background task',
  message_search_refill: 'describes the progress of a background task',
  table_terms_refill: 'describes the progress of a background task',
  message_search_progress: 'describes the progress of a background task',
  migration: 'describes the database',
  rate_window: 'counts the requests of the last hour',
  root_key: 'belongs to the installation',
  sandbox_conversation:
    'links a third-party conversation to a test user of a bot, who can send the id there again',
  session: 'is a sign-in of a person at this installation',
  sign_in_attempt: 'counts attempts to sign in at this installation',
  sign_in_link: 'signs a person in at this installation, and expires soon',
  shareable_id: 'is a short-lived id for testing a bot',
  table_row_text: 'is derived from rows by the database',
  table_text_column: 'is derived from columns by the database',
  tag_value: 'is derived from tagged rows by the database',
  token_address: 'records the addresses that used a personal token',
  webhook_request: 'records recent requests to this installation',
  worker: 'describes a process',
}

/**
 * An archive is a copy, which other people may use. A move carries also what would make two of
 * them: short-lived rows, and the personal tokens of the members.
 */
export type Purpose = 'archive' | 'move'

const onlyMoved = ['idempotency_key', 'sandbox_conversation', 'shareable_id']

const isExcluded = (name: string, purpose: Purpose) =>
  Object.hasOwn(excludedTables, name) && !(purpose === 'move' && onlyMoved.includes(name))

const botsOf = (workspace: string) => `(select id from bot where workspace_id = ${workspace})`

const toPeople = (workspace: string) =>
  `(select account_id from workspace_member where workspace_id = ${workspace}
    union all select account_id from pending_member where workspace_id = ${workspace})`

/** Tables with a rule that their columns do not fully determine. */
const otherwise: Record<string, Holding['belongs']> = {
  workspace: (workspace) => `r.id = ${workspace}`,
  account: (workspace) => `r.id in ${toPeople(workspace)}`,
  // Personal tokens belong to people, internal ones to processes.
  token: (workspace) =>
    `r.account_id is null and not r.internal
      and (r.bot_id in ${botsOf(workspace)} or r.integration_id in (select id from integration
        where workspace_id = ${workspace}))`,
  audit_record: (workspace) => `r.chain = ${workspace}`,
  audit_chain: (workspace) => `r.chain = ${workspace}`,
}

/** Rules that differ for a move. */
const otherwiseMoved: Record<string, Holding['belongs']> = {
  token: (workspace) =>
    `(${otherwise.token!(workspace)}) or (r.kind = 'pat' and r.account_id in
      (select account_id from workspace_member where workspace_id = ${workspace}))`,
}

/** `unknown` are the tables without a rule. */
export function holdingsOf(
  tables: CatalogTable[],
  purpose: Purpose = 'archive',
): { holdings: Holding[]; unknown: string[] } {
  const known = new Map<string, Holding>()
  const unknown: string[] = []
  for (const table of tables) {
    if (isExcluded(table.name, purpose)) continue
    const belongs =
      (purpose === 'move' && otherwiseMoved[table.name]) ||
      otherwise[table.name] ||
      byColumns(table, ({ required }) => required) ||
      byReference(table, known) ||
      byColumns(table, () => true)
    if (belongs) known.set(table.name, { table, belongs })
    else unknown.push(table.name)
  }
  return {
    holdings: [...known.values()].sort((one, other) => turnOf(one) - turnOf(other)),
    unknown,
  }
}

/**
 * Order of import: tables that triggers read come first, whether others refer to them or not;
 * counters that triggers update come last.
 */
function turnOf({ table: { name } }: Holding): number {
  if (['workspace', 'account', 'bot'].includes(name)) return 0
  return name === 'table_counter' ? 2 : 1
}

/** A log of an integration may name a bot, but does not belong to it. */
function byColumns(
  { columns }: CatalogTable,
  counts: (column: CatalogColumn) => boolean,
): Holding['belongs'] | null {
  const has = (name: string) => columns.some((column) => column.name === name && counts(column))
  if (has('workspace_id')) return (workspace) => `r.workspace_id = ${workspace}`
  return has('bot_id') ? (workspace) => `r.bot_id in ${botsOf(workspace)}` : null
}

/** The key begins with the reference to its owner. */
function byReference(
  { key, references }: CatalogTable,
  known: Map<string, Holding>,
): Holding['belongs'] | null {
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
function foreignOf({ table }: Holding, all: Holding[], workspace: string): Foreign[] {
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
export function isStray(holding: Holding, all: Holding[], workspace: string): string | null {
  const found = foreignOf(holding, all, workspace).map(
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
    foreignOf(holding, all, workspace)
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

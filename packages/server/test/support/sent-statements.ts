// Records the statements that the server sends, and explains them on connections with the same
// settings. A prepared statement is explained with the plan that its pool uses.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'
import type { ConnectionSettings } from '../../src/core/db/database.ts'

export interface SentStatement {
  text: string
  values: unknown[]
  /** Options of the session: `-c name=value …`. */
  options: string
}

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}
export interface ExplainedStatement {
  root: PlanNode
  /** Blocks of 8 KiB that the execution read from the cache or the disk, each as often as it read it. */
  blocks: number
}

interface SubmittedQuery {
  text: string
  submit(connection: object): unknown
}

/**
 * Returns a function that runs work and adds the statements that it sends to a list; background
 * tasks send theirs in another context. `vi.restoreAllMocks` ends it.
 */
export function recordStatements() {
  const recording = new AsyncLocalStorage<SentStatement[]>()
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    recording.getStore()?.push(toStatement(this, given))
    return query.apply(this, given)
  } as never)
  // A pool gives a free connection to the next waiting call in the context of the call before.
  const connect = pg.Pool.prototype.connect as (...values: unknown[]) => unknown
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (
    this: pg.Pool,
    ...[got]: unknown[]
  ) {
    return connect.apply(
      this,
      typeof got === 'function' ? [AsyncResource.bind(got as never)] : [],
    )
  } as never)
  return <T>(sent: SentStatement[], work: () => Promise<T>): Promise<T> =>
    recording.run(sent, work)
}

/** The settings of the transactions on connections, as options. */
const transactions = new WeakMap<pg.Client, string>()

function toStatement(client: pg.Client, given: unknown[]): SentStatement {
  const { options = '' } = (
    client as unknown as { connectionParameters: { options?: string } }
  ).connectionParameters
  const { settings = '', ...sent } = toText(given)
  if (/^begin|\b(?:commit|rollback)$/.test(sent.text))
    transactions.set(client, toOptions(sent.text, /set local (\w+) = '(\w+)'/g))
  return { ...sent, options: `${options}${transactions.get(client) ?? ''}${settings}` }
}

/** The setting of a transaction is not one of a session. */
const toOptions = (text: string, setting: RegExp) =>
  [...text.matchAll(setting)]
    .map(
      ([, name, value]) => ` -c ${name!.replace(/^transaction_/, 'default_$&')}=${value}`,
    )
    .join('')

function toText([query, values]: unknown[]): {
  text: string
  values: unknown[]
  settings?: string
} {
  if (typeof query === 'string')
    return { text: query, values: Array.isArray(values) ? values : [] }
  if (typeof (query as Partial<SubmittedQuery>).submit === 'function')
    return boundValues(query as SubmittedQuery)
  const { text, values: own } = query as { text: string; values?: unknown[] }
  return { text, values: own ?? (Array.isArray(values) ? values : []) }
}

/**
 * Submits a prepared query to a connection that only keeps the bound values, and the settings that the query
 * carries along.
 */
function boundValues(query: SubmittedQuery) {
  let values: unknown[] = []
  let settings = ''
  const ignore = () => {}
  query.submit({
    stream: { cork: ignore, uncork: ignore },
    parsedStatements: {},
    submittedNamedStatements: {},
    bind: (bound: { values: unknown[] }) => {
      values = bound.values
    },
    parse: ({ text }: { text: string }) => {
      settings ||= toOptions(text, /set_config\('(\w+)', '(\w+)', true\)/g)
    },
    describe: ignore,
    execute: ignore,
    sync: ignore,
  })
  return { text: query.text, values, settings }
}

const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): unknown } }
).utils

/** Explains statements by running them. Their writes are rolled back. */
export function openExplainer(settings: ConnectionSettings) {
  const clients = new Map<string, Promise<pg.Client>>()
  async function connect(options: string) {
    const client = new pg.Client({ ...settings, options })
    await client.connect()
    return client
  }
  return {
    async explain({ text, values, options }: SentStatement): Promise<ExplainedStatement> {
      const client = await (clients.get(options) ??
        clients.set(options, connect(options)).get(options)!)
      await client.query('begin')
      try {
        await client.query(`prepare explained as ${text}`)
        const bound = values.length ? `(${values.map(toLiteral).join(', ')})` : ''
        const { rows } = await client.query(
          `explain (analyze, buffers, timing off, format json) execute explained${bound}`,
        )
        const root: PlanNode = rows[0]['QUERY PLAN'][0].Plan
        return { root, blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'] }
      } finally {
        await client.query('rollback')
        await client.query('deallocate all')
      }
    },
    close: async () => {
      for (const client of await Promise.all(clients.values())) await client.end()
    },
  }
}

function toLiteral(value: unknown): string {
  const prepared = prepareValue(value)
  if (prepared === null || prepared === undefined) return 'null'
  if (Buffer.isBuffer(prepared)) return `'\\x${prepared.toString('hex')}'`
  return pg.escapeLiteral(String(prepared))
}

/** Returns the node and all nodes below it. */
export const listNodes = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(listNodes),
]

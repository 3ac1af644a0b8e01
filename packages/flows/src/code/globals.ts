// Globals of code other than event and scopes: the official client, actions, an object for each
// table, libraries, and a console that writes to the bot's log.
import { inspect } from 'node:util'
import * as luxon from 'luxon'
import { tableGlobal } from '../document/table-global.ts'

type Json = Record<string, unknown>

/** Those that the bot's code names (libraries.ts). */
export interface HostLibraries {
  /** A `@botpress/client` of the bot. */
  client?: unknown
  axios?: unknown
  _?: unknown
}

/** Dependencies that the engine provides. */
interface GlobalsDeps {
  libraries: HostLibraries
  /** Names of the bot's actions with code. */
  ownActions: string[]
  /** Calls an action by name; `integration:action` for integrations. */
  callAction: (type: string, input: Json) => Promise<unknown>
  /** Names of the declared tables. */
  tables: string[]
  askTable: (table: string, call: TableCall) => Promise<Json>
  log: (level: LogLevel, text: string) => void
}

export interface TableCall {
  method: 'GET' | 'POST' | 'PUT'
  /** Path below `/v1/tables/{table}`. */
  path: string
  body?: unknown
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export function hostGlobals(lent: GlobalsDeps): Json {
  const tables = lent.tables.map((name) => [
    tableGlobal(name),
    tableObject((call) => lent.askTable(name, call)),
  ])
  return {
    ...lent.libraries,
    actions: actionsObject(lent),
    luxon,
    console: createConsole(lent.log),
    ...Object.fromEntries(tables),
  }
}

/**
 * Returns the global `actions`: `actions.mine(input)` and `actions.integration.theirs(input)`. Any
 * name of an integration works, because only the server knows their actions.
 */
function actionsObject({ ownActions, callAction }: GlobalsDeps): Json {
  const own = Object.fromEntries(
    ownActions.map((name) => [name, (input: Json = {}) => callAction(name, input)]),
  )
  return new Proxy(own, {
    get(actions, name) {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON')
        return undefined
      return Object.hasOwn(actions, name)
        ? actions[name]
        : integrationActions(name, callAction)
    },
  })
}

const integrationActions = (integration: string, callAction: GlobalsDeps['callAction']) =>
  new Proxy({} as Json, {
    get(_, name) {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON')
        return undefined
      return (input: Json = {}) => callAction(`${integration}:${name}`, input)
    },
  })

type Row = Json
interface Find {
  filter?: Json
  search?: string
  limit?: number
  offset?: number
  orderBy?: string
  orderDirection?: 'asc' | 'desc'
}

function tableObject(ask: (call: TableCall) => Promise<Json>) {
  const toRows = (answer: Json) => answer.rows as Row[]
  const create = async (rows: Row[]) =>
    toRows(await ask({ method: 'POST', path: '/rows', body: { rows } }))
  const update = async (rows: Row[]) =>
    toRows(await ask({ method: 'PUT', path: '/rows', body: { rows } }))
  const remove = async (body: Json) =>
    Number((await ask({ method: 'POST', path: '/rows/delete', body })).deletedRows)
  return {
    createRecord: async (row: Row) => (await create([row]))[0],
    createRecords: create,
    findRecords: async (find: Find = {}) =>
      toRows(await ask({ method: 'POST', path: '/rows/find', body: find })),
    getRecord: async (id: number) =>
      (
        await ask({
          method: 'GET',
          path: `/row?${new URLSearchParams({ id: String(id) })}`,
        })
      ).row,
    updateRecord: async (row: Row) => (await update([row]))[0],
    updateRecords: update,
    upsertRecords: async (rows: Row[], keyColumn?: string) =>
      toRows(
        await ask({
          method: 'POST',
          path: '/rows/upsert',
          body: { rows, ...(keyColumn !== undefined && { keyColumn }) },
        }),
      ),
    deleteRecord: (id: number) => remove({ ids: [id] }),
    deleteRecords: (which: number[] | Json) =>
      remove(Array.isArray(which) ? { ids: which } : { filter: which }),
  }
}

const maxLineLength = 20_000

function createConsole(log: GlobalsDeps['log']) {
  const at =
    (level: LogLevel) =>
    (...values: unknown[]) =>
      log(
        level,
        values
          .map((value) =>
            typeof value === 'string'
              ? value
              : inspect(value, { depth: 4, customInspect: false }),
          )
          .join(' ')
          .slice(0, maxLineLength),
      )
  return {
    log: at('info'),
    info: at('info'),
    debug: at('debug'),
    warn: at('warn'),
    error: at('error'),
  }
}

// What an author's code finds beside event and scopes: what it calls through it is part of the turn.
import { callAction } from './actions.ts'
import { hostGlobals } from './globals.ts'
import type { Json } from './platform.ts'
import { askTable } from './tables.ts'
import type { Turn } from './turn.ts'

/** `client`: of `@botpress/client`, as the bot. */
export function hostOf(turn: Turn, client: unknown): Json {
  const { program, log } = turn.engine
  const { actions = {}, tables = {} } = program.document
  return hostGlobals({
    ...{ client, log, tables: Object.keys(tables) },
    ownActions: Object.keys(actions).filter((name) => actions[name]!.code !== undefined),
    callAction: (type, input) => callAction(turn, type, input),
    askTable: (table, call) => askTable(turn, table, call),
  })
}

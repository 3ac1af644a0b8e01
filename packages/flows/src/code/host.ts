// Provides the host objects of an author's code. Calls through them are part of the turn.

import { askTable } from '../cards/tables.ts'
import type { Json } from '../engine/platform.ts'
import type { Turn } from '../engine/turn.ts'
import { invokeAction } from './actions.ts'
import { type HostLibraries, hostGlobals } from './globals.ts'

/** Returns the host objects. */
export function createHost(turn: Turn, libraries: HostLibraries): Json {
  const { program, log } = turn.engine
  const { actions = {}, tables = {} } = program.document
  return hostGlobals({
    libraries,
    log,
    tables: Object.keys(tables),
    ownActions: Object.keys(actions).filter((name) => actions[name]!.code !== undefined),
    callAction: (type, input) => invokeAction(turn, type, input),
    askTable: (table, call) => askTable(turn, table, call),
  })
}

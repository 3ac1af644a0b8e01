// Traces the changes of variables by code, which may set any. Other steps trace their own changes.
import { getTop, type Turn } from '../engine/turn.ts'

/** Runs code and traces the variables that it has changed. */
export async function withTracedChanges<Value>(
  turn: Turn,
  run: () => Promise<Value>,
): Promise<Value> {
  const before = structuredClone(toScopes(turn))
  const value = await run()
  const now = toScopes(turn)
  for (const scope of Object.keys(now) as (keyof typeof now)[])
    turn.trace.changes(scope, before[scope], now[scope])
  return value
}

const toScopes = (turn: Turn) => ({
  workflow: getTop(turn)?.variables ?? {},
  conversation: turn.remembered.variables,
  user: turn.user,
  bot: turn.bot,
  session: turn.remembered.session,
  turn: turn.values,
})

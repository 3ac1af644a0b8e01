// Calls actions. Actions with code in the document run here; the server calls those of
// integrations.

import { escapePointer } from '../document/pointer.ts'
import type { Json } from '../engine/platform.ts'
import {
  callOnce,
  getCodeTimeout,
  nextKey,
  scriptAt,
  type Turn,
  toSurroundings,
} from '../engine/turn.ts'
import { runCode } from './code.ts'

/** Calls an action by name. Throws Refused for an action that the server does not have. */
export function invokeAction(turn: Turn, type: string, input: Json): Promise<Json> {
  return turn.trace.call(
    type,
    type.includes(':')
      ? callIntegration(turn, type, input)
      : runAction(turn, type, input),
  )
}

async function callIntegration(turn: Turn, type: string, input: Json): Promise<Json> {
  const answer = await callOnce(turn, nextKey(turn), {
    method: 'POST',
    path: '/v1/chat/actions',
    body: { type, input },
  })
  return (answer.output ?? {}) as Json
}

/**
 * Runs the code of an action. Results that are not objects become `{ output }`. Throws CodeError.
 */
export async function runAction(turn: Turn, name: string, input: Json): Promise<Json> {
  const { actions = {} } = turn.engine.program.document
  if (!Object.hasOwn(actions, name) || actions[name]?.code === undefined)
    throw new TypeError(`The bot has no action "${name}" with code`)
  const output = await runCode(
    scriptAt(turn, `/actions/${escapePointer(name)}/code`),
    toSurroundings(turn, { input }),
    getCodeTimeout(turn),
  )
  if (typeof output === 'object' && output !== null && !Array.isArray(output))
    return output as Json
  return output === undefined ? {} : { output }
}

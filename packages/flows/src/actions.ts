// Actions: those that the document has code for run here, the integrations' are called through the server.
import { runCode } from './code.ts'
import { escapePointer } from './json-places.ts'
import type { Json } from './platform.ts'
import { callOnce, codeTimeoutOf, nextKey, scriptAt, surroundingsOf, type Turn } from './turn.ts'

/** Throws Refused for one that the server does not have. */
export function callAction(turn: Turn, type: string, input: Json): Promise<Json> {
  return turn.trace.call(
    type,
    type.includes(':') ? callIntegration(turn, type, input) : runAction(turn, type, input),
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

/** What its code returns. Throws CodeError. */
export async function runAction(turn: Turn, name: string, input: Json): Promise<Json> {
  const { actions = {} } = turn.engine.program.document
  if (!Object.hasOwn(actions, name) || actions[name]?.code === undefined)
    throw new TypeError(`The bot has no action "${name}"`)
  const output = await runCode(
    scriptAt(turn, `/actions/${escapePointer(name)}/code`),
    surroundingsOf(turn, { input }),
    codeTimeoutOf(turn),
  )
  return typeof output === 'object' && output !== null && !Array.isArray(output)
    ? (output as Json)
    : output === undefined
      ? {}
      : { output }
}

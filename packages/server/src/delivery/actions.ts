// Calls an action of a bot, or of an integration inside it, and waits for the outcome. It runs within the caller's request and holds no lock,
// because what is called may call again.
import { ApiError, type ErrorType, errors } from '@botstead/contract'
import { findBotAction } from '../bots/declarations.ts'
import { findDeclaration } from '../integrations/declarations.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import { findMismatch, type JsonSchema } from '../lib/json-schemas.ts'
import { callChatAction } from '../messaging/chat-actions.ts'
import type { Services } from '../services.ts'
import type { Invocation, Reply } from './invoker.ts'

type Deps = Pick<Services, 'db' | 'signals' | 'invoker'>
type Json = Record<string, unknown>
type Run = (input: Json) => Promise<unknown>

/** `type` is `alias:action` for an integration (the alias ends at the first colon), otherwise an action of the bot itself. */
export async function callAction(deps: Deps, { botId, cause }: { botId: string; cause: string | null }, type: string, input: Json): Promise<Json> {
  const colon = type.indexOf(':')
  const { declared, run } =
    colon < 0 ? await botAction(deps, botId, type, cause) : await integrationAction(deps, botId, type.slice(0, colon), type.slice(colon + 1), cause)
  refuseMismatch(declared, 'input', input, 'InvalidPayload')
  const output = await run(input)
  if (!isObject(output)) throw new ApiError('Runtime', `The action "${type}" gave no output`)
  refuseMismatch(declared, 'output', output, 'Runtime')
  return output
}

interface Action {
  /** What is declared of it; null where it is not declared. */
  declared: unknown
  run: Run
}

/** A bot may answer actions that it never declared: those of its plugins are compiled in. */
async function botAction({ db, invoker }: Deps, botId: string, action: string, cause: string | null): Promise<Action> {
  const { declared, timeoutMs } = await findBotAction(db, botId, action)
  return { declared, run: (input) => invoke(invoker, { target: { botId, alias: null }, action, input, cause, timeoutMs }) }
}

async function integrationAction(deps: Deps, botId: string, name: string, action: string, cause: string | null): Promise<Action> {
  const installed = await findDeclaration(deps.db, botId, name, ['actions', action])
  if (!installed?.enabled) throw new ApiError('ReferenceNotFound', `No integration "${name}" is enabled in this bot`)
  const { alias, declared } = installed
  if (installed.builtIn) return { declared, run: (input) => callChatAction(deps, botId, alias, action, input) }
  if (!declared) throw new ApiError('ReferenceNotFound', `No action "${action}" in ${alias}`)
  return { declared, run: (input) => invoke(deps.invoker, { target: { botId, alias }, action, input, cause, timeoutMs: 60_000 }) }
}

function refuseMismatch(declared: unknown, side: 'input' | 'output', value: Json, type: ErrorType) {
  const schema = isObject(declared) && isObject(declared[side]) ? declared[side].schema : undefined
  const mismatch = isObject(schema) ? findMismatch(schema as JsonSchema, value) : null
  if (mismatch) throw new ApiError(type, `${side}: ${mismatch}`)
}

interface Call extends Pick<Invocation, 'target' | 'cause' | 'timeoutMs'> {
  action: string
  input: Json
}

async function invoke(invoker: Deps['invoker'], { target, action, input, cause, timeoutMs }: Call): Promise<unknown> {
  const invocation: Invocation = { target, operation: 'action_triggered', type: 'actionTriggered', body: { type: action, input }, cause, timeoutMs }
  const reply = await invoker.invoke(invocation).catch((error) => {
    throw error instanceof InvocationFailed ? failureOf(error) : error
  })
  const body = parse(reply)
  if (reply.status >= 200 && reply.status < 300) return body.output
  throw refusalOf(reply, body)
}

const failureOf = (error: InvocationFailed) => new ApiError(error.reason === 'timeout' ? 'OperationTimeout' : 'Runtime', error.message, { cause: error })

/** What the code refused on purpose (4xx) passes with its type and words. What failed inside is the caller's Runtime error, never our 500. */
function refusalOf({ status }: Reply, { type, message, metadata }: Json): ApiError {
  const said = typeof message === 'string' && message !== '' ? message.slice(0, 2000) : `The action answered ${status}`
  const known = typeof type === 'string' && Object.hasOwn(errors, type) ? (type as ErrorType) : 'Runtime'
  const passes = status >= 400 && status < 500 && errors[known] === status
  return new ApiError(passes ? known : 'Runtime', said, isObject(metadata) ? { metadata } : {})
}

function parse({ body }: Reply): Json {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

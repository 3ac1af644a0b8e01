// Calls an action of a bot or of an installed integration and returns its output. Runs within the
// caller's request and holds no lock, because the called code may call the API.

import { ApiError, type ErrorType } from '@botstead/contract'
import { botDeclarations } from '../../bots/index.ts'
import { findAction } from '../../catalog/index.ts'
import type { JsonSchema } from '../../compute/index.ts'
import { schemas } from '../../compute/index.ts'
import {
  type ChatDeps,
  callChatAction,
  type MessagingHooks,
} from '../../messaging/index.ts'
import type { UsageCounter } from '../../usage/index.ts'
import type { DeliveryHooks, RemoteAction } from '../hooks.ts'
import { type ActionCache, actionKey } from './action-cache.ts'
import { callCode, isObject, type Json } from './code-calls.ts'
import type { Invocation, Invoker } from './invoker.ts'

interface Deps extends ChatDeps {
  invoker: Invoker
  actionCache: ActionCache
  hooks: Pick<DeliveryHooks, 'actionCalled' | 'findRemoteAction'> &
    Pick<MessagingHooks, 'chatActions'>
  usage: Pick<UsageCounter, 'count'>
}
interface Caller {
  botId: string
  cause: string | null
  run: string | null
  fence: string | null
}

/**
 * Calls an action. `type` is `alias:action` for an integration (the alias ends at the first colon)
 * and `name:tool` for an MCP server, otherwise an action of the bot. Records every call that reaches
 * the code, regardless of its result; calls rejected before are not recorded. The output of a
 * cacheable action may come from the cache.
 */
export async function callAction(
  deps: Deps,
  caller: Caller,
  type: string,
  input: Json,
): Promise<{ output: Json; cached: boolean }> {
  const colon = type.indexOf(':')
  const action =
    colon < 0
      ? await botAction(deps, caller, type)
      : await integrationAction(deps, caller, type.slice(0, colon), type.slice(colon + 1))
  await rejectMismatch(caller.botId, action.declared, 'input', input, 'InvalidPayload')
  const startedAt = new Date()
  const begun = performance.now()
  const record = (output: Json | null, error: string | null, cached = false) => {
    const { alias, integration, name } = action
    const ms = Math.round(performance.now() - begun)
    const call = {
      ...caller,
      alias,
      integration,
      action: name,
      input,
      output,
      error,
      cached,
    }
    for (const note of deps.hooks.actionCalled) note({ ...call, startedAt, ms })
  }
  const key = await cacheKey(deps, caller.botId, action, input)
  const known = key === null ? null : deps.actionCache.get(caller.botId, key)
  if (known) {
    record(known, null, true)
    return { output: known, cached: true }
  }
  try {
    const output = await run(caller.botId, action, type, input)
    if (key !== null) deps.actionCache.set(caller.botId, key, output)
    record(output, null)
    return { output, cached: false }
  } catch (error) {
    record(
      null,
      error instanceof ApiError ? error.message : 'The server failed to call the action',
    )
    throw error
  }
}

/** Returns null if the action is not cacheable. */
async function cacheKey(
  { invoker }: Deps,
  botId: string,
  { alias, name, declared }: Action,
  input: Json,
) {
  if (!isObject(declared) || declared.cacheable !== true) return null
  const target = await invoker.fingerprint({ botId, alias })
  return target === null ? null : actionKey(target, name, input)
}

async function run(
  botId: string,
  { declared, run }: Action,
  type: string,
  input: Json,
): Promise<Json> {
  const output = await run(input)
  if (!isObject(output))
    throw new ApiError('Runtime', `The action "${type}" returned no output`)
  await rejectMismatch(botId, declared, 'output', output, 'Runtime')
  return output
}

interface Action {
  /** Alias and name of the installed integration; null for an action of the bot. */
  alias: string | null
  integration: string | null
  name: string
  /** The declaration of the action; null if there is none. */
  declared: unknown
  run: (input: Json) => Promise<unknown>
}

/** A bot may have undeclared actions: those of its plugins are compiled in. */
async function botAction(
  deps: Deps,
  { botId, ...context }: Caller,
  name: string,
): Promise<Action> {
  const { declared, timeoutMs } = await botDeclarations.findAction(deps.db, botId, name)
  const target = { botId, alias: null }
  return {
    alias: null,
    integration: null,
    name,
    declared,
    run: (input) => invoke(deps, { target, action: name, input, ...context, timeoutMs }),
  }
}

async function integrationAction(
  deps: Deps,
  { botId, cause, fence }: Caller,
  aliasOrName: string,
  name: string,
): Promise<Action> {
  const action = await findAction(deps.db, botId, aliasOrName, name)
  if (!action) return remoteAction(deps, botId, aliasOrName, name)
  const { alias, name: integration, declared, builtIn, ...found } = action
  const known = { alias, integration, name: found.action, declared }
  if (builtIn)
    return {
      ...known,
      run: (input) => callChatAction(deps, { botId, cause }, alias, known.name, input),
    }
  return {
    ...known,
    run: (input) =>
      invoke(deps, { target: { botId, alias }, action: known.name, input, cause, fence }),
  }
}

async function findRemoteAction(
  hooks: Deps['hooks'],
  ...names: [botId: string, server: string, name: string]
): Promise<RemoteAction | null> {
  for (const find of hooks.findRemoteAction) {
    const found = await find(...names)
    if (found) return found
  }
  return null
}

/** A tool of an MCP server. */
async function remoteAction(
  { hooks }: Deps,
  botId: string,
  server: string,
  name: string,
): Promise<Action> {
  const found = await findRemoteAction(hooks, botId, server, name)
  if (!found)
    throw new ApiError(
      'ReferenceNotFound',
      `No integration or MCP server "${server}" is enabled in this bot`,
    )
  const { inputSchema, outputSchema } = found.tool
  const declared = { input: { schema: inputSchema }, output: { schema: outputSchema } }
  return { alias: server, integration: null, name, declared, run: found.call }
}

async function rejectMismatch(
  botId: string,
  declared: unknown,
  side: 'input' | 'output',
  value: Json,
  type: ErrorType,
) {
  const schema =
    isObject(declared) && isObject(declared[side]) ? declared[side].schema : undefined
  if (!isObject(schema)) return
  const mismatch = await schemas.findMismatchOfDeclared(
    botId,
    schema as JsonSchema,
    value,
  )
  if (mismatch) throw new ApiError(type, `${side}: ${mismatch}`)
}

interface Call
  extends Pick<Invocation, 'target' | 'cause' | 'run' | 'fence' | 'timeoutMs'> {
  action: string
  input: Json
}

/** Invokes the action and counts the cost in dollars that the SDK reports. */
async function invoke(
  { invoker, usage }: Deps,
  { target, action, input, cause, run = null, fence, timeoutMs }: Call,
): Promise<unknown> {
  const invocation: Invocation = {
    target,
    operation: 'action_triggered',
    type: 'actionTriggered',
    body: { type: action, input },
    cause,
    run,
    fence,
    ...(timeoutMs && { timeoutMs }),
  }
  const { output, meta } = await callCode(invoker, invocation, 'The action')
  const cost = isObject(meta) && typeof meta.cost === 'number' ? meta.cost : 0
  if (cost > 0 && Number.isFinite(cost)) usage.count('ai_spend', target.botId, cost)
  return output
}

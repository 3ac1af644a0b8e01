// The handler of bots with flows, which the server calls. build.js bundles it with the engine;
// compile.ts adds it to each bot.
import { randomUUID } from 'node:crypto'
import { createHost } from './code/host.ts'
import type { Libraries } from './code/libraries.ts'
import { renewWizardDates } from './document/earlier-wizards.ts'
import type { Program } from './document/program.ts'
import { handleAction, handleEvent, isAuthors } from './engine/engine.ts'
import type { DeliveredEvent } from './engine/event-types.ts'
import { openMemory } from './engine/memory.ts'
import {
  type Json,
  openPlatform,
  ownTrace,
  PlatformUnreachable,
} from './engine/platform.ts'
import type { Engine } from './engine/turn.ts'
import { turnObservation } from './tracing/trace.ts'

interface Request {
  headers: Record<string, string | undefined>
  body?: string
}
interface Response {
  status: number
  body?: string
}

const logged = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const

/** The second argument of a handler. */
interface Context {
  /** Aborts when the user stops the answer. */
  signal?: AbortSignal
}

/** `loadLibraries`: of a program that names some (bot-with-libraries.ts). */
export function runFlows(
  program: Program,
  loadLibraries: (program: Program) => Promise<Libraries> = async () => ({}),
): (request: Request, context?: Context) => Promise<Response> {
  let opening: Promise<Engine> | undefined
  const open = async (botId: string) =>
    openEngine(renewWizardDates(program), botId, await loadLibraries(program))
  return async ({ headers, body = '{}' }, { signal } = {}) => {
    opening ??= open(headers['x-bot-id'] ?? '')
    const engine = await opening
    const env = configurationIn(headers['x-bp-configuration'])
    const given = JSON.parse(body) as Json
    if (headers['x-bp-operation'] === 'event_received')
      return answerEvent(engine, given.event as DeliveredEvent, env, signal)
    if (headers['x-bp-operation'] !== 'action_triggered') return { status: 200 }
    return answerAction(engine, given, env)
  }
}

/**
 * Answers 400 with the reason, which the caller reads, if the author's document or code fails. Other
 * errors reach the log only.
 */
async function answerAction(
  engine: Engine,
  { type, input }: Json,
  env: Json,
): Promise<Response> {
  try {
    const given = (input ?? {}) as Json
    const output = await handleAction(engine, String(type), given, env, randomUUID())
    return { status: 200, body: JSON.stringify({ output }) }
  } catch (error) {
    if (!isAuthors(error)) throw error
    console.error(error)
    const { message } = error as Error
    return { status: 400, body: JSON.stringify({ code: 400, type: 'Runtime', message }) }
  }
}

/**
 * Answers 400, which the server does not retry, for every error except Unreachable: the author's
 * document or code would fail again.
 */
async function answerEvent(
  engine: Engine,
  event: DeliveredEvent,
  env: Json,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    await handleEvent(engine, event, env, signal)
    return { status: 200 }
  } catch (error) {
    if (error instanceof PlatformUnreachable) throw error
    const { message } = error as Error
    const body = { message, ...(isAuthors(error) && { issue: 'code_failed' }) }
    return { status: 400, body: JSON.stringify(body) }
  }
}

function openEngine(
  program: Program,
  botId: string,
  { Client, ...libraries }: Libraries,
): Engine {
  const platform = openPlatform({
    url: String(process.env.BP_API_URL),
    token: String(process.env.BP_TOKEN),
    botId,
  })
  const client =
    Client &&
    new Client({
      apiUrl: String(process.env.BP_API_URL),
      token: String(process.env.BP_TOKEN),
      botId,
      headers: ownTrace,
    })
  return {
    program,
    botId,
    platform,
    memory: openMemory(platform),
    now: Date.now,
    createHost: (turn) => createHost(turn, { ...libraries, client }),
    log: (level, text) => console[logged[level]](text),
    onTraced({ delivered }, trace) {
      const { id, conversationId, userId } = delivered
      const about = {
        id,
        eventId: id,
        ...(conversationId && { conversationId }),
        ...(userId && { userId }),
      }
      void platform({
        method: 'POST',
        path: '/v1/chat/observations',
        body: { name: turnObservation, data: trace, ...about },
      }).catch(() => {})
    },
  }
}

/** Parses the bot's configuration, which the server sends with each call. */
function configurationIn(header: string | undefined): Json {
  if (!header) return {}
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
    payload?: string
  }
  return payload ? (JSON.parse(payload) as Json) : {}
}

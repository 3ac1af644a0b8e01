// Runs conversation scripts against a bot, in this process.
import { isDeepStrictEqual } from 'node:util'
import * as luxon from 'luxon'
import { RE2JS } from 're2js'
import { handoffClosedType } from '../cards/handoff.ts'
import { createHost } from '../code/host.ts'
import { lodashWithoutCode } from '../code/lodash-without-code.ts'
import { renewWizardDates } from '../document/earlier-wizards.ts'
import type { Program } from '../document/program.ts'
import { handleEvent } from '../engine/engine.ts'
import type { DeliveredEvent } from '../engine/event-types.ts'
import { openMemory } from '../engine/memory.ts'
import type { Platform } from '../engine/platform.ts'
import type { Engine } from '../engine/turn.ts'
import { preview } from '../tracing/preview.ts'
import { traceText } from '../tracing/trace-text.ts'
import { clientOver } from './client.ts'
import type { ConversationScript, Expected, ScriptStep } from './conversation-script.ts'
import { openWalk, type ScriptPlace, type VisitedNodes } from './walk.ts'
import { ids, openWorld, type ScriptEvent, type World } from './world.ts'

type Json = Record<string, unknown>

export interface ScriptResult {
  name: string
  ms: number
  /** Absent if the script passed. */
  failure?: ScriptFailure
  visited: VisitedNodes[]
}

export interface ScriptFailure {
  line: number
  message: string
  difference?: Difference
  /** Where the conversation was, or from where the bot sent the unexpected message. */
  place?: ScriptPlace
  /** The last turn as text. */
  trace?: string
}

/** Of a step. Null for no message. */
export interface Difference {
  expected: string | null
  actual: string | null
}

class Mismatch extends Error {
  readonly difference: Difference | undefined
  readonly place: ScriptPlace | undefined
  constructor(message: string, difference?: Difference, place?: ScriptPlace) {
    super(message)
    this.difference = difference
    this.place = place
  }
}

/** Maximum number of events in one step. */
const maxEvents = 10_000

export async function runScript(
  program: Program,
  script: ConversationScript,
): Promise<ScriptResult> {
  const startedAt = performance.now()
  const bot = openBot(program, script)
  const { now } = luxon.Settings
  luxon.Settings.now = bot.world.now
  let line = script.line
  try {
    for (const step of script.steps) {
      line = step.line
      await runStep(bot, step)
      if (bot.world.replies.fault !== null) throw new Mismatch(bot.world.replies.fault)
    }
    expectNoMessage(bot)
    expectNoReply(bot.world)
    return toResult(bot, script.name, startedAt)
  } catch (error) {
    const failure = toFailure(bot, line, error as Error)
    return { ...toResult(bot, script.name, startedAt), failure }
  } finally {
    luxon.Settings.now = now
  }
}

const toResult = ({ walk }: Bot, name: string, startedAt: number): ScriptResult => ({
  name,
  ms: performance.now() - startedAt,
  visited: walk.listVisited(),
})

function toFailure(bot: Bot, line: number, error: Error): ScriptFailure {
  const { difference, place: sentFrom } =
    error instanceof Mismatch ? error : ({} as Mismatch)
  const place = sentFrom ?? bot.walk.getPlace()
  const trace = bot.lastTrace()
  return {
    line,
    message: error.message,
    ...(difference && { difference }),
    ...(place && { place }),
    ...(trace && { trace }),
  }
}

type Bot = ReturnType<typeof openBot>

function openBot(program: Program, script: ConversationScript) {
  const world = openWorld(program.document, script)
  const walk = openWalk(program.document)
  const senders: (ScriptPlace | undefined)[] = []
  const platform: Platform = async (call) => {
    const place = walk.getPlace()
    const answer = await world.platform(call)
    while (senders.length < world.sent.length) senders.push(place)
    return answer
  }
  let trace: string | undefined
  const engine: Engine = {
    program: renewWizardDates(program),
    botId: ids.bot,
    platform,
    memory: openMemory(platform),
    now: world.now,
    createHost: (turn) =>
      createHost(turn, {
        client: clientOver(platform),
        axios: noNetwork(),
        _: lodashWithoutCode,
      }),
    log: () => {},
    onTraced: (_turn, turnTrace) => {
      trace = traceText(turnTrace)
    },
    onStep: walk.enter,
  }
  const handle = async (event: DeliveredEvent) => {
    if (!isWithheld(world, event)) await handleEvent(engine, event, script.configuration)
  }
  return {
    world,
    walk,
    /** From where each message was sent. */
    senders,
    received: 0,
    checked: 0,
    lastTrace: () => trace,
    deliver: (event: ScriptEvent) => handle(world.createEvent(event)),
    /** Handles all events that become due, including those that other events schedule. */
    async pass(ms: number) {
      const until = world.now() + ms
      let count = 0
      for (let event = world.next(until); event; event = world.next(until)) {
        if (++count > maxEvents)
          throw new Mismatch(
            `More than ${maxEvents} events are due in one step. Check for events that schedule each other`,
          )
        await handle(event)
      }
    },
  }
}

/** Returns whether a person holds the conversation. Expired states reach the bot nevertheless. */
const isWithheld = (world: World, { type, conversationId }: DeliveredEvent) =>
  conversationId !== undefined &&
  type !== 'state_expired' &&
  world.openHandoff()?.botReceives === 'nothing'

function noNetwork(): unknown {
  const refuse = async () => {
    throw new Error('Conversation scripts have no network access')
  }
  return new Proxy(refuse, { get: (_, name) => (name === 'create' ? noNetwork : refuse) })
}

async function runStep(bot: Bot, step: ScriptStep): Promise<void> {
  const { conversation: conversationId, user: userId } = ids
  switch (step.kind) {
    case 'user':
      expectNoMessage(bot)
      await bot.deliver(messageEvent(bot, step.message))
      return bot.pass(0)
    case 'event':
      expectNoMessage(bot)
      await bot.deliver({
        type: step.type,
        payload: step.payload,
        conversationId,
        userId,
      })
      return bot.pass(0)
    case 'wait':
      expectNoMessage(bot)
      return bot.pass(step.ms)
    case 'bot':
      return compare(bot, step.expected)
    case 'variables':
      return compareVariables(bot.world, step.values)
    case 'tables':
      return compareRows(bot.world, step.rows)
    case 'handoff':
      return compareHandoff(bot.world, step.expected)
    case 'close':
      expectNoMessage(bot)
      await closeHandoff(bot, step.outcome)
      return bot.pass(0)
  }
}

function messageEvent(
  bot: Bot,
  { type, ...payload }: Json & { type: string },
): ScriptEvent {
  const id = `msg_${++bot.received}`
  const message = {
    id,
    type,
    payload,
    tags: {},
    conversationId: ids.conversation,
    userId: ids.user,
    direction: 'incoming',
  }
  const conversation = {
    id: ids.conversation,
    integration: 'chat',
    channel: 'channel',
    tags: bot.world.getTags('conversation'),
  }
  const user = { id: ids.user, tags: bot.world.getTags('user') }
  return {
    type: 'message_created',
    payload: { message, user, conversation },
    conversationId: ids.conversation,
    userId: ids.user,
    messageId: id,
  }
}

const toText = ({ type, payload }: { type: string; payload: Json }) =>
  preview(type, payload)

function expectNoReply({ replies: { left } }: World): void {
  if (left.length === 0) return
  const more = left.length === 1 ? 'a reply' : `${left.length} replies`
  throw new Mismatch(`\`models\` has ${more} that the bot did not need`)
}

function expectNoMessage({ world, checked, senders }: Bot): void {
  const unexpected = world.sent.slice(checked).map(toText)
  if (unexpected.length === 0) return
  throw new Mismatch(
    `The bot sent messages that no step expects:\n${unexpected.map(indented).join('\n')}`,
    { expected: null, actual: unexpected.join('\n') },
    senders[checked],
  )
}

function compare(bot: Bot, expected: Expected): void {
  if (expected === 'nothing') {
    expectNoMessage(bot)
    return
  }
  const message = bot.world.sent[bot.checked]
  const wanted = described(expected)
  if (!message)
    throw new Mismatch(
      `The bot sent no further message. Expected:\n${indented(wanted)}`,
      {
        expected: wanted,
        actual: null,
      },
    )
  const sender = bot.senders[bot.checked]
  bot.checked += 1
  if (fits(message, expected)) return
  const actual = toText(message)
  if (!('message' in expected) || (wanted !== actual && isTyped(expected.message)))
    throw toMismatch('message', 'message', wanted, actual, sender)
  // Fields differ that people do not see, such as the values of buttons.
  const whole = shown({ type: message.type, ...message.payload })
  throw toMismatch('message', 'message', shown(expected.message), whole, sender)
}

const isTyped = (message: Json): message is Json & { type: string } =>
  typeof message.type === 'string'

function toMismatch(
  subject: string,
  name: string,
  expected: string,
  actual: string,
  place?: ScriptPlace,
): Mismatch {
  const message = `Expected ${subject}:\n${indented(expected)}\nActual ${name}:\n${indented(actual)}`
  return new Mismatch(message, { expected, actual }, place)
}

function fits(
  message: { type: string; payload: Json },
  expected: Exclude<Expected, 'nothing'>,
): boolean {
  if ('text' in expected) return toText(message).trim() === expected.text
  if ('contains' in expected) return toText(message).includes(expected.contains)
  if ('matches' in expected)
    return RE2JS.compile(expected.matches).matcher(toText(message)).find()
  return includes({ type: message.type, ...message.payload }, expected.message)
}

function described(expected: Exclude<Expected, 'nothing'>): string {
  if ('text' in expected) return expected.text
  if ('contains' in expected) return `… ${expected.contains} …`
  if ('matches' in expected) return `text that matches ${expected.matches}`
  const { message } = expected
  return isTyped(message) ? preview(message.type, message) : shown(message)
}

const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing'
const indented = (text: string) => text.replaceAll(/^/gm, '  ')

/** Returns whether `value` has all fields of `part`. Other fields of `value` do not matter. */
function includes(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(value) &&
      value.length === part.length &&
      part.every((item, index) => includes(value[index], item))
    )
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(value, part)
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(part).every(([name, one]) => includes((value as Json)[name], one))
  )
}

function compareVariables(world: World, values: Json): void {
  const scopes = world.variables()
  for (const [path, wanted] of Object.entries(values)) {
    const value =
      path
        .split('.')
        .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], scopes) ?? null
    if (!isDeepStrictEqual(value, wanted ?? null))
      throw new Mismatch(
        `Expected ${path} to be ${shown(wanted)}, but it is ${shown(value)}`,
        {
          expected: `${path}: ${shown(wanted)}`,
          actual: `${path}: ${shown(value)}`,
        },
      )
  }
}

function compareHandoff(world: World, expected: Json): void {
  const { isOpen: _, ...handoff } = openHandoff(world)
  if (!includes(handoff, expected))
    throw toMismatch('handoff', 'handoff', shown(expected), shown(handoff))
}

async function closeHandoff({ world, deliver }: Bot, outcome: string): Promise<void> {
  const handoff = openHandoff(world)
  handoff.isOpen = false
  const { id: handoffId, conversationId } = handoff
  const payload = { conversationId, handoffId, outcome }
  await deliver({ type: handoffClosedType, payload, conversationId })
}

function openHandoff(world: World) {
  const handoff = world.openHandoff()
  if (!handoff) throw new Mismatch('The conversation has no open handoff')
  return handoff
}

function compareRows(world: World, rows: Record<string, Json[]>): void {
  for (const [table, wanted] of Object.entries(rows)) {
    const found = world.getRows(table)
    if (!includes(found, wanted))
      throw toMismatch(
        `rows of the table "${table}"`,
        'rows',
        shown(wanted),
        shown(found),
      )
  }
}

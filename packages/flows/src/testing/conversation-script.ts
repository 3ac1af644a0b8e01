// Conversation scripts: the messages of a user and the expected messages and variables of the bot,
// as YAML in files, or as JSON in `tests` of a document. Errors name the line.
//
//   name: Books an appointment
//   now: 2026-03-04T12:00:00Z            start time of the clock
//   configuration: { greeting: Hi }      values of `env`
//   user: { name: Ana }                  tags of the user
//   knowledge: { docs: [{ title: Opening, content: We are open from 9 to 5 }] }
//   tables: { Appointments: [{ day: 2026-03-05 }] }
//   actions: { "calendar:book": { id: 7 } }      outputs of integrations' actions; { error: … } throws
//   models: [{ city: Rome }, Hello]      replies of models, in this order; { error: … } throws,
//                                        { toolCalls: [{ tool: { its: input } }], text: … } calls tools
//   steps:
//     - user: hello                      or { type: image, imageUrl: … }
//     - bot: Hi! What is your name?      text; or { contains: … }, { matches: … }, { type: choice, text: … }
//     - variables: { user.name: Ana }    expected values
//     - wait: 2h                         advances the clock and handles due events
//     - event: { type: order:paid, payload: { id: 1 } }
//     - tables: { Appointments: [{ day: 2026-03-05 }] }      expected rows, in this order
//     - handoff: { reason: refund }      expects an open handoff with these fields
//     - handoff: returned                a person closes it; or solved
//     - bot: nothing                     the bot sends no message
//
// A message that no step expects is a failure.
type Json = Record<string, unknown>

export type Expected =
  | 'nothing'
  | { text: string }
  | { contains: string }
  | { matches: string }
  | { message: Json }

export type ScriptStep = { line: number } & (
  | { kind: 'user'; message: Json & { type: string } }
  | { kind: 'bot'; expected: Expected }
  | { kind: 'variables'; values: Json }
  | { kind: 'wait'; ms: number }
  | { kind: 'event'; type: string; payload: Json }
  | { kind: 'tables'; rows: Record<string, Json[]> }
  | { kind: 'handoff'; expected: Json }
  | { kind: 'close'; outcome: 'returned' | 'solved' }
)

export interface ConversationScript {
  name: string
  line: number
  now: number
  configuration: Json
  userTags: Record<string, string>
  knowledge: Record<string, { title?: string; content: string }[]>
  tables: Record<string, Json[]>
  actions: Record<string, Json>
  models: (string | Json)[]
  steps: ScriptStep[]
}

/** Thrown for an invalid script. The message begins with the line; `reason` is without it. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly line: number
  readonly reason: string
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.line = line
    this.reason = reason
  }
}

const defaultNow = '2026-01-05T09:00:00Z'
const known = [
  'name',
  'now',
  'configuration',
  'user',
  'knowledge',
  'tables',
  'actions',
  'models',
  'steps',
]

const stepNames = 'user, bot, variables, wait, event, tables or handoff'

interface Located {
  /** Of the script. */
  line: number
  /** Returns the line of a step, by its index. */
  stepLine: (step: number) => number
  /** For a script without a name. */
  name: string
}

/** Checks a script. Throws ScriptError. */
export function toScript(
  given: Json,
  { line, stepLine, name }: Located,
): ConversationScript {
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new ScriptError(
        line,
        `"${key}" is not a known field. Use ${known.join(', ')}`,
      )
  if (!Array.isArray(given.steps)) throw new ScriptError(line, '`steps` must be a list')
  const now = Date.parse(String(given.now ?? defaultNow))
  if (Number.isNaN(now))
    throw new ScriptError(line, '`now` must be a time such as 2026-01-05T09:00:00Z')
  return {
    line,
    now,
    name: String(given.name ?? name),
    configuration: objectIn(given, 'configuration', line),
    userTags: Object.fromEntries(
      Object.entries(objectIn(given, 'user', line)).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
    knowledge: listsIn(given, 'knowledge', line) as ConversationScript['knowledge'],
    tables: listsIn(given, 'tables', line),
    actions: objectIn(given, 'actions', line) as ConversationScript['actions'],
    models: repliesIn(given, line),
    steps: given.steps.map((step, at) => toStep(step, stepLine(at))),
  }
}

function toStep(step: unknown, line: number): ScriptStep {
  const [[kind, value] = [], ...others] = isObject(step) ? Object.entries(step) : []
  if (kind === undefined || others.length)
    throw new ScriptError(line, `a step must have exactly one field: ${stepNames}`)
  switch (kind) {
    case 'user':
      return { line, kind, message: createMessage(value, line) }
    case 'bot':
      return { line, kind, expected: toExpected(value, line) }
    case 'variables':
      return { line, kind, values: objectIn({ variables: value }, 'variables', line) }
    case 'wait':
      return { line, kind, ms: toDuration(String(value), line) }
    case 'event': {
      const event =
        typeof value === 'string'
          ? { type: value }
          : objectIn({ event: value }, 'event', line)
      if (typeof event.type !== 'string')
        throw new ScriptError(line, '`event` must be a name, or a mapping with `type`')
      return { line, kind, type: event.type, payload: objectIn(event, 'payload', line) }
    }
    case 'tables':
      return { line, kind, rows: listsIn({ tables: value }, 'tables', line) }
    case 'handoff':
      return value === 'returned' || value === 'solved'
        ? { line, kind: 'close', outcome: value }
        : { line, kind, expected: objectIn({ handoff: value }, 'handoff', line) }
    default:
      throw new ScriptError(line, `"${kind}" is not a known step. Use ${stepNames}`)
  }
}

function createMessage(value: unknown, line: number): Json & { type: string } {
  if (isObject(value)) {
    if (typeof value.type !== 'string')
      throw new ScriptError(line, 'a message in `user` must have a `type`')
    return value as Json & { type: string }
  }
  if (value === null || value === undefined || Array.isArray(value))
    throw new ScriptError(line, '`user` must be a text, or a mapping with `type`')
  return { type: 'text', text: String(value) }
}

function toExpected(value: unknown, line: number): Expected {
  if (value === 'nothing') return 'nothing'
  if (!isObject(value)) return { text: String(value ?? '').trim() }
  for (const word of ['contains', 'matches'] as const)
    if (typeof value[word] === 'string') return { [word]: value[word] } as Expected
  if (Object.keys(value).length === 0)
    throw new ScriptError(
      line,
      '`bot` must not be empty. Use a text, `contains`, `matches`, a message or "nothing"',
    )
  return { message: value }
}

const units: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function toDuration(text: string, line: number): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  if (!count || !unit)
    throw new ScriptError(
      line,
      `\`wait\` must be a duration such as 30s, 10m, 2h or 7d, not "${text}"`,
    )
  return Number(count) * units[unit]!
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectIn(given: Json, name: string, line: number): Json {
  const value = given[name] ?? {}
  if (!isObject(value)) throw new ScriptError(line, `\`${name}\` must be a mapping`)
  return value
}

function repliesIn({ models = [] }: Json, line: number): (string | Json)[] {
  if (
    !Array.isArray(models) ||
    !models.every((one) => typeof one === 'string' || isObject(one))
  )
    throw new ScriptError(line, '`models` must be a list of texts and mappings')
  return models
}

function listsIn(given: Json, name: string, line: number): Record<string, Json[]> {
  const value = objectIn(given, name, line)
  if (!Object.values(value).every((list) => Array.isArray(list) && list.every(isObject)))
    throw new ScriptError(line, `\`${name}\` must have a list of mappings for each name`)
  return value as Record<string, Json[]>
}

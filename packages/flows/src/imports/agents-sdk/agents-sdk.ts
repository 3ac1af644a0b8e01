// Imports programs of OpenAI's Agents SDK, which the Agent Builder exports. They are read, and never run.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { isExpression, knowsNames } from '../expressions.ts'
import { type Piece, toTemplate } from '../pieces.ts'
import { reportPart } from '../support.ts'
import { agentsSdkKinds } from './kinds.ts'
import {
  type Definition,
  type Program,
  readProgram,
  type Statement,
  toFields,
  toItems,
} from './program.ts'
import { type Token, tokenize } from './tokens.ts'

interface Context {
  bot: Assembly
  program: Program
  /** Agents by the variable with their result. */
  results: Map<string, string>
  /** Number of nodes so far, for ids. */
  count: number
}

const agentMakers = /^(?:Agent|Agent\.create)$/

export function importAgentsSdk(source: string, fileName: string): Assembly {
  const program = readProgram(source)
  const language = program.language === 'js' ? 'TypeScript' : 'Python'
  const bot = new Assembly(`OpenAI Agents SDK (${language})`, program.name || fileName)
  bot.addFlow('main', 'main')
  bot.variables.declare('input', 'question')
  const context: Context = { bot, program, results: new Map(), count: 0 }
  const agents = [...program.definitions.values()].filter(({ maker }) => agentMakers.test(maker))
  const steps = withRuns(program, agents)
  if (steps.length > 0) {
    const entry = compile(context, steps, undefined)
    bot.addNode('main', {
      id: 'start',
      label: 'start',
      cards: [{ type: 'set', variable: bot.variables.need('input'), value: '{{ event.preview }}' }],
      next: entry,
    })
    bot.enterAt('main', 'start')
  }
  reportDefinitions(context)
  return bot
}

/** Without a workflow, the first agent that hands over runs, or the first agent. */
function withRuns({ steps }: Program, agents: Definition[]): Statement[] {
  const hasRun = (all: Statement[]): boolean =>
    all.some(
      (one) =>
        one.kind === 'run' ||
        (one.kind === 'while' && hasRun(one.body)) ||
        (one.kind === 'if' && one.branches.some(({ body }) => hasRun(body))),
    )
  if (hasRun(steps)) return steps
  const first = agents.find(({ fields }) => fields.has('handoffs')) ?? agents[0]
  return first ? [{ kind: 'run', agent: first.name, result: 'result' }] : []
}

const newId = (context: Context, kind: string) => `${kind}${context.count++}`

/** Returns the id of the first node, or `next` if there is none. */
function compile(
  context: Context,
  statements: Statement[],
  next: string | undefined,
): string | undefined {
  const end = statements.findIndex(({ kind }) => kind === 'return')
  const run = end < 0 ? statements : statements.slice(0, end)
  // Results are known before the steps that read them are written.
  for (const one of run)
    if (one.kind === 'run') context.results.set(one.result, one.agent)
    else if (one.kind === 'assign') rememberAlias(context, one)
  return run.reduceRight<string | undefined>(
    (after, one) => compileOne(context, one, after),
    end < 0 ? next : undefined,
  )
}

/** `classify_result = { output_text: classify_result_temp… }` names the result again. */
function rememberAlias(
  { results }: Context,
  { target, value }: { target: Token[]; value: Token[] },
): void {
  const named = value.find(({ kind, value: word }) => kind === 'word' && results.has(word))
  if (target.length === 1 && named) results.set(target[0]!.value, results.get(named.value)!)
}

function compileOne(
  context: Context,
  one: Statement,
  next: string | undefined,
): string | undefined {
  const { bot } = context
  if (one.kind === 'run') return addAgent(context, one.agent, next)
  if (one.kind === 'search') return addSearch(context, one, next)
  if (one.kind === 'assign') return addAssignment(context, one, next)
  if (one.kind === 'while') {
    const id = newId(context, 'while')
    const when = toCondition(context, one.condition)
    const body = compile(context, one.body, id)
    const cards: Card[] =
      body === undefined ? [] : [{ type: 'transition', when: when ?? 'false', to: body }]
    bot.addNode('main', { id, label: 'while', cards, next })
    reportCondition(context, 'while', one.condition, id, when)
    return id
  }
  return one.kind === 'if' ? addBranches(context, one.branches, next) : next
}

function addBranches(
  context: Context,
  branches: { condition: Token[]; body: Statement[] }[],
  next: string | undefined,
): string | undefined {
  const { bot } = context
  // Checks of the result of an agent throw errors only.
  if (branches.length === 1 && branches[0]!.body.length === 0) return next
  const id = newId(context, 'if')
  const approval = branches
    .map(({ condition }) => findApproval(context, condition))
    .find((one) => one !== null)
  const into = bot.variables.declare(`approval:${id}`, 'approval')
  const cards: Card[] =
    approval === undefined
      ? []
      : [{ type: 'capture', kind: 'confirmation', question: approval, into }]
  let otherwise = next
  for (const { condition, body } of branches) {
    const target = compile(context, body, next)
    if (condition.length === 0) {
      otherwise = target
      continue
    }
    const isApproval = approval !== undefined && findApproval(context, condition) !== null
    const when = isApproval ? `${into} === true` : toCondition(context, condition)
    const done = target ?? findEnd(context)
    cards.push({ type: 'transition', when: when ?? 'false', to: done })
    if (isApproval)
      reportPart(bot, agentsSdkKinds, { kind: 'user approval', name: approval, node: id })
    else reportCondition(context, 'if / else', condition, id, when)
  }
  bot.addNode('main', {
    id,
    label: approval === undefined ? 'if' : 'approval',
    cards,
    next: otherwise,
  })
  return id
}

/** A node at which the flow ends. */
function findEnd({ bot }: Context): string {
  bot.addNodeOnce('main', { id: 'end', label: 'end', cards: [] })
  return 'end'
}

function reportCondition(
  { bot }: Context,
  kind: string,
  condition: Token[],
  node: string,
  when: string | null,
): void {
  const name = toSource(condition)
  const isGuardrail = /tripwire|guardrail/i.test(name)
  reportPart(bot, agentsSdkKinds, {
    kind: isGuardrail ? 'guardrails' : kind,
    name,
    node,
    ...(when === null &&
      !isGuardrail && {
        result: 'changed' as const,
        note: 'The condition cannot run here, so it never holds. Write it again',
      }),
  })
}

const toSource = (tokens: Token[]) =>
  tokens.map(({ kind, value }) => (kind === 'text' ? JSON.stringify(value) : value)).join(' ')

/** Returns the question of `approvalRequest(message)`, or null. */
function findApproval({ program }: Context, condition: Token[]): string | null {
  const at = condition.findIndex(({ value }) => /^approval_?request$/i.test(value))
  if (at < 0) return null
  const argument = condition[at + 2]
  if (argument?.kind === 'text') return toTemplate([argument.value])
  const assigned = findAssigned(program.steps, argument?.value ?? '')
  return assigned ? toTemplate([assigned]) : 'Do you approve?'
}

function innerBodies(statement: Statement): Statement[][] {
  if (statement.kind === 'while') return [statement.body]
  return statement.kind === 'if' ? statement.branches.map(({ body }) => body) : []
}

function findAssigned(steps: Statement[], name: string): string | null {
  for (const one of steps) {
    if (one.kind === 'assign' && one.target[0]?.value === name && one.value[0]?.kind === 'text')
      return one.value[0].value
    for (const body of innerBodies(one)) {
      const found = findAssigned(body, name)
      if (found !== null) return found
    }
  }
  return null
}

const toOutputName = ({ bot }: Context, agent: string) =>
  bot.variables.need(`output:${agent}`, `${agent} output`)

/** Words of Python in JavaScript. */
const words: Record<string, string> = {
  and: '&&',
  or: '||',
  not: '!',
  True: 'true',
  False: 'false',
  None: 'null',
}

/** Returns JavaScript, or null for what cannot run here. */
function toCondition(context: Context, tokens: Token[]): string | null {
  const js = toJavaScript(context, tokens)
  return isExpression(js) && knowsNames(js) ? js : null
}

/** Results of agents, the state and the input become variables; their members follow. */
function toJavaScript(context: Context, tokens: Token[]): string {
  const { bot, results } = context
  const written: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { kind, value, parts = [] } = tokens[at]!
    if (kind === 'text') {
      written.push(toText(context, parts))
      continue
    }
    const isMember =
      ['.', '?.'].includes(tokens[at - 1]?.value ?? '') && tokens[at - 1]?.kind === 'mark'
    const read = kind === 'word' && !isMember ? readMember(tokens, at + 1) : null
    const agent = results.get(value)
    if (
      read &&
      agent !== undefined &&
      ['output_parsed', 'output_text', 'finalOutput', 'final_output'].includes(read.name)
    ) {
      written.push(toOutputName(context, agent))
      at = read.end
    } else if (read && value === 'state') {
      written.push(bot.variables.need(`state:${read.name}`, read.name))
      at = read.end
    } else if (read && /^workflow(?:_input)?$/.test(value) && read.name === 'input_as_text') {
      written.push(bot.variables.need('input'))
      at = read.end
    } else written.push(Object.hasOwn(words, value) && !isMember ? words[value]! : value)
  }
  return written
    .join(' ')
    .replace(/ ?(\?\.|\.) ?/g, '$1')
    .replace(/ (?=[[\]()])|(?<=[[(]) /g, '')
}

/** Reads `.name` or `["name"]` at a position. */
function readMember(tokens: Token[], at: number): { name: string; end: number } | null {
  const [first, second, third] = tokens.slice(at, at + 3)
  if (first?.kind !== 'mark') return null
  if ((first.value === '.' || first.value === '?.') && second?.kind === 'word')
    return { name: second.value, end: at + 1 }
  return first.value === '[' && second?.kind === 'text' && third?.value === ']'
    ? { name: second.value, end: at + 2 }
    : null
}

const toText = (context: Context, parts: Piece[]) => {
  const pieces = toPieces(context, parts)
  return pieces.length === 0
    ? '""'
    : pieces
        .map((piece) =>
          typeof piece === 'string' ? JSON.stringify(piece) : `String(${piece.js} ?? "")`,
        )
        .join(' + ')
}

/** Expressions in texts become variables, if they can run here. */
const toPieces = (context: Context, parts: Piece[]): Piece[] =>
  parts.map((part) => {
    if (typeof part === 'string') return part
    const tokens = tokenize(part.js, context.program.language).filter(({ kind }) => kind !== 'end')
    const named = toParameter(context, tokens)
    const js = named ?? toCondition(context, tokens)
    return js === null ? `{${part.js}}` : { js }
  })

/** Instructions that are functions read the context: `workflowInputAsText`, `stateName`. */
function toParameter({ bot }: Context, tokens: Token[]): string | null {
  const [only, ...others] = tokens
  if (others.length > 0 || only?.kind !== 'word') return null
  if (/^workflow_?input_?as_?text$/i.test(only.value)) return bot.variables.need('input')
  const [, state] = /^state_?([A-Z_]\w*)$/.exec(only.value) ?? []
  if (state === undefined) return null
  const name = state
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return bot.variables.need(`state:${name}`, name)
}

function addAgent(context: Context, name: string, next: string | undefined): string | undefined {
  const { bot, program } = context
  const agent = program.definitions.get(name)
  if (!agent) return next
  bot.remark(
    'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.',
  )
  const handoffs = toItems(agent.fields.get('handoffs')).flatMap(([item]) => {
    const definition = item && program.definitions.get(item.value)
    return definition && definition !== agent ? [definition] : []
  })
  const id = newId(context, 'agent')
  const label = readText(agent.fields.get('name')) || name
  const targets = handoffs.map((other) => ({
    when: toTemplate([
      readText(other.fields.get('handoffDescription') ?? other.fields.get('handoff_description')) ||
        readText(other.fields.get('name')) ||
        other.name,
    ]),
    to: addSingle(
      context,
      other,
      newId(context, 'agent'),
      readText(other.fields.get('name')) || other.name,
      next,
    ),
  }))
  if (targets.length === 0) return addSingle(context, agent, id, label, next)
  const own = addSingle(context, agent, newId(context, 'agent'), label, next)
  bot.addNode('main', {
    id,
    label: `${label} handoff`,
    cards: [
      {
        type: 'aiTransition',
        input: { message: `{{ ${bot.variables.need('input')} }}` },
        transitions: targets,
        otherwise: own,
      },
    ],
  })
  for (const { when } of targets)
    reportPart(bot, agentsSdkKinds, { kind: 'handoff', name: when, node: id })
  return id
}

function addSingle(
  context: Context,
  agent: Definition,
  id: string,
  label: string,
  next: string | undefined,
): string {
  const { bot } = context
  const { tools, search } = toTools(context, agent, id)
  const into = toOutputName(context, agent.name)
  const schema = toSchema(
    context,
    agent.fields.get('outputType') ?? agent.fields.get('output_type'),
  )
  const instructions = toInstructions(context, agent)
  const found = search.length > 0 ? bot.variables.need(`found:${id}`) : null
  const input = {
    message: `{{ ${bot.variables.need('input')} }}`,
    ...(found && { context: `{{ ${found} }}` }),
  }
  const cards: Card[] = schema
    ? [...search, { type: 'aiTask', instructions, input, output: schema, into }]
    : [
        ...search,
        { type: 'aiText', instructions, input, into },
        { type: 'send', message: `{{ ${into} }}` },
      ]
  bot.addNode('main', { id, label, cards, next })
  reportPart(bot, agentsSdkKinds, {
    kind: 'agent',
    name: label,
    node: id,
    ...(tools.length > 0 && {
      result: 'changed' as const,
      note: `Its tools are not carried: ${tools.join(', ')}`,
    }),
  })
  return id
}

const readText = (tokens: Token[] = []): string =>
  tokens
    .filter(({ kind }) => kind === 'text')
    .map(({ value }) => value)
    .join('')

/** A text, several texts, or the name of a function or constant that returns one. */
function toInstructions(context: Context, { fields }: Definition): string {
  const tokens = fields.get('instructions') ?? []
  const [first] = tokens
  const parts = tokens.flatMap(({ kind, parts: pieces = [] }) => (kind === 'text' ? pieces : []))
  if (parts.length > 0) return toTemplate(toPieces(context, parts)) || 'Reply to the user.'
  const definition = first ? context.program.definitions.get(first.value) : undefined
  const returned = [...(definition?.fields.values() ?? [])]
    .flat()
    .filter(({ kind }) => kind === 'text')
  const pieces = returned.flatMap(({ parts: some = [] }) => some)
  return pieces.length > 0 ? toTemplate(toPieces(context, pieces)) : 'Reply to the user.'
}

const toolKinds: [RegExp, string][] = [
  [/web_?search/i, 'web search'],
  [/mcp/i, 'MCP server'],
  [/code_?interpreter/i, 'code interpreter'],
]

/** Returns the names of tools that are not carried, and the search of documents. */
function toTools(
  { bot, program }: Context,
  agent: Definition,
  id: string,
): { tools: string[]; search: Card[] } {
  const tools: string[] = []
  const search: Card[] = []
  for (const [item] of toItems(agent.fields.get('tools'))) {
    const definition = item && program.definitions.get(item.value)
    const maker = definition?.maker ?? item?.value ?? ''
    if (!/file_?search/i.test(maker)) {
      tools.push(item?.value ?? maker)
      continue
    }
    const store =
      [...(definition?.fields.values() ?? [])].flat().find(({ kind }) => kind === 'text')?.value ??
      'documents'
    const base = bot.addKnowledgeBase(store, `${agent.name} documents`, [
      `documents of the vector store ${store} of OpenAI`,
    ])
    const into = bot.variables.declare(`found:${id}`, `${agent.name} passages`)
    search.push({
      type: 'queryKnowledge',
      query: `{{ ${bot.variables.need('input')} }}`,
      knowledgeBases: [base],
      into,
    })
  }
  return { tools, search: search.slice(0, 1) }
}

/** Schemas of zod and pydantic: fields with simple types and choices. */
function toSchema({ program }: Context, tokens: Token[] = []): Record<string, unknown> | null {
  const named = tokens[0] && program.definitions.get(tokens[0].value)
  const fields = named?.maker === 'z.object' || named?.maker === 'BaseModel' ? named.fields : null
  if (!fields) return null
  const properties = [...fields].map(([name, type]): [string, object] => [name, toType(type)])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

function toType(tokens: Token[]): object {
  const source = tokens.map(({ value }) => value).join('')
  const choices = tokens.filter(({ kind }) => kind === 'text').map(({ value }) => value)
  if (/enum|Literal/.test(source) && choices.length > 0) return { type: 'string', enum: choices }
  if (/array\(|^list/i.test(source)) return { type: 'array' }
  if (/number|int|float/.test(source)) return { type: 'number' }
  return { type: /bool/.test(source) ? 'boolean' : 'string' }
}

function addSearch(
  context: Context,
  { store, query, result }: Extract<Statement, { kind: 'search' }>,
  next: string | undefined,
): string {
  const { bot } = context
  const id = newId(context, 'search')
  const base = bot.addKnowledgeBase(store, result || 'documents', [
    `documents of the vector store ${store} of OpenAI`,
  ])
  const asked = query.flatMap(({ parts = [] }) => parts)
  const template =
    asked.length > 0 ? toTemplate(toPieces(context, asked)) : `{{ ${bot.variables.need('input')} }}`
  bot.addNode('main', {
    id,
    label: 'file search',
    cards: [
      {
        type: 'queryKnowledge',
        query: template,
        knowledgeBases: [base],
        into: bot.variables.need(`state:${result}`, result || 'passages'),
      },
    ],
    next,
  })
  reportPart(bot, agentsSdkKinds, { kind: 'file search', name: store, node: id })
  return id
}

/** Only changes of the state, and results that are expressions. */
function addAssignment(
  context: Context,
  { target, value }: { target: Token[]; value: Token[] },
  next: string | undefined,
): string | undefined {
  const { bot } = context
  const member = target[0]?.value === 'state' ? readMember(target, 1) : null
  const isDeclaration = target.length === 1 && target[0]?.value === 'state'
  const isTransform = target.length === 1 && /transform_?result/i.test(target[0]?.value ?? '')
  if (isDeclaration) return addState(context, value, next)
  if (!member && !isTransform) return next
  const id = newId(context, 'set')
  const js = toCondition(
    context,
    value.filter(({ kind }) => kind !== 'end'),
  )
  const name = member?.name ?? target[0]!.value
  const variable = bot.variables.need(`state:${name}`, name)
  bot.addNode('main', {
    id,
    label: `set ${name}`,
    cards: js === null ? [] : [{ type: 'set', variable, value: `{{ (${js}) }}` }],
    next,
  })
  reportPart(bot, agentsSdkKinds, {
    kind: isTransform ? 'transform' : 'set state',
    name,
    node: id,
    ...(js === null && {
      result: 'changed' as const,
      note: 'The value cannot be computed here. Set it with a `code` card',
    }),
  })
  return id
}

/** `state = { name: value }` at the start of each run. */
function addState(context: Context, value: Token[], next: string | undefined): string {
  const { bot } = context
  const id = newId(context, 'state')
  const cards = [...toFields(value)].flatMap(([name, tokens]): Card[] => {
    const js = toCondition(context, tokens)
    return js === null
      ? []
      : [{ type: 'set', variable: bot.variables.need(`state:${name}`, name), value: `{{ ${js} }}` }]
  })
  bot.addNode('main', { id, label: 'state', cards, next })
  reportPart(bot, agentsSdkKinds, { kind: 'set state', name: 'state', node: id })
  return id
}

/** Tools and guardrails belong to no step. */
function reportDefinitions({ bot, program }: Context): void {
  for (const { name, maker } of program.definitions.values()) {
    const [, kind] = toolKinds.find(([pattern]) => pattern.test(maker)) ?? []
    const isTool = /tool$/i.test(maker) && !/file_?search/i.test(maker)
    if (kind !== undefined || isTool)
      reportPart(bot, agentsSdkKinds, { kind: kind ?? 'other tool', name })
  }
}

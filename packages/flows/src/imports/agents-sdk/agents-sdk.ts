// Imports programs of OpenAI's Agents SDK, which the Agent Builder exports. They are read, and never run.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { toTemplate } from '../pieces.ts'
import { reportPart } from '../support.ts'
import { addAgent, toolKinds } from './agents.ts'
import { type Context, newId } from './context.ts'
import { readMember, toCondition, toPieces } from './expressions.ts'
import { agentsSdkKinds } from './kinds.ts'
import {
  type Definition,
  type Program,
  readProgram,
  type Statement,
  toFields,
} from './program.ts'
import type { Token } from './tokens.ts'

const agentMakers = /^(?:Agent|Agent\.create)$/

export function importAgentsSdk(source: string, fileName: string): Assembly {
  const program = readProgram(source)
  const language = program.language === 'js' ? 'TypeScript' : 'Python'
  const bot = new Assembly(`OpenAI Agents SDK (${language})`, program.name || fileName)
  bot.addFlow('main', 'main')
  bot.variables.declare('input', 'question')
  const context: Context = { bot, program, results: new Map(), count: 0 }
  const agents = [...program.definitions.values()].filter(({ maker }) =>
    agentMakers.test(maker),
  )
  const steps = withRuns(program, agents)
  if (steps.length > 0) {
    const entry = compile(context, steps, undefined)
    bot.addNode('main', {
      id: 'start',
      label: 'start',
      cards: [
        {
          type: 'set',
          variable: bot.variables.need('input'),
          value: '{{ event.preview }}',
        },
      ],
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
  const named = value.find(
    ({ kind, value: word }) => kind === 'word' && results.has(word),
  )
  if (target.length === 1 && named)
    results.set(target[0]!.value, results.get(named.value)!)
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
  tokens
    .map(({ kind, value }) => (kind === 'text' ? JSON.stringify(value) : value))
    .join(' ')

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
    if (
      one.kind === 'assign' &&
      one.target[0]?.value === name &&
      one.value[0]?.kind === 'text'
    )
      return one.value[0].value
    for (const body of innerBodies(one)) {
      const found = findAssigned(body, name)
      if (found !== null) return found
    }
  }
  return null
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
    asked.length > 0
      ? toTemplate(toPieces(context, asked))
      : `{{ ${bot.variables.need('input')} }}`
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
  const isTransform =
    target.length === 1 && /transform_?result/i.test(target[0]?.value ?? '')
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
      : [
          {
            type: 'set',
            variable: bot.variables.need(`state:${name}`, name),
            value: `{{ ${js} }}`,
          },
        ]
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

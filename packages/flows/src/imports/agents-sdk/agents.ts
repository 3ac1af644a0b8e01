// Agents of a program as cards.
import type { Card } from '../../document/card-shapes.ts'
import { toTemplate } from '../pieces.ts'
import { reportPart } from '../support.ts'
import { type Context, newId } from './context.ts'
import { toOutputName, toPieces } from './expressions.ts'
import { agentsSdkKinds } from './kinds.ts'
import { type Definition, toItems } from './program.ts'
import type { Token } from './tokens.ts'

export function addAgent(
  context: Context,
  name: string,
  next: string | undefined,
): string | undefined {
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
      readText(
        other.fields.get('handoffDescription') ?? other.fields.get('handoff_description'),
      ) ||
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
  const parts = tokens.flatMap(({ kind, parts: pieces = [] }) =>
    kind === 'text' ? pieces : [],
  )
  if (parts.length > 0)
    return toTemplate(toPieces(context, parts)) || 'Reply to the user.'
  const definition = first ? context.program.definitions.get(first.value) : undefined
  const returned = [...(definition?.fields.values() ?? [])]
    .flat()
    .filter(({ kind }) => kind === 'text')
  const pieces = returned.flatMap(({ parts: some = [] }) => some)
  return pieces.length > 0 ? toTemplate(toPieces(context, pieces)) : 'Reply to the user.'
}

export const toolKinds: [RegExp, string][] = [
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
      [...(definition?.fields.values() ?? [])].flat().find(({ kind }) => kind === 'text')
        ?.value ?? 'documents'
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
function toSchema(
  { program }: Context,
  tokens: Token[] = [],
): Record<string, unknown> | null {
  const named = tokens[0] && program.definitions.get(tokens[0].value)
  const fields =
    named?.maker === 'z.object' || named?.maker === 'BaseModel' ? named.fields : null
  if (!fields) return null
  const properties = [...fields].map(([name, type]): [string, object] => [
    name,
    toType(type),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

function toType(tokens: Token[]): object {
  const source = tokens.map(({ value }) => value).join('')
  const choices = tokens.filter(({ kind }) => kind === 'text').map(({ value }) => value)
  if (/enum|Literal/.test(source) && choices.length > 0)
    return { type: 'string', enum: choices }
  if (/array\(|^list/i.test(source)) return { type: 'array' }
  if (/number|int|float/.test(source)) return { type: 'number' }
  return { type: /bool/.test(source) ? 'boolean' : 'string' }
}

// Checks references: nodes, flows, variables, tables, knowledge bases, actions and files that a
// document names must exist. Also checks fields that require or exclude each other.
import { Cron } from 'croner'
import { checkAgent } from '../agent/agent-check.ts'
import { localeFault } from '../captures/locales.ts'
import { patternFault } from '../captures/patterns.ts'
import { builtInFlows, reservedPrefix } from '../document/built-in-flows.ts'
import {
  type Card,
  type CardByType,
  type CardType,
  kindsWithoutModel,
  targetFields,
} from '../document/card-shapes.ts'
import type { Flow, FlowDocument, FlowNode, Variable } from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'
import { codeLocations, fileKey } from '../document/scripts.ts'
import type { Target } from '../document/shapes.ts'
import { hasType } from '../document/variables.ts'
import { checkTests } from '../testing/document-tests.ts'
import { checkExpressionAt, checkTemplates } from './expressions.ts'
import {
  checkAction,
  checkKnowledgeBases,
  checkResultType,
  checkTarget,
  checkVariableReference,
  has,
  type Inside,
  type Looking,
  reportAll,
  unknown,
} from './reference-checks.ts'
import { schemaFault } from './schema-validator.ts'
import { checkTools } from './tool-check.ts'
import { checkTranslations } from './translations.ts'
import { checkVariableNames } from './variable-names.ts'

export function checkDocumentReferences(document: FlowDocument): Problem[] {
  const problems: Problem[] = []
  const looking: Looking = {
    document,
    report: (pointer, message) => problems.push({ pointer, message }),
  }
  checkTopLevel(looking)
  for (const [name, flow] of Object.entries(document.flows))
    checkFlow(looking, name, flow)
  checkVariables(looking)
  checkTriggers(looking)
  for (const { pointer, file } of codeLocations(document))
    if (file !== undefined && !has(document.files, fileKey(file)))
      looking.report(
        pointer,
        `names the file "${file}", which does not exist. Add it beside the document, or correct the path`,
      )
  return [
    ...problems,
    ...checkTools(document),
    ...checkVariableNames(document),
    ...checkTranslations(document),
    ...checkTests(document),
  ]
}

const notIn = (kind: 'inputs' | 'outputs', flow: string) =>
  `is not in \`${kind}\` of the flow "${flow}". Declare it there, or remove it`

function checkTopLevel({ document, report }: Looking) {
  if (!has(document.flows, builtInFlows.main))
    report('/flows/main', 'is missing. Add the flow "main", in which conversations start')
  const { locale } = document.settings?.defaults ?? {}
  const fault = locale === undefined ? null : localeFault(locale)
  if (fault !== null) report('/settings/defaults/locale', fault)
  for (const name of ['code', 'url'] as const)
    if (document[name])
      report(`/${name}`, 'cannot be combined with `flows`. Remove one of the two')
  for (const kind of ['states', 'recurringEvents', 'actions'] as const)
    for (const name of Object.keys(document[kind] ?? {}))
      if (name.startsWith(reservedPrefix))
        report(
          `/${kind}/${escapePointer(name)}`,
          `must not begin with "${reservedPrefix}", which is reserved for the engine. Rename it`,
        )
}

function checkFlow(looking: Looking, name: string, flow: Flow) {
  const pointer = `/flows/${name}`
  const [begins, otherwise] =
    name === builtInFlows.main
      ? (['start', 'entry'] as const)
      : (['entry', 'start'] as const)
  const nodes = Object.entries(flow.nodes)
  const count = (wanted: FlowNode['type']) =>
    nodes.filter(([, { type }]) => type === wanted).length
  if (count(begins) > 1 || count(begins) + count(otherwise) === 0)
    looking.report(`${pointer}/nodes`, `must have exactly one node of type "${begins}"`)
  if (count('exception') > 1)
    looking.report(`${pointer}/nodes`, 'must have at most one node of type "exception"')
  for (const [node, { type }] of nodes)
    if (type === otherwise)
      looking.report(
        `${pointer}/nodes/${node}/type`,
        `must be "${begins}": only ` +
          `${otherwise === 'start' ? 'the flow "main" has' : 'flows other than "main" have'} a node of ` +
          `type "${otherwise}"`,
      )
  for (const [node, content] of nodes)
    checkNode({ ...looking, flow }, `${pointer}/nodes/${node}`, content)
  const names = [flow.variables, flow.inputs, flow.outputs].flatMap((declared) =>
    Object.keys(declared ?? {}),
  )
  for (const kind of ['inputs', 'outputs'] as const)
    for (const word of Object.keys(flow[kind] ?? {}))
      if (names.filter((one) => one === word).length > 1 && has(flow.variables, word))
        looking.report(
          `${pointer}/${kind}/${word}`,
          'has the name of a variable of this flow. Rename one of the two',
        )
}

function checkNode(inside: Inside, pointer: string, node: FlowNode) {
  const { type, next, cards = [] } = node
  if (next !== undefined && (type === 'exit' || type === 'end'))
    inside.report(
      `${pointer}/next`,
      `is not allowed in a node of type "${type}". Remove it, or change the type`,
    )
  if (next !== undefined) checkTarget(inside, `${pointer}/next`, next)
  for (const [index, card] of cards.entries())
    checkCard(inside, `${pointer}/cards/${index}`, card)
  if (node.type === 'agent') checkAgent(inside, pointer, node)
}

type Checks = {
  [Type in CardType]?: (inside: Inside, pointer: string, card: CardByType<Type>) => void
}

const checks: Checks = {
  capture(inside, pointer, card) {
    if ((card.kind === 'singleChoice' || card.kind === 'multipleChoice') && !card.options)
      inside.report(
        `${pointer}/options`,
        `is missing. The kind "${card.kind}" requires it`,
      )
    if (card.kind === 'regex' && !card.pattern)
      inside.report(`${pointer}/pattern`, 'is missing. The kind "regex" requires it')
    const fault = card.pattern === undefined ? null : patternFault(card.pattern)
    if (fault !== null)
      inside.report(`${pointer}/pattern`, `is not a valid RE2 pattern: ${fault}`)
    if (card.onTimeout !== undefined && card.timeout === undefined)
      inside.report(
        `${pointer}/onTimeout`,
        'requires `timeout`. Add `timeout`, or remove this field',
      )
    checkByModel(inside, pointer, card)
  },
  waitForEvent(inside, pointer, card) {
    if (card.onTimeout !== undefined && card.timeout === undefined)
      inside.report(
        `${pointer}/onTimeout`,
        'requires `timeout`. Add `timeout`, or remove this field',
      )
  },
  callFlow({ document, report, ...inside }, pointer, { flow, inputs, outputs }) {
    const called = has(document.flows, flow) ? document.flows[flow]! : null
    if (!called)
      return report(`${pointer}/flow`, unknown(`the flow "${flow}"`, '`flows`'))
    for (const name of Object.keys(inputs ?? {}))
      if (!has(called.inputs, name))
        report(`${pointer}/inputs/${escapePointer(name)}`, notIn('inputs', flow))
    for (const [name, variable] of Object.entries(outputs ?? {})) {
      if (!has(called.outputs, name))
        report(`${pointer}/outputs/${escapePointer(name)}`, notIn('outputs', flow))
      checkVariableReference(
        { document, report, ...inside },
        `${pointer}/outputs/${escapePointer(name)}`,
        variable,
      )
    }
  },
  handoff(inside, pointer, { into }) {
    if (into !== undefined) checkResultType(inside, `${pointer}/into`, into, 'object')
  },
  callAction(inside, pointer, { action }) {
    checkAction(inside, `${pointer}/action`, action)
  },
  queryKnowledge(inside, pointer, { knowledgeBases }) {
    checkKnowledgeBases(inside, pointer, knowledgeBases)
  },
  aiTask(inside, pointer, { output, into }) {
    const fault = schemaFault(output)
    if (fault !== null) return inside.report(`${pointer}/output`, fault)
    const type = output.type === 'integer' ? 'number' : output.type
    if (typeof type === 'string') checkResultType(inside, `${pointer}/into`, into, type)
  },
  aiTransition(inside, pointer, { transitions }) {
    for (const [index, { to }] of transitions.entries())
      checkTarget(inside, `${pointer}/transitions/${index}/to`, to)
  },
  aiText(inside, pointer, { into }) {
    if (into !== undefined) checkResultType(inside, `${pointer}/into`, into, 'string')
  },
  answer(inside, pointer, { knowledgeBases, tags, into, unknown, sources }) {
    checkKnowledgeBases(inside, pointer, knowledgeBases)
    const hasBases = Object.keys(inside.document.knowledgeBases ?? {}).length > 0
    if (tags === undefined && (knowledgeBases ? knowledgeBases.length === 0 : !hasBases))
      inside.report(
        `${pointer}/knowledgeBases`,
        'names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or set ' +
          '`tags` of the card',
      )
    if (tags !== undefined && knowledgeBases !== undefined)
      inside.report(
        `${pointer}/tags`,
        'cannot be combined with `knowledgeBases`. Remove one of the two',
      )
    if (into === undefined) return
    checkResultType(inside, `${pointer}/into`, into, 'object')
    for (const [name, value] of Object.entries({ unknown, sources }))
      if (value !== undefined)
        inside.report(
          `${pointer}/${name}`,
          'has no effect with `into`, with which the card sends no message. Remove one of the two',
        )
  },
  table({ document, report }, pointer, card) {
    if (!has(document.tables, card.table))
      report(`${pointer}/table`, unknown(`the table "${card.table}"`, '`tables`'))
    const needed = {
      find: [],
      get: ['id'],
      create: [],
      update: ['row'],
      upsert: ['keyColumn'],
      delete: [],
    }[card.operation] as ('id' | 'row' | 'keyColumn')[]
    for (const name of needed)
      if (card[name] === undefined)
        report(
          `${pointer}/${name}`,
          `is missing. The operation "${card.operation}" requires it`,
        )
    if (
      (card.operation === 'create' || card.operation === 'upsert') &&
      card.row === undefined &&
      card.rows === undefined
    )
      report(
        `${pointer}/row`,
        `is missing. The operation "${card.operation}" requires \`row\` or \`rows\``,
      )
    if (card.operation === 'delete' && card.id === undefined && card.filter === undefined)
      report(
        `${pointer}/id`,
        'is missing. The operation "delete" requires `id` or `filter`',
      )
  },
}

function checkByModel(
  { report }: Inside,
  pointer: string,
  { kind, byModel, model }: CardByType<'capture'>,
) {
  if (byModel && kindsWithoutModel.includes(kind))
    report(
      `${pointer}/byModel`,
      `has no effect for the kind "${kind}". Remove it, or change \`kind\``,
    )
  if (model !== undefined && !byModel)
    report(
      `${pointer}/model`,
      'requires `byModel`. Add `"byModel": true`, or remove this field',
    )
}

/**
 * Fields with variables, targets and expressions, in all cards. Fields in neither list nor `plain`
 * contain texts.
 */
const [variables, targets, expressions] = [
  ['into', 'variable'],
  targetFields,
  ['when', 'validate'],
]
const plain = new Set([
  'type',
  'name',
  'textKey',
  'code',
  'kind',
  'flow',
  'action',
  'table',
  'operation',
  'event',
  'outputs',
  'pattern',
  'cancelWords',
  'knowledgeBases',
  'output',
  'botReceives',
])

function checkCard(inside: Inside, pointer: string, card: Card) {
  const check = checks[card.type] as
    | ((inside: Inside, pointer: string, card: Card) => void)
    | undefined
  check?.(inside, pointer, card)
  for (const [name, value] of Object.entries(card)) {
    const at = `${pointer}/${name}`
    if (variables!.includes(name)) checkVariableReference(inside, at, value as string)
    else if (targets!.includes(name)) checkTarget(inside, at, value as Target)
    else if (expressions!.includes(name))
      reportAll(inside, checkExpressionAt(at, value as string))
    else if (!plain.has(name)) reportAll(inside, checkTemplates(at, value))
  }
}

function checkVariables({ document, report }: Looking) {
  const declared: [string, Record<string, Variable> | undefined][] = [
    ...Object.entries(document.variables ?? {}).map(
      ([scope, all]) =>
        [`/variables/${scope}`, all] as [string, Record<string, Variable>],
    ),
    ...Object.entries(document.flows).flatMap(([name, flow]) =>
      (['variables', 'inputs', 'outputs'] as const).map(
        (kind) =>
          [`/flows/${name}/${kind}`, flow[kind]] as [
            string,
            Record<string, Variable> | undefined,
          ],
      ),
    ),
  ]
  for (const [pointer, all] of declared)
    for (const [name, { type, default: value }] of Object.entries(all ?? {}))
      if (value !== undefined && value !== null && !hasType(type, value))
        report(
          `${pointer}/${name}/default`,
          `must have the type of the variable, "${type}"`,
        )
}

function checkTriggers({ document, report }: Looking) {
  for (const [name, trigger] of Object.entries(document.triggers ?? {})) {
    const pointer = `/triggers/${name}`
    const { flow, node, when } = trigger
    const led = has(document.flows, flow) ? document.flows[flow]! : null
    if (!led) report(`${pointer}/flow`, unknown(`the flow "${flow}"`, '`flows`'))
    else if (node !== undefined && led.nodes[node]?.type !== 'trigger')
      report(
        `${pointer}/node`,
        unknown(`the node "${node}" of type "trigger"`, `the flow "${flow}"`),
      )
    if (when !== undefined)
      reportAll({ document, report }, checkExpressionAt(`${pointer}/when`, when))
    if (trigger.type === 'schedule' && !isCron(trigger.cron))
      report(
        `${pointer}/cron`,
        'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)',
      )
  }
}

function isCron(text: string): boolean {
  try {
    return (
      text.trim().split(/\s+/).length === 5 &&
      new Cron(text, { mode: '5-part', utcOffset: 0, paused: true }).nextRun() !== null
    )
  } catch {
    return false
  }
}

// Checks a node of type `agent`: names that do not exist, tools that models could not tell apart,
// and fields that require or exclude each other.

import { checkExpressionAt, checkTemplates } from '../check/expressions.ts'
import {
  checkAction,
  checkKnowledgeBases,
  checkResultType,
  checkTarget,
  checkVariableReference,
  has,
  type Inside,
  reportAll,
  toAlias,
  unknown,
} from '../check/reference-checks.ts'
import { schemaFault } from '../check/schema-validator.ts'
import type { AgentNode } from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { AgentExit, AgentTool } from './agent-shape.ts'
import { exitPrefix, setVariablesTool, toToolNames } from './tool-names.ts'

export function checkAgent(inside: Inside, pointer: string, node: AgentNode): void {
  const { instructions, model, tools = [], variables = {}, exits = {}, onFail } = node
  reportAll(inside, checkTemplates(`${pointer}/instructions`, instructions))
  reportAll(inside, checkTemplates(`${pointer}/model`, model))
  for (const kind of ['read', 'set'] as const)
    for (const [index, variable] of (variables[kind] ?? []).entries())
      checkVariableReference(inside, `${pointer}/variables/${kind}/${index}`, variable)
  for (const [index, tool] of tools.entries())
    checkTool(inside, `${pointer}/tools/${index}`, tool)
  for (const [name, exit] of Object.entries(exits))
    checkExit(inside, `${pointer}/exits/${escapePointer(name)}`, exit)
  if (onFail !== undefined) checkTarget(inside, `${pointer}/onFail`, onFail)
  checkToolNames(inside, pointer, node)
}

type ToolChecks = {
  [Type in AgentTool['type']]: (
    inside: Inside,
    pointer: string,
    tool: Extract<AgentTool, { type: Type }>,
  ) => void
}

const toolChecks: ToolChecks = {
  action(inside, pointer, { action, input, repeatable }) {
    const { document, report } = inside
    checkAction(inside, `${pointer}/action`, action)
    const isOwn = toAlias(action) === null
    if (!isOwn && input === undefined && !has(document.mcpServers, toAlias(action)!))
      report(`${pointer}/input`, 'is missing. An action of an integration requires it')
    if (isOwn && input !== undefined)
      report(
        `${pointer}/input`,
        'is not allowed: the action of the bot declares its input. Remove it',
      )
    if (!isOwn && repeatable !== undefined)
      report(
        `${pointer}/repeatable`,
        'is not allowed: the server runs each call of an integration once. Remove it',
      )
    const own = has(document.actions, action)
      ? document.actions![action]!.input.schema
      : {}
    const fault = schemaFault(isOwn ? own : (input ?? {}))
    if (fault !== null)
      report(
        isOwn ? `${pointer}/action` : `${pointer}/input`,
        isOwn ? `names the action "${action}", whose input schema ${fault}` : fault,
      )
  },
  flow({ document, report }, pointer, { flow }) {
    if (!has(document.flows, flow))
      report(`${pointer}/flow`, unknown(`the flow "${flow}"`, '`flows`'))
  },
  knowledge(inside, pointer, { knowledgeBases }) {
    checkKnowledgeBases(inside, pointer, knowledgeBases)
    if (Object.keys(inside.document.knowledgeBases ?? {}).length === 0)
      inside.report(
        pointer,
        'has nothing to search. Add a knowledge base to `knowledgeBases` of the document',
      )
  },
  table({ document, report }, pointer, { table, operations = [] }) {
    if (!has(document.tables, table))
      return report(`${pointer}/table`, unknown(`the table "${table}"`, '`tables`'))
    if (operations.includes('upsert') && document.tables![table]!.keyColumn === undefined)
      report(
        `${pointer}/operations/${operations.indexOf('upsert')}`,
        `requires \`keyColumn\` of the table "${table}". Add it there, or remove the operation`,
      )
  },
}

const checkTool = (inside: Inside, pointer: string, tool: AgentTool) =>
  (toolChecks[tool.type] as (inside: Inside, pointer: string, tool: AgentTool) => void)(
    inside,
    pointer,
    tool,
  )

function checkExit(inside: Inside, pointer: string, exit: AgentExit): void {
  const { description, when, outputs, to } = exit
  if (description === undefined && when === undefined)
    inside.report(
      `${pointer}/description`,
      'is missing. Describe when the model takes this exit, or add `when`',
    )
  if (description === undefined && outputs !== undefined)
    inside.report(
      `${pointer}/outputs`,
      'requires `description`: only the model gives values. Add it, or remove this field',
    )
  if (when !== undefined) reportAll(inside, checkExpressionAt(`${pointer}/when`, when))
  if (to !== undefined) checkTarget(inside, `${pointer}/to`, to)
  for (const [name, { type, into }] of Object.entries(outputs ?? {})) {
    const at = `${pointer}/outputs/${name}/into`
    checkVariableReference(inside, at, into)
    checkResultType(inside, at, into, type)
  }
}

const validName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Models know tools by name only. */
function checkToolNames({ report }: Inside, pointer: string, node: AgentNode): void {
  const owners = new Map<string, string>()
  for (const [name, at] of toToolNames(node)) {
    const fault = faultOfName(name, at, owners.get(name))
    if (fault !== null) report(pointer + at, fault)
    else owners.set(name, `\`${pointer}${at}\``)
  }
}

function faultOfName(name: string, at: string, owner: string | undefined): string | null {
  if (!validName.test(name))
    return `has the name "${name}", which models reject. Set a shorter name`
  const isReserved = name === setVariablesTool || name.startsWith(exitPrefix)
  if (isReserved && at.startsWith('/tools/'))
    return `must not have the reserved name "${name}". Set another \`name\``
  return owner === undefined
    ? null
    : `has the name "${name}", as ${owner}. Set another \`name\`, or remove one`
}

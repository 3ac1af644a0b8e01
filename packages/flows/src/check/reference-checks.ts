// Checks of single references, which cards and agents share: nodes, variables and expressions.

import type { ScopeName } from '../code/surroundings.ts'
import type { Flow, FlowDocument } from '../document/document.ts'
import type { Problem } from '../document/problems.ts'
import type { Target } from '../document/shapes.ts'
import { declaredIn } from '../document/variables.ts'

export interface Looking {
  document: FlowDocument
  report: (pointer: string, message: string) => void
}
export interface Inside extends Looking {
  flow: Flow
}

/** Message for a name that is declared nowhere. */
export const unknown = (what: string, where: string) =>
  `names ${what}, which is not in ${where}. Add it, or correct the name`

export const has = (map: object | undefined, name: string) =>
  map !== undefined && Object.hasOwn(map, name)

export const reportAll = ({ report }: Looking, problems: Problem[]) => {
  for (const { pointer, message } of problems) report(pointer, message)
}

export function checkTarget(
  { document, flow, report }: Inside,
  pointer: string,
  target: Target,
) {
  if (typeof target === 'string') {
    if (!has(flow.nodes, target))
      report(pointer, unknown(`the node "${target}"`, 'this flow'))
  } else if (!has(document.flows, target.flow))
    report(`${pointer}/flow`, unknown(`the flow "${target.flow}"`, '`flows`'))
  else if (
    target.node !== undefined &&
    !has(document.flows[target.flow]!.nodes, target.node)
  )
    report(
      `${pointer}/node`,
      unknown(`the node "${target.node}"`, `the flow "${target.flow}"`),
    )
}

/** Variables of `session` need no declaration. */
export function checkVariableReference(
  { document, flow, report }: Inside,
  pointer: string,
  variable: string,
) {
  const [scope, name] = variable.split('.') as [string, string]
  if (
    scope === 'workflow' &&
    ![flow.variables, flow.inputs, flow.outputs].some((declared) => has(declared, name))
  )
    report(
      pointer,
      unknown(
        `the variable "${variable}"`,
        '`variables`, `inputs` or `outputs` of this flow',
      ),
    )
  if (
    (scope === 'conversation' || scope === 'user' || scope === 'bot') &&
    !has(document.variables?.[scope], name)
  )
    report(pointer, unknown(`the variable "${variable}"`, `\`variables.${scope}\``))
}

export function checkAction(
  { document, report }: Looking,
  pointer: string,
  action: string,
) {
  const alias = toAlias(action)
  if (alias === null && !document.actions?.[action]?.code)
    report(
      pointer,
      `names the action "${action}", which has no \`code\` in \`actions\`. Add it, or correct the name`,
    )
  const isKnown =
    alias === null || has(document.integrations, alias) || has(document.mcpServers, alias)
  if (document.integrations && !isKnown)
    report(
      pointer,
      unknown(`the integration "${alias}"`, '`integrations` or `mcpServers`'),
    )
}

/** Returns the alias of the action's integration, or null for an action of the bot. */
export const toAlias = (action: string) =>
  action.includes(':') ? action.slice(0, action.indexOf(':')) : null

export function checkKnowledgeBases(
  { document, report }: Looking,
  pointer: string,
  names: string[] = [],
) {
  for (const [index, name] of names.entries())
    if (!has(document.knowledgeBases, name))
      report(
        `${pointer}/knowledgeBases/${index}`,
        unknown(`the knowledge base "${name}"`, '`knowledgeBases`'),
      )
}

/** A text fits a variable of type "date", too, if it is one. */
export function checkResultType(
  { document, flow, report }: Inside,
  pointer: string,
  variable: string,
  type: string,
) {
  const [scope, name] = variable.split('.') as [ScopeName, string]
  const declared = declaredIn(document, flow, scope)?.[name]?.type ?? 'any'
  if (
    declared !== 'any' &&
    declared !== type &&
    !(declared === 'date' && type === 'string')
  )
    report(
      pointer,
      `names a variable of type "${declared}" for a value of type "${type}". Change one of the two`,
    )
}

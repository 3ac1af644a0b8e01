// The names by which models know the tools of an agent.
import type { AgentNode } from '../document/document.ts'
import type { AgentTool } from './agent-shape.ts'

export const setVariablesTool = 'set_variables'
export const exitPrefix = 'exit_'
export const defaultOperations = ['find', 'get'] as const

/** Returns the names of one tool: a table has one for each operation, in the same order. */
export function toNames(tool: AgentTool): string[] {
  switch (tool.type) {
    case 'action':
      return [tool.name ?? tool.action.replaceAll(/[^A-Za-z0-9_-]/g, '_')]
    case 'flow':
      return [tool.name ?? tool.flow]
    case 'knowledge':
      return [tool.name ?? 'search_knowledge']
    case 'table':
      return (tool.operations ?? defaultOperations).map((one) => `${one}_${tool.table}`)
  }
}

/** Returns all names of an agent, each with the JSON pointer of its tool below the node. */
export function toToolNames({
  tools = [],
  exits = {},
  variables,
}: AgentNode): [string, string][] {
  const names: [string, string][] = tools.flatMap((tool, index) =>
    toNames(tool).map((name): [string, string] => [name, `/tools/${index}`]),
  )
  for (const [name, { description }] of Object.entries(exits))
    if (description !== undefined) names.push([exitPrefix + name, `/exits/${name}`])
  if (variables?.set?.length) names.push([setVariablesTool, '/variables/set'])
  return names
}

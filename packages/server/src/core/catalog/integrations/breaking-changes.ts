// Finds changes to a published version that would break bots that have installed it: removed parts,
// and additional required fields.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'
import type { IntegrationDefinition } from './definition.ts'

/** Throws BreakingChanges with a list of all changes. */
export function rejectBreakingChanges(
  before: IntegrationDefinition,
  after: IntegrationDefinition,
): void {
  const changes = findBreakingChanges(before, after)
  if (!changes.length) return
  const [first, ...others] = changes
  const more = others.length ? `, and ${others.length} more` : ''
  throw new ApiError(
    'BreakingChanges',
    `Bots may depend on the published version: ${first}${more}. Publish a new version instead`,
    {
      metadata: { changes: changes.slice(0, 100) },
    },
  )
}

export function findBreakingChanges(
  before: IntegrationDefinition,
  after: IntegrationDefinition,
): string[] {
  const parts = ['actions', 'events', 'channels', 'states', 'configurations'] as const
  return [
    ...parts.flatMap((part) => removedFrom(part, before[part], after[part])),
    ...pairs(before.channels, after.channels).flatMap(([name, was, is]) =>
      removedFrom(`channels.${name}.messages`, was.messages, is.messages),
    ),
    ...pairs(before.states, after.states).flatMap(([name, was, is]) =>
      was.type === is.type ? [] : [`states.${name} has another type`],
    ),
    ...pairs(before.actions, after.actions).flatMap(([name, was, is]) =>
      newlyRequired(`actions.${name}.input`, was.input.schema, is.input.schema),
    ),
    ...newlyRequired(
      'configuration',
      before.configuration.schema,
      after.configuration.schema,
    ),
    ...pairs(before.configurations, after.configurations).flatMap(([name, was, is]) =>
      newlyRequired(`configurations.${name}`, was.schema, is.schema),
    ),
  ]
}

type Named<T> = Record<string, T>

const removedFrom = (part: string, before: object, after: object) =>
  Object.keys(before).flatMap((name) =>
    Object.hasOwn(after, name) ? [] : [`${part}.${name} was removed`],
  )

/** Returns the entries that exist in both. */
const pairs = <T>(before: Named<T>, after: Named<T>) =>
  Object.entries(before).flatMap(([name, was]): [string, T, T][] =>
    Object.hasOwn(after, name) ? [[name, was, after[name]!]] : [],
  )

function newlyRequired(place: string, before: JsonSchema, after: JsonSchema): string[] {
  const known = new Set(getRequired(before))
  const here = getRequired(after).flatMap((name) =>
    known.has(name) ? [] : [`${place}.${name} is now required`],
  )
  const deeper = pairs(getProperties(before), getProperties(after)).flatMap(
    ([name, was, is]) => newlyRequired(`${place}.${name}`, was, is),
  )
  return [...here, ...deeper]
}

const getRequired = ({ required }: JsonSchema) =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []

/** Schemas are unvalidated input of their authors: any value may be of any type. */
function getProperties({ properties }: JsonSchema): Named<JsonSchema> {
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([, schema]) => typeof schema === 'object' && schema !== null,
    ),
  ) as Named<JsonSchema>
}

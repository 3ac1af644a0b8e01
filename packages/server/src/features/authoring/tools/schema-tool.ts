// The reference of documents, in parts: the whole schema is too long for a model.
import { ApiError } from '@botstead/contract'
import {
  AuthoredDocument,
  Card,
  ConversationTest,
  cardShapes,
  Flow,
  FlowNode,
  Hook,
  messageNeeds,
  Trigger,
  Variable,
} from '@botstead/flows'
import { guide } from './guide.ts'
import type { AuthoringTool, Json } from './tool.ts'

/** By the value of `type`: the choices of `oneBy`. */
const triggerShapes = Object.fromEntries(
  (Trigger as unknown as { allOf: { if: Json; then: Json }[] }).allOf.map((choice) => [
    (choice.if.properties as { type: { const: string } }).type.const,
    choice.then,
  ]),
)

const { flows: _flows, tests: _tests, ...documentFields } = AuthoredDocument.properties

const parts: Record<string, Record<string, unknown>> = {
  card: cardShapes,
  trigger: triggerShapes,
  /** Fields of the document, and the parts of `flows`. */
  part: {
    ...documentFields,
    flow: Flow,
    node: FlowNode,
    hook: Hook,
    variable: Variable,
    test: ConversationTest,
    message: { type: 'object', requiredByType: messageNeeds },
  },
}

/** Parts with a separate entry are named instead of repeated. */
const references = new Map<unknown, string>([
  [Card, 'A card: read_schema with `card`'],
  [FlowNode, 'A node: read_schema with `part: "node"`'],
  [Trigger, 'A trigger: read_schema with `trigger`'],
  [Hook, 'A hook: read_schema with `part: "hook"`'],
])

function toSchema(shape: unknown): Json {
  const json = JSON.stringify(shape, (_, value: unknown) => {
    const description = value === shape ? undefined : references.get(value)
    return description === undefined ? value : { description }
  })
  return JSON.parse(json)
}

const overview = () => ({
  guide,
  cards: Object.fromEntries(
    Object.entries(cardShapes).map(([name, { properties }]) => [
      name,
      `${(properties.type as { title?: string }).title ?? name}: ${Object.keys(properties)
        .filter((field) => field !== 'type')
        .join(', ')}`,
    ]),
  ),
  triggers: Object.keys(triggerShapes),
  parts: Object.keys(parts.part!),
})

interface Input {
  card?: string
  trigger?: string
  part?: string
}

export const readSchema: AuthoringTool = {
  name: 'read_schema',
  title: 'Read the schema of bot documents',
  description:
    'Without input: how a document is built, and the names of all cards, triggers and parts. With ' +
    'one of the inputs: the JSON Schema of this card, trigger or part. Read a card before you ' +
    'write one',
  properties: {
    card: { type: 'string', description: 'Type of a card, such as "capture"' },
    trigger: { type: 'string', description: 'Type of a trigger' },
    part: {
      type: 'string',
      description: 'Name of a part, such as "node", "settings" or "test"',
    },
  },
  permissions: ['bots.read'],
  isReading: true,
  async perform(_context, input: Input) {
    const [first, ...others] = Object.entries(input)
    if (!first) return overview()
    if (others.length > 0)
      throw new ApiError(
        'InvalidPayload',
        'Specify at most one of `card`, `trigger` and `part`',
      )
    const [kind, name] = first
    const shapes = parts[kind]!
    if (!Object.hasOwn(shapes, name))
      throw new ApiError(
        'ResourceNotFound',
        `There is no ${kind} "${name.slice(0, 100)}". Use ${Object.keys(shapes).join(', ')}`,
      )
    return { [kind]: name, schema: toSchema(shapes[name]) }
  },
}

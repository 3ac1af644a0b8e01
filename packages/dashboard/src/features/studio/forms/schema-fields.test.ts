// Each field of the document has a form for its values.
import {
  AgentNode,
  cardShapes,
  Flow,
  Hook,
  PlainNode,
  Settings,
  Trigger,
  Variable,
} from '@botstead/flows'
import { expect, test } from 'vitest'
import {
  type FieldKind,
  listFields,
  type Schema,
  toElementSchema,
  toInitial,
  toShape,
  toVariants,
} from './schema-fields.ts'

/** As the build writes them. */
const toSchema = (shape: unknown): Schema => JSON.parse(JSON.stringify(shape))
const cards = toSchema(cardShapes) as Record<string, Schema>

const toKinds = (schema: Schema) =>
  Object.fromEntries(listFields(schema).map(({ name, kind }) => [name, kind]))

test('finds the kind of each field of a capture', () => {
  expect(toKinds(cards.capture!)).toEqual({
    name: 'text',
    kind: 'choice',
    question: 'message',
    into: 'variable',
    options: 'list',
    pattern: 'text',
    min: 'template',
    max: 'template',
    validate: 'expression',
    byModel: 'switch',
    model: 'words',
    retryMessage: 'message',
    retries: 'number',
    cancelLabel: 'template',
    cancelWords: 'words',
    onCancel: 'target',
    onFail: 'target',
    timeout: 'number',
    onTimeout: 'target',
  } satisfies Record<string, FieldKind>)
})

test('finds references, code, choices of a model and values', () => {
  expect(toKinds(cards.callFlow!)).toMatchObject({
    flow: 'flow',
    inputs: 'pairs',
    outputs: 'pairs',
  })
  expect(toKinds(cards.code!)).toMatchObject({ code: 'code' })
  expect(toKinds(cards.aiTransition!)).toMatchObject({
    transitions: 'list',
    otherwise: 'target',
  })
  expect(toKinds(cards.answer!)).toMatchObject({
    knowledgeBases: 'knowledgeBases',
    tags: 'pairs',
  })
  expect(toKinds(cards.set!)).toMatchObject({ variable: 'variable', value: 'json' })
  expect(toKinds(cards.aiTask!)).toMatchObject({ output: 'json' })
  expect(toKinds(cards.callAction!)).toMatchObject({ action: 'action' })
})

test('has a title and help for every field of every card', () => {
  for (const [type, shape] of Object.entries(cards)) {
    expect(shape.properties?.type?.title, type).toBeTruthy()
    for (const { name, title, help } of listFields(shape)) {
      expect(title, `${type}.${name}`).toMatch(/^[A-Z]/)
      expect(help, `${type}.${name}`).not.toBe('')
    }
  }
})

/** The parts of a schema that is an object, a list, a map or a union. */
const listParts = ({
  properties,
  items,
  additionalProperties,
  anyOf,
  allOf,
}: Schema): Schema[] => [
  ...Object.values(properties ?? {}),
  ...(items ? [items] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ...(anyOf ?? []),
  ...(allOf ?? []).map(({ then }) => then),
]

/** Returns the schema and all inside. */
const listSchemas = (schema: Schema): Schema[] => [
  schema,
  ...listParts(schema).flatMap(listSchemas),
]

/** Without the fields that have no form, or another one. */
const omit = (schema: Schema, ...names: string[]): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties!).filter(([name]) => !names.includes(name)),
  ),
})

const forms = [
  ...Object.values(cards),
  ...[Trigger, Hook, Settings, Variable].map(toSchema),
  omit(toSchema(Flow), 'nodes'),
  ...[PlainNode, AgentNode].map((shape) => omit(toSchema(shape), 'type', 'cards')),
].flatMap(listSchemas)

test.each(['en', 'de', 'fr', 'es', 'pt', 'ja'])(
  'has a name for each field in %s',
  async (code) => {
    const { documentNames } = await import(
      `../../../texts/${code}/bot/studio/document-names.ts`
    )
    const lacks = (names: Record<string, string>, wanted: string[]) =>
      [...new Set(wanted)].filter(
        (name) => !Object.hasOwn(names, name) || names[name] === '',
      )
    const fields = forms.flatMap(listFields)
    expect(
      lacks(
        documentNames.fields,
        fields.map(({ name }) => name),
      ),
    ).toEqual([])
    const unions = forms.filter(({ allOf = [] }) =>
      allOf.some(({ then }) => then.properties),
    )
    const shapes = unions.flatMap((union) => Object.keys(toVariants(union).shapes))
    expect(lacks(documentNames.shapes, shapes)).toEqual([])
    const ownFields = forms.filter(({ allOf }) => !allOf).flatMap(listFields)
    const choices = ownFields.filter(
      ({ kind }) => kind === 'choice' || kind === 'choices',
    )
    const words = choices.flatMap(
      ({ schema }) => schema.enum ?? toElementSchema(schema).enum ?? [],
    )
    expect(lacks(documentNames.words, words)).toEqual([])
  },
)

test('finds the parts of an agent, and the shapes of its tools', () => {
  const agent = toSchema(AgentNode)
  expect(toKinds(agent)).toMatchObject({ tools: 'list', exits: 'map', limits: 'object' })
  const tools = toElementSchema(agent.properties!.tools!)
  expect(Object.keys(toVariants(tools).shapes)).toEqual([
    'action',
    'flow',
    'knowledge',
    'table',
  ])
  expect(toKinds(toShape(tools, { type: 'table' }))).toMatchObject({
    table: 'table',
    operations: 'choices',
  })
})

test('finds the shape of a trigger', () => {
  const schedule = toShape(toSchema(Trigger), { type: 'schedule' })
  expect(toKinds(schedule)).toMatchObject({ cron: 'text', flow: 'flow', node: 'node' })
  expect(toKinds(toSchema(Hook))).toMatchObject({
    kind: 'choice',
    code: 'code',
    breaksTurn: 'switch',
  })
  expect(toKinds(toSchema(Settings))).toMatchObject({
    defaults: 'object',
    typingIndicator: 'switch',
  })
})

test('begins a new element with the required fields', () => {
  const options = toElementSchema(cards.capture!.properties!.options!)
  expect(toInitial(options)).toEqual({ label: '', value: '' })
  expect(toInitial(toSchema(Trigger))).toMatchObject({
    type: 'conversationStarted',
    flow: '',
  })
})

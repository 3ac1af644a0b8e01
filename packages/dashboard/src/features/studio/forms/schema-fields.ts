// The fields of a form, from the JSON Schema of a card, a node, a trigger or the settings: the schema with
// which the document is checked.
import { translateHelp } from '../../../texts/of-document.ts'
import { texts } from '../../../texts/texts.ts'

export interface Schema {
  type?: string
  title?: string
  /** Of the field for the name of a new part of a map. */
  newTitle?: string
  description?: string
  const?: unknown
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  anyOf?: Schema[]
  allOf?: { if: Schema; then: Schema }[]
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export type FieldKind =
  /** Text with `{{ }}`. */
  | 'template'
  | 'text'
  | 'expression'
  | 'number'
  | 'switch'
  | 'choice'
  /** Several of some words. */
  | 'choices'
  | 'words'
  | 'message'
  | 'target'
  | 'variable'
  | 'variables'
  | 'flow'
  | 'node'
  | 'table'
  | 'knowledgeBases'
  | 'action'
  | 'timezone'
  | 'event'
  | 'code'
  /** Objects of one shape. */
  | 'list'
  /** Objects of one shape, by name. */
  | 'map'
  /** Texts by name. */
  | 'pairs'
  | 'object'
  | 'variant'
  | 'json'

export interface Field {
  name: string
  title: string
  help: string
  kind: FieldKind
  schema: Schema
  isRequired: boolean
}

/** Fields that name something in the document. */
const references: Record<string, FieldKind> = {
  flow: 'flow',
  node: 'node',
  table: 'table',
  knowledgeBases: 'knowledgeBases',
  action: 'action',
  timezone: 'timezone',
  event: 'event',
}

/** The page of texts writes it. */
const textKey = 'textKey'

/** Returns the fields of an object in the order of the schema. Constants have no field. */
export function listFields({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties)
    .filter(([name, schema]) => schema.const === undefined && name !== textKey)
    .map(([name, schema]) => ({
      name,
      title: schema.title ?? toFieldTitle(name),
      help: translateHelp(schema.description ?? ''),
      kind: references[name] ?? toKind(schema),
      schema,
      isRequired: required.includes(name),
    }))
}

/** A field without a name in the catalogue, which only a draft can have: `minScore` becomes `Min score`. */
export const toFieldTitle = (name: string): string => {
  if (Object.hasOwn(texts.studio.names.fields, name))
    return texts.studio.names.fields[name]!
  const words = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, end, begin) => `${end} ${begin.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Lengths by which texts of the document are recognized. */
const [templateLength, expressionLength, codeLength] = [100_000, 10_000, 1_000_000]

function toKind(schema: Schema): FieldKind {
  const { type, anyOf } = schema
  if (anyOf) return toKindOfUnion(anyOf)
  if (schema.enum) return 'choice'
  if (type === 'string') return toKindOfText(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  if (type === 'array' && schema.items) return toKindOfList(schema.items)
  if (type === 'object') return toKindOfObject(schema)
  return 'json'
}

function toKindOfText({ pattern, minLength, maxLength }: Schema): FieldKind {
  if (pattern?.startsWith('^(workflow|')) return 'variable'
  if (maxLength === templateLength) return 'template'
  return maxLength === expressionLength && minLength === 1 ? 'expression' : 'text'
}

function toKindOfUnion(forms: Schema[]): FieldKind {
  const [first, second] = forms
  if (first?.maxLength === codeLength) return 'code'
  if (second?.properties?.flow) return 'target'
  if (second?.properties?.type) return 'message'
  if (second?.type === 'array') return second.items?.properties ? 'list' : 'words'
  // A number, or an expression that returns one.
  if (first?.type === 'number') return 'template'
  return 'json'
}

function toKindOfList(items: Schema): FieldKind {
  if (items.enum) return 'choices'
  if (items.allOf || items.properties) return 'list'
  const kind = toKind(items)
  if (kind === 'variable') return 'variables'
  return kind === 'text' || kind === 'template' ? 'words' : 'json'
}

function toKindOfObject({
  properties,
  allOf,
  additionalProperties: values,
}: Schema): FieldKind {
  if (allOf) return 'variant'
  if (properties) return 'object'
  if (typeof values !== 'object') return 'json'
  if (values.properties || values.allOf) return 'map'
  const kind = toKind(values)
  return kind === 'template' ||
    kind === 'text' ||
    kind === 'variable' ||
    Object.keys(values).length <= 1
    ? 'pairs'
    : 'json'
}

/** Returns the schema of the elements of a list, or of the values of a map. */
export function toElementSchema({ items, additionalProperties, anyOf }: Schema): Schema {
  if (items) return items
  if (typeof additionalProperties === 'object') return additionalProperties
  const list = anyOf?.find(({ type }) => type === 'array')
  return list?.items ?? {}
}

/** The shapes of a union, by the value of the property that selects one. */
interface Variants {
  property: string
  shapes: Record<string, Schema>
}

export function toVariants({ allOf = [] }: Schema): Variants {
  const [first] = allOf
  const [property = 'type'] = Object.keys(first?.if.properties ?? {})
  const shapes = Object.fromEntries(
    allOf.map(({ if: { properties }, then }) => [
      String(properties?.[property]?.const),
      then,
    ]),
  )
  return { property, shapes }
}

/** Returns the shape that the value selects, for a schema that may be a union. */
export function toShape(schema: Schema, value: unknown): Schema {
  if (!schema.allOf) return schema
  const { property, shapes } = toVariants(schema)
  const chosen = (value as Record<string, unknown> | undefined)?.[property]
  return shapes[String(chosen)] ?? { properties: {} }
}

/** Returns a value with which a new object is as complete as possible. */
export function toInitial(schema: Schema): unknown {
  const { type, required = [], properties = {} } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.allOf) {
    const { property, shapes } = toVariants(schema)
    const [name = '', shape = {}] = Object.entries(shapes)[0] ?? []
    return { [property]: name, ...(toInitial(shape) as object) }
  }
  if (schema.anyOf) return toInitial(schema.anyOf[0] ?? {})
  if (type === 'object')
    return Object.fromEntries(
      required.map((name) => [name, toInitial(properties[name] ?? {})]),
    )
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'boolean') return false
  return ''
}

// Schemas that the shapes of the document share: names, texts with expressions, code, targets.
import { type Static, Type as T, type TSchema } from 'typebox'

/** Name of a flow, a node, a trigger or a knowledge base. */
export const Name = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' })

/**
 * Name of a variable, an action or a table. Code uses it, so it must be a JavaScript identifier.
 */
export const Word = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' })

export const variableTypes = [
  'string',
  'number',
  'boolean',
  'object',
  'array',
  'date',
  'any',
] as const

/**
 * Returns the schema with another description, which editors and docs/flows.md show. It may be optional,
 * which a spread would lose.
 */
export const about = <S extends TSchema>(description: string, schema: S): S =>
  Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: {
      value: description,
      enumerable: true,
      configurable: true,
      writable: true,
    },
  })

/** Returns the schema of a map from names that the author chooses to values of one shape. */
export const named = <S extends TSchema>(name: TSchema, value: S, description: string) =>
  T.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    propertyNames: name,
    additionalProperties: value,
    description,
  })

/**
 * Text with JavaScript expressions in `{{ }}`. A text that is exactly one expression becomes its
 * value, of any type.
 */
export const Template = T.String({
  maxLength: 100_000,
  description: 'Text; {{ }} holds a JavaScript expression',
})

/** JSON in which texts may contain `{{ }}`. */
export const TemplateJson = T.Unsafe<unknown>({
  description: 'Any JSON; {{ }} in its texts holds a JavaScript expression',
})

/** A JSON Schema without references. schema-validator.ts checks its content. */
export const JsonSchema = T.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'A JSON Schema without `$ref`',
})
export type JsonSchema = Static<typeof JsonSchema>

export const ModelChoice = about(
  'Model (`auto` by default), or several: the others are fallbacks',
  T.Optional(T.Union([Template, T.Array(Template, { minItems: 1, maxItems: 20 })])),
)

export const Expression = T.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'A JavaScript expression',
})

/**
 * JavaScript or TypeScript without imports, with top-level `await`: inline, or a file path relative
 * to the document.
 */
export const Code = T.Union([
  T.String({ maxLength: 1_000_000, description: 'JavaScript or TypeScript' }),
  T.Object(
    {
      file: T.String({
        pattern: '^(\\./)?[A-Za-z0-9_-][A-Za-z0-9_./-]*\\.(ts|js)$',
        maxLength: 200,
      }),
    },
    { additionalProperties: false },
  ),
])
export type Code = Static<typeof Code>

/** Variable as scope and name: `workflow.city`. */
export const VariablePath = T.String({
  pattern: '^(workflow|conversation|user|bot|session)\\.[A-Za-z][A-Za-z0-9_]{0,63}$',
  description: 'A variable, as scope.name',
})

/**
 * Next node: a node of this flow by its name, or another flow, at its first node or at a given one.
 */
export const Target = T.Union([
  Name,
  T.Object({ flow: Name, node: T.Optional(Name) }, { additionalProperties: false }),
])
export type Target = Static<typeof Target>

/**
 * Returns the schema of a union with a discriminating property. It uses if/then rather than anyOf,
 * so that errors concern only the shape that the property selects.
 */
export function oneBy<Shapes extends Record<string, TSchema>>(
  property: string,
  shapes: Shapes,
  description: string,
) {
  return T.Unsafe<Static<Shapes[keyof Shapes]>>({
    description,
    type: 'object',
    required: [property],
    properties: { [property]: { enum: Object.keys(shapes) } },
    allOf: Object.entries(shapes).map(([name, shape]) => where(property, name, shape)),
  })
}

/** Returns a schema that applies `shape` when the property has this value. */
export const where = (property: string, value: string, shape: object) => ({
  if: { properties: { [property]: { const: value } }, required: [property] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: shape,
})

// The small pieces that the document is made of: names, texts that are worked out while the bot runs, code.
import { type Static, Type as T, type TSchema } from 'typebox'

/** Of a flow, a node, a trigger, a knowledge base. */
export const Name = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' })

/** Of a variable, an action, a table: code writes it, so it is one word of JavaScript. */
export const Word = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' })

/** The same schema with the description of one field: editors show it, and docs/flows.md has it. */
export const about = <S extends TSchema>(description: string, schema: S): S =>
  Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  })

/** Names of the author's, one kind of value. */
export const named = <S extends TSchema>(name: TSchema, value: S, description: string) =>
  T.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    propertyNames: name,
    additionalProperties: value,
    description,
  })

/** What stands in `{{ }}` is a JavaScript expression. A text that is nothing but one such expression becomes its value, whatever that is. */
export const Template = T.String({
  maxLength: 100_000,
  description: 'Text; {{ }} holds a JavaScript expression',
})

/** JSON in which every text may hold `{{ }}`. */
export const TemplateJson = T.Unsafe<unknown>({
  description: 'Any JSON; {{ }} in its texts holds a JavaScript expression',
})

export const Expression = T.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'A JavaScript expression',
})

/** JavaScript or TypeScript without imports, with `await`: here, or in a file, named by its path from the document. */
export const Code = T.Union([
  T.String({ maxLength: 1_000_000, description: 'JavaScript or TypeScript' }),
  T.Object(
    { file: T.String({ pattern: '^(\\./)?[A-Za-z0-9_-][A-Za-z0-9_./-]*\\.(ts|js)$', maxLength: 200 }) },
    { additionalProperties: false },
  ),
])
export type Code = Static<typeof Code>

/** `workflow.city`: the scope, and the name in it. */
export const Place = T.String({
  pattern: '^(workflow|conversation|user|bot|session)\\.[A-Za-z][A-Za-z0-9_]{0,63}$',
  description: 'A variable, as scope.name',
})

/** Where to go on: a node of this flow by its name, or another flow, at its beginning or at one of its nodes. */
export const Target = T.Union([
  Name,
  T.Object({ flow: Name, node: T.Optional(Name) }, { additionalProperties: false }),
])
export type Target = Static<typeof Target>

/** One of several shapes, told apart by a property: who writes it wrong is told about the shape that was meant, and no other. */
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

/** What has this value there is to be of that shape. */
export const where = (property: string, value: string, shape: object) => ({
  if: { properties: { [property]: { const: value } }, required: [property] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: shape,
})

// Describes the mismatch of a value with one of several shapes (`anyOf`): only the shape that the
// value is meant to have counts, by its discriminator such as `type`, or by its JSON type.
import type { ErrorObject } from 'ajv'

interface Shape {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Shape>
}

/**
 * Returns the errors of the meant shape, or a text if it has none. Null: nothing better is known
 * than that no shape matches. `errors` ends with the error of the union.
 */
export function findMeantErrors(errors: ErrorObject[]): ErrorObject[] | string | null {
  const union = errors.at(-1)!
  const shapes = union.schema as Shape[]
  const ofShape = (at: number) =>
    errors.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${at}/`))
  const meant = findMeant(union, shapes)
  if (typeof meant === 'string') return meant
  const groups = meant.map(ofShape).filter((group) => group.length > 0)
  // The shape with the deepest error fits best.
  const depth = (group: ErrorObject[]) => group.at(-1)!.instancePath.split('/').length
  const [best = null] = groups.toSorted((a, b) => depth(b) - depth(a))
  return best
}

/** Returns the indexes of the meant shapes, or the reason why the value can be none. */
function findMeant(
  { data, instancePath }: ErrorObject,
  shapes: Shape[],
): number[] | string {
  const tag = findTag(shapes)
  if (!tag) return findByType(data, instancePath, shapes)
  if (findType(data) !== 'object') return `${instancePath} must be object`
  const sent = (data as Record<string, unknown>)[tag]
  const meant = toIndexes(shapes, (shape) => listValues(shape, tag).includes(sent))
  if (meant.length > 0) return meant
  const known = shapes.flatMap((shape) => listValues(shape, tag)).join(', ')
  const shown = sent === undefined ? '' : `, not ${JSON.stringify(sent).slice(0, 60)}`
  return `${instancePath}/${tag} must be one of ${known}${shown}`
}

function findByType(data: unknown, path: string, shapes: Shape[]): number[] | string {
  const meant = toIndexes(shapes, (shape) => {
    const types = toTypes(shape)
    return types.length === 0 || types.includes(findType(data)) || isInteger(data, types)
  })
  if (meant.length > 0) return meant
  return `${path} must be ${[...new Set(shapes.flatMap(toTypes))].join(' or ')}`
}

const toIndexes = (shapes: Shape[], test: (shape: Shape) => boolean) =>
  shapes.flatMap((shape, at) => (test(shape) ? [at] : []))

/** The property that has a constant text in each shape. */
function findTag([first, ...others]: Shape[]): string | null {
  const names = Object.keys(first?.properties ?? {})
  const isTag = (name: string) =>
    [first!, ...others].every((shape) => listValues(shape, name).length > 0)
  return names.find(isTag) ?? null
}

function listValues({ properties = {} }: Shape, name: string): unknown[] {
  const property = Object.hasOwn(properties, name) ? properties[name]! : {}
  if (typeof property.const === 'string') return [property.const]
  return property.enum?.every((value) => typeof value === 'string') ? property.enum : []
}

function toTypes(shape: Shape): string[] {
  if (shape.type !== undefined) return [shape.type].flat()
  const values = shape.const === undefined ? shape.enum : [shape.const]
  return [...new Set((values ?? []).map(findType))]
}

function findType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const isInteger = (value: unknown, types: string[]) =>
  types.includes('integer') && Number.isInteger(value)

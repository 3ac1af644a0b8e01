// Formats shapes for the report.
import type { Alternative, ObjectShape, Shape } from './normalize.ts'

export function describeShape(shape: Shape): string {
  return shape.length > 3
    ? `one of ${shape.length} kinds`
    : shape.map(showOne).join(' | ')
}

function showOne(one: Alternative): string {
  if ('values' in one && one.values)
    return one.values.map((value) => JSON.stringify(value)).join(' | ')
  switch (one.type) {
    case 'string':
      return [
        'string',
        range(one.minLength || -Infinity, one.maxLength),
        one.format,
        one.pattern && 'with a pattern',
      ]
        .filter(Boolean)
        .join(' ')
    case 'number':
      return [one.integer ? 'integer' : 'number', range(one.minimum, one.maximum)]
        .filter(Boolean)
        .join(' ')
    case 'array':
      return [
        'list',
        range(one.minItems || -Infinity, one.maxItems),
        `of ${describeShape(one.items)}`,
      ]
        .filter(Boolean)
        .join(' ')
    case 'object':
      return `object${showType(one)}`
    default:
      return one.type
  }
}

const range = (min: number, max: number) =>
  [min > -Infinity && `≥ ${min}`, max < Infinity && `≤ ${max}`].filter(Boolean).join(', ')

/** Formats the constant `type` that identifies an object in a union. */
function showType({ properties }: ObjectShape): string {
  const type = properties.get('type')?.shape
  return type ? ` of type ${describeShape(type)}` : ''
}

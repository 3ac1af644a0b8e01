// Describes JSON Schemas of the OpenAPI documents as tables of fields.
import { table } from '../marked.js'

/** Fields below this depth are in the OpenAPI document only. */
const maxDepth = 4

/** Returns a table of the fields of an object schema, with those of objects inside by their path. */
export function fieldTable(schema, links) {
  const rows = toRows(schema, links, { path: '', depth: 1 })
  return rows.length > 0 ? table(['Field', 'Type', 'Meaning'], rows) : ''
}

/** Returns a table of parameters in the path, the query and the headers. */
export function parameterTable(parameters, links) {
  const rows = parameters.map(({ name, in: location, required, schema }) => [
    `\`${name}\``,
    location,
    toType(schema, links),
    toMeaning(schema, required),
  ])
  return rows.length > 0 ? table(['Parameter', 'In', 'Type', 'Meaning'], rows) : ''
}

function toRows(schema, links, { path, depth }) {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = path + name
    const inner = field.type === 'array' ? field.items : field
    const isOpen = depth < maxDepth && inner?.properties
    return [
      [`\`${at}\``, toType(field, links), toMeaning(field, required.includes(name))],
      ...(isOpen
        ? toRows(inner, links, {
            path: `${at}${inner === field ? '.' : '[].'}`,
            depth: depth + 1,
          })
        : []),
    ]
  })
}

/** Returns the type in Markdown. `links` returns the URL of a model's description. */
export function toType(schema, links) {
  const { $ref, anyOf, enum: values, type, format, items } = schema
  if ($ref) return `[${toModelName($ref)}](${links(toModelName($ref))})`
  if (anyOf) return [...new Set(anyOf.map((one) => toType(one, links)))].join(' or ')
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (type === 'array') return items ? `array of ${toType(items, links)}` : 'array'
  if (type === 'string' && format) return `string (${format})`
  if (type === 'object' && isMap(schema))
    return `map of ${toType(schema.additionalProperties, links)}`
  return type ?? 'any'
}

const isMap = ({ properties, additionalProperties }) =>
  !properties && additionalProperties && additionalProperties !== true

export const toModelName = (reference) => reference.slice(reference.lastIndexOf('/') + 1)

function toMeaning(schema, required) {
  const { description, default: otherwise } = schema
  return [
    required && 'required',
    description && escaped(description),
    ...toBounds(schema),
    otherwise !== undefined && `default \`${JSON.stringify(otherwise)}\``,
  ]
    .filter(Boolean)
    .join('; ')
}

function toBounds({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  pattern,
}) {
  return [
    bounds(minLength, maxLength, 'characters'),
    bounds(minimum, maximum, ''),
    bounds(minItems, maxItems, 'items'),
    pattern && `pattern \`${pattern}\``,
  ]
}

function bounds(min, max, unit) {
  const text = unit && ` ${unit}`
  if (min !== undefined && max !== undefined) return `${min} to ${max}${text}`
  if (max !== undefined) return `at most ${max}${text}`
  return min !== undefined && `at least ${min}${text}`
}

/** Keeps text outside of code from being Markdown or HTML. */
export const escaped = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<[\]_*]/g, '\\$&')))
    .join('')

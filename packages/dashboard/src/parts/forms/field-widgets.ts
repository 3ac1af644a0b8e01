// The widgets of a form from a JSON Schema: passwords for secrets, colours, areas for long texts.
import type { UiSchema } from '@rjsf/utils'
import { texts } from '../../texts/texts.ts'

export interface FieldSchema {
  type?: unknown
  enum?: unknown
  properties?: Record<string, FieldSchema>
  required?: unknown
  items?: FieldSchema
  title?: string
  description?: string
  examples?: unknown[]
  format?: string
  pattern?: string
  maxLength?: number
  writeOnly?: boolean
  'x-zui'?: { secret?: boolean; hidden?: unknown }
}

/** Required fields come first: the database does not keep the order of properties. */
export function toUiSchema({ properties = {}, required }: FieldSchema): UiSchema {
  const names = Object.keys(properties)
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return {
    ...Object.fromEntries(names.map((name) => [name, toWidget(name, properties[name]!)])),
    ...(names.some(isRequired) && { 'ui:order': [...names.filter(isRequired), '*'] }),
  }
}

function toWidget(name: string, field: FieldSchema): UiSchema {
  // A condition instead of a boolean is code of the original's studio.
  if (field['x-zui']?.hidden === true) return { 'ui:widget': 'hidden' }
  if (isSecret(name, field)) return { 'ui:widget': 'password' }
  if (Array.isArray(field.enum)) return { 'ui:enumNames': toNames(field.enum) }
  if (isColour(field)) return { 'ui:widget': 'color', 'ui:options': colourOptions }
  if (isLong(field))
    return { 'ui:widget': 'textarea', 'ui:options': { autosize: true, minRows: 2 } }
  return {
    ...toUiSchema(field),
    ...(field.items && { items: toWidget('', field.items) }),
  }
}

/** The values of the webchat have the words of its page; others stay as they are. */
function toNames(values: unknown[]): string[] {
  const { themes, positions, languages } = texts.chat
  const names = [themes, positions, languages].find((each: Record<string, string>) =>
    values.every((value) => Object.hasOwn(each, String(value))),
  ) as Record<string, string> | undefined
  return values.map((value) => names?.[String(value)] ?? String(value))
}

const secretName =
  /secret|password|passphrase|token$|(api|access|private|encryption)[-_]?key$/i

/** Secret fields are those of the SDK, of JSON Schema, and some by their name. */
function isSecret(
  name: string,
  { type, format, writeOnly, 'x-zui': zui }: FieldSchema,
): boolean {
  if (format === 'password' || writeOnly || zui?.secret) return true
  return type === 'string' && secretName.test(name)
}

const colour = '#0f766e'
const colourOptions = {
  withEyeDropper: false,
  // A wrong colour stays in the field with its error.
  fixOnBlur: false,
  // Below the field, the picker would cover the error.
  inputWrapperOrder: ['label', 'description', 'error', 'input'],
}

/** Whether the field accepts colours only, as `#0f766e`. */
function isColour({ type, format, pattern }: FieldSchema): boolean {
  if (type !== 'string') return false
  if (format === 'color') return true
  try {
    const form = new RegExp(pattern ?? '')
    return (
      form.test(colour) &&
      ![colour.slice(1), '#word', ''].some((other) => form.test(other))
    )
  } catch {
    return false
  }
}

/** Fields from this length on have room for paragraphs, unless their form is that of one line. */
const longText = 1_000

export const isLong = ({
  type,
  enum: values,
  pattern,
  format,
  maxLength = 0,
}: FieldSchema): boolean =>
  type === 'string' && !values && !pattern && !format && maxLength >= longText

/** How to correct a text that does not match the pattern or format of its field. */
export function formHint(field: FieldSchema): {
  example?: string
  colour?: boolean
  text?: string
} {
  const [first] = field.examples ?? []
  if (isColour(field)) return { example: String(first ?? colour), colour: true }
  if (first !== undefined) return { example: String(first) }
  const text = field.description ?? field.pattern ?? field.format
  return text === undefined ? {} : { text }
}

// A field of a setting, which checks itself while a value is pasted.
import type { ChannelGuide } from '@botstead/contract'
import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import { isLong } from '../../parts/forms/field-widgets.ts'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import type { Values } from './queries.ts'
import { findProblem } from './value-checks.ts'

export interface Property {
  title?: string
  description?: string
  type?: string
  enum?: string[]
  default?: unknown
  writeOnly?: boolean
  maxLength?: number
}

interface SettingFieldProps {
  name: string
  guide: ChannelGuide
  values: Values
  /** The text above it says where its value is. */
  isDescribed?: boolean
  /** Required here, although not by the schema. */
  isNeeded?: boolean
  onChange: (name: string, value: unknown) => void
}

/** Settings that contain others are on the page of the integration. */
export const isField = ({ type }: Property) => type !== 'object'

export const listProperties = ({ schema }: ChannelGuide) =>
  (schema.properties ?? {}) as Record<string, Property>

export const isRequired = ({ schema }: ChannelGuide, name: string) =>
  ((schema.required ?? []) as string[]).includes(name)

export function SettingField({ isDescribed = false, ...field }: SettingFieldProps) {
  const { name, guide, values, onChange } = field
  const { description: long, ...property } = listProperties(guide)[name] ?? {}
  const { title } = property
  const description = isDescribed ? undefined : long
  const label = title ?? name
  const required = field.isNeeded || isRequired(guide, name)
  const value = values[name] ?? property.default
  const change = (next: unknown) => onChange(name, next)
  const common = { label, description, required }
  if (property.type === 'boolean')
    return (
      <Checkbox
        label={label}
        description={description}
        checked={value === true}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    )
  if (property.enum)
    return (
      <Select
        {...common}
        data={property.enum}
        value={typeof value === 'string' ? value : null}
        onChange={(chosen) => change(chosen ?? undefined)}
        clearable={!required && property.default === undefined}
        allowDeselect={false}
      />
    )
  if (property.type === 'integer')
    return (
      <TextInput
        {...common}
        inputMode="numeric"
        value={typeof value === 'number' ? String(value) : ''}
        onChange={(event) => change(toNumber(event.currentTarget.value))}
        maxLength={5}
      />
    )
  if (isLong(property))
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => change(event.currentTarget.value)}
        maxLength={property.maxLength}
      />
    )
  return (
    <TextField
      {...field}
      property={{ ...property, ...(description && { description }) }}
    />
  )
}

/** Returns undefined without digits. */
function toNumber(text: string): number | undefined {
  const digits = text.replaceAll(/\D/g, '')
  return digits === '' ? undefined : Number(digits)
}

function TextField({
  name,
  guide,
  values,
  onChange,
  isNeeded = false,
  property: { title = name, description, writeOnly },
}: SettingFieldProps & { property: Property }) {
  const value = values[name]
  const problem = findProblem(guide.checks, name, value)
  const isInvented = guide.invented.includes(name)
  const Field = writeOnly && !isInvented ? PasswordInput : TextInput
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Field
        label={title}
        description={description}
        required={isNeeded || isRequired(guide, name)}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(name, event.currentTarget.value)}
        error={problem && <CodedText text={problem} />}
        autoComplete="off"
        spellCheck={false}
        style={{ flex: 1 }}
      />
      {isInvented && (
        <Button variant="default" onClick={() => onChange(name, invent())}>
          {texts.channels.invent}
        </Button>
      )}
    </Group>
  )
}

/** Returns 32 random bytes in base64, which needs no escapes anywhere without its three characters. */
export function invent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(33))
  return btoa(String.fromCharCode(...bytes)).replaceAll(/[+/=]/g, 'x')
}

// A form from a JSON Schema, as integrations and bots define their configuration.
import { Button, Checkbox, Group, Title } from '@mantine/core'
import { withTheme } from '@rjsf/core'
import { generateTheme } from '@rjsf/mantine'
import {
  type ArrayFieldTitleProps,
  type RJSFSchema,
  titleId,
  type UiSchema,
  type WidgetProps,
} from '@rjsf/utils'
import { useState } from 'react'
import { texts } from '../texts/texts.ts'
import { validator } from './schema-validator.ts'

const theme = generateTheme()
const Form = withTheme({
  ...theme,
  templates: { ...theme.templates, ArrayFieldTitleTemplate: ListTitle },
  widgets: { ...theme.widgets, CheckboxWidget: Tick },
})

/** The theme's own has its description above it. */
function Tick({ id, htmlName, label, value, schema, options, onChange, ...props }: WidgetProps) {
  return (
    <Checkbox
      id={id}
      name={htmlName}
      label={label}
      description={options.description ?? schema.description}
      checked={value ?? false}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      disabled={props.disabled || props.readonly}
      required={props.required ?? false}
    />
  )
}

/** Forms are below a heading of the second level; the theme's own title is of the fourth. */
function ListTitle({ fieldPathId, title }: ArrayFieldTitleProps) {
  if (!title) return null
  return (
    <Title id={titleId(fieldPathId)} order={3} size="h5" fw="normal">
      {title}
    </Title>
  )
}

interface SchemaFormProps {
  schema: unknown
  value: unknown
  /** A field that another page edits: it keeps its value. */
  hidden?: string | undefined
  readOnly?: boolean
  isSaving?: boolean
  /** The text of the button, by default "Save". */
  button?: string
  onSubmit: (value: Record<string, unknown>) => void
}

export function SchemaForm({
  schema,
  value,
  hidden,
  readOnly = false,
  isSaving = false,
  button = texts.common.save,
  onSubmit,
}: SchemaFormProps) {
  const [data, setData] = useState(value)
  return (
    <Form
      schema={schema as RJSFSchema}
      uiSchema={{
        ...secretFieldsOf(schema),
        ...(hidden && { [hidden]: { 'ui:widget': 'hidden' } }),
      }}
      formData={data}
      validator={validator}
      readonly={readOnly}
      showErrorList={false}
      focusOnFirstError
      onChange={({ formData }) => setData(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
    >
      {readOnly ? (
        <span />
      ) : (
        <Group justify="flex-end" mt="sm">
          <Button type="submit" loading={isSaving}>
            {button}
          </Button>
        </Group>
      )}
    </Form>
  )
}

interface FieldSchema {
  type?: unknown
  properties?: Record<string, FieldSchema>
  format?: string
  writeOnly?: boolean
  'x-zui'?: { secret?: boolean }
}

/** Hides the input of secret fields: those of the SDK, of JSON Schema, and by their name. */
function secretFieldsOf(schema: unknown): UiSchema {
  const { properties = {} } = schema as FieldSchema
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      isSecret(name, field) ? { 'ui:widget': 'password' } : secretFieldsOf(field),
    ]),
  )
}

const secretName = /secret|password|passphrase|token$|(api|access|private|encryption)[-_]?key$/i

function isSecret(name: string, { type, format, writeOnly, 'x-zui': zui }: FieldSchema): boolean {
  if (format === 'password' || writeOnly || zui?.secret) return true
  return type === 'string' && secretName.test(name)
}

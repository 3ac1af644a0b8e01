// A form from a JSON Schema, as integrations and bots define their configuration.
import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { withTheme } from '@rjsf/core'
import { generateTheme } from '@rjsf/mantine'
import {
  type ArrayFieldTitleProps,
  type BaseInputTemplateProps,
  type DescriptionFieldProps,
  deepEquals,
  descriptionId,
  englishStringTranslator,
  type IconButtonProps,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
  type TitleFieldProps,
  titleId,
  type WidgetProps,
} from '@rjsf/utils'
import { type ComponentType, createElement, useState } from 'react'
import { IconPlus } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { type FieldSchema, toUiSchema } from './field-widgets.ts'
import { JsonDetails } from './json-details.tsx'
import { validator } from './schema-validator.ts'
import { useUnsaved } from './unsaved.tsx'

const theme = generateTheme()
const PlainObject = theme.templates!
  .ObjectFieldTemplate as ComponentType<ObjectFieldTemplateProps>
const Form = withTheme({
  ...theme,
  templates: {
    ...theme.templates,
    ArrayFieldTitleTemplate: ListTitle,
    BaseInputTemplate: Line,
    DescriptionFieldTemplate: Description,
    ButtonTemplates: { ...theme.templates!.ButtonTemplates, AddButton: Add },
    ObjectFieldTemplate: Fields,
    TitleFieldTemplate: GroupTitle,
  },
  widgets: {
    ...theme.widgets,
    CheckboxWidget: Tick,
    ColorWidget: described('ColorWidget'),
    PasswordWidget: described('PasswordWidget'),
    SelectWidget: described('SelectWidget'),
    TextareaWidget: described('TextareaWidget'),
  },
})

/** The theme's own widget of this name shows no description. */
function described(name: string) {
  const widget = theme.widgets![name] as ComponentType<WidgetProps>
  return (props: WidgetProps) => createElement(widget, withDescription(props))
}

function withDescription({ id, schema, options, ...props }: WidgetProps): WidgetProps {
  const description = options.description ?? schema.description
  const shown = description && {
    description,
    descriptionProps: { id: descriptionId(id) },
  }
  return { ...props, id, schema, options: { ...options, ...shown } }
}

const PlainLine = theme.templates!
  .BaseInputTemplate as ComponentType<BaseInputTemplateProps>

/** The library numbers the fields of a list as "Questions-1". */
function Line({ label, schema, ...props }: BaseInputTemplateProps) {
  const [, list, number] = /^(.*)-(\d+)$/.exec(label) ?? []
  const isOfList = number !== undefined && /_\d+$/.test(props.id)
  const shown = isOfList ? `${schema.title ?? list} ${number}` : label
  return <PlainLine {...props} schema={schema} label={shown} />
}

function Add({ id, className, disabled = false, onClick }: IconButtonProps) {
  return (
    <Button
      {...(id && { id })}
      {...(className && { className })}
      {...(onClick && { onClick })}
      disabled={disabled}
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden="true" />}
    >
      {texts.common.add}
    </Button>
  )
}

/** The theme's own has its description above it. */
function Tick({
  id,
  htmlName,
  label,
  value,
  schema,
  options,
  onChange,
  ...props
}: WidgetProps) {
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

/** As small as the descriptions of fields. */
function Description({ id, description }: DescriptionFieldProps) {
  if (!description) return null
  return (
    <Text id={id} size="xs" c="dimmed" mb="sm">
      {description}
    </Text>
  )
}

/** Smaller than the title of a dialog. */
function GroupTitle({ id, title }: TitleFieldProps) {
  if (!title) return null
  return (
    <Title id={id} order={3} size="h5" mt="xs">
      {title}
    </Title>
  )
}

/** A longer form begins with this many fields at least; the rest opens on demand. */
const maxFields = 8

/** Fields that are required or have a value come first in a long form. */
function Fields(props: ObjectFieldTemplateProps) {
  const { properties, fieldPathId, schema, formData = {} } = props
  const shown = properties.filter(({ hidden }) => !hidden).map(({ name }) => name)
  // Fields do not move while a person types.
  const [first] = useState(() => {
    const isUsed = (name: string) =>
      schema.required?.includes(name) || hasValue(formData[name])
    const used = shown.filter(isUsed)
    return new Set([...used, ...shown.slice(0, Math.max(0, maxFields - used.length))])
  })
  const rest = shown.filter((name) => !first.has(name))
  if (fieldPathId.path.length > 0 || rest.length < 2) return <PlainObject {...props} />
  const isFirst = ({ name, hidden }: { name: string; hidden: boolean }) =>
    hidden || first.has(name)
  return (
    <>
      <PlainObject {...props} properties={properties.filter(isFirst)} />
      <details>
        <Text component="summary" mb="xs">
          {texts.common.moreFields(rest.length)}
        </Text>
        <PlainObject
          {...props}
          title=""
          description=""
          properties={properties.filter((each) => !isFirst(each))}
        />
      </details>
    </>
  )
}

const hasValue = (value: unknown) =>
  value !== undefined && value !== '' && JSON.stringify(value) !== '{}'

export interface SchemaFormProps {
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
  // The form itself adds defaults to the data, before anyone edits it.
  const [isEdited, setEdited] = useState(false)
  useUnsaved(isEdited && !deepEquals(withoutUndefined(data), withoutUndefined(value)))
  return (
    <Stack gap="xs">
      <Form
        schema={schema as RJSFSchema}
        uiSchema={{
          ...toUiSchema(schema as FieldSchema),
          ...(hidden && { [hidden]: { 'ui:widget': 'hidden' } }),
        }}
        formData={data}
        validator={validator}
        readonly={readOnly}
        showErrorList={false}
        focusOnFirstError
        translateString={translate}
        // The form shows them. By default they also go to the console.
        onError={() => {}}
        onChange={({ formData }, field) => {
          setData(formData)
          if (field !== undefined) setEdited(true)
        }}
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
      <JsonDetails title={texts.common.schema} value={schema} />
    </Stack>
  )
}

/** The library passes its own words. Others stay as they are. */
const translate: typeof englishStringTranslator = (words, parameters) =>
  englishStringTranslator((texts.forms.words[words] ?? words) as typeof words, parameters)

const withoutUndefined = (data: unknown) => JSON.parse(JSON.stringify(data ?? {}))

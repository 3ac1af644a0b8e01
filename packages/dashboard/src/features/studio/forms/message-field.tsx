// A message: a text, or the payload of another kind, with buttons, a picture and others.
import { Fieldset, Select, Stack } from '@mantine/core'
import { texts } from '../../../texts/texts.ts'
import { toPointer } from '../draft/edits.ts'
import { isObject, type Json } from '../flows/bot-document.ts'
import { messageNeeds } from './bot-schema.ts'
import { type FieldProps, toText } from './field-props.ts'
import { useInnerForm } from './inner-form.ts'
import { Legend } from './labels.tsx'
import { type Field, type Schema, toInitial } from './schema-fields.ts'
import { TemplateInput } from './text-fields.tsx'

const t = texts.studio

const template: Schema = { type: 'string', maxLength: 100_000 }
const option: Schema = {
  type: 'object',
  required: ['label', 'value'],
  properties: {
    label: { ...template, title: t.label },
    value: { ...template, title: t.value },
  },
}

/** Kinds and schemas of fields of messages that are no texts. */
const otherFields: Record<string, Pick<Field, 'kind' | 'schema'>> = {
  options: { kind: 'list', schema: { type: 'array', items: option } },
  items: { kind: 'json', schema: { type: 'array' } },
  actions: { kind: 'json', schema: { type: 'array' } },
  latitude: { kind: 'json', schema: {} },
  longitude: { kind: 'json', schema: {} },
}

const toMessageField = (name: string): Field => ({
  name,
  title: t.messageFields[name] ?? name,
  help: '',
  kind: 'template',
  schema: template,
  isRequired: true,
  ...otherFields[name],
})

const listFields = (type: string, value: Json) =>
  messageNeeds[type] ?? Object.keys(value).filter((name) => name !== 'type')

/** Returns a message of another kind, with the text that the former one has. */
function convert(type: string, text: string): unknown {
  if (type === 'text') return text
  const fields = (messageNeeds[type] ?? []).map((name) => [
    name,
    textFields.includes(name) ? text : toInitial(toMessageField(name).schema),
  ])
  return { type, ...Object.fromEntries(fields) }
}

const textFields = ['text', 'title', 'markdown']

export function MessageField(props: FieldProps) {
  const { field, value, isReadOnly, onChange } = props
  const type = isObject(value) ? toText(value.type) : 'text'
  const text = isObject(value)
    ? toText(textFields.map((name) => value[name]).find(Boolean))
    : toText(value)
  return (
    <Stack gap="xs">
      {isObject(value) ? (
        <Payload props={props} type={type} value={value} />
      ) : (
        <TemplateInput props={props} />
      )}
      {(value !== undefined || field.isRequired) && (
        <Select
          size="xs"
          label={t.messageKind(field.title)}
          data={[...new Set([...Object.keys(messageNeeds), type])].map((each) => ({
            value: each,
            label: t.messageKinds[each] ?? each,
          }))}
          value={type}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(chosen) => chosen && onChange(convert(chosen, text))}
        />
      )}
    </Stack>
  )
}

function Payload({
  props,
  type,
  value,
}: {
  props: FieldProps
  type: string
  value: Json
}) {
  const { FieldView } = useInnerForm()
  return (
    <Fieldset legend={props.field.title} variant="filled">
      <Legend props={props} />
      <Stack gap="sm">
        {listFields(type, value).map((name) => (
          <FieldView
            key={name}
            field={toMessageField(name)}
            pointer={props.pointer + toPointer(name)}
            value={value[name]}
            flow={props.flow}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

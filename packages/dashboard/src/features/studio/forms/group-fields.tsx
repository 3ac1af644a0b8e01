// Fields that contain others: objects, lists and maps of them, texts by name, messages.
import { Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { createContext, useContext, useState } from 'react'
import { texts } from '../../../texts/texts.ts'
import { toPointer } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { isObject, toList, toObject } from '../flows/bot-document.ts'
import { type FieldProps, toText } from './field-props.ts'
import { useInnerForm } from './inner-form.ts'
import { Legend } from './labels.tsx'
import { OrderButtons, RemoveButton } from './order-buttons.tsx'
import {
  type Field,
  type Schema,
  toElementSchema,
  toInitial,
  toShape,
  toVariants,
} from './schema-fields.ts'
import { TemplateInput } from './text-fields.tsx'

const t = texts.studio

/** An object. It is made when its first field gets a value. */
export function ObjectField(props: FieldProps) {
  const { field, value, pointer, flow, isReadOnly, onChange } = props
  const { ObjectForm } = useInnerForm()
  if (value === undefined && !field.isRequired)
    return (
      <Group justify="space-between">
        <Text size="sm">{field.title}</Text>
        <Button
          size="compact-xs"
          variant="default"
          disabled={isReadOnly}
          onClick={() => onChange(toInitial(field.schema))}
        >
          {t.addNamed(field.title)}
        </Button>
      </Group>
    )
  return (
    <Fieldset legend={field.title} variant="filled">
      <Legend props={props} />
      <Stack gap="sm">
        <ObjectForm
          schema={field.schema}
          pointer={pointer}
          value={toObject(value)}
          flow={flow}
        />
        {!field.isRequired && !isReadOnly && (
          <RemoveButton name={field.title} onClick={() => onChange(undefined)} />
        )}
      </Stack>
    </Fieldset>
  )
}

/** Objects of one shape in an order, such as buttons. An expression in their place is a text. */
export function ListField(props: FieldProps) {
  const { field, value, pointer, flow, isReadOnly, onChange } = props
  const { edit } = useStudio()
  const schema = toElementSchema(field.schema)
  const all = toList(value)
  if (typeof value === 'string') return <TemplateInput props={props} />
  const add = () => {
    const made = toInitial(schema)
    if (!Array.isArray(value)) return onChange([made])
    edit([{ op: 'insert', pointer: `${pointer}/${all.length}`, value: made }])
  }
  return (
    <Fieldset legend={field.title} variant="filled">
      <Legend props={props} />
      <Stack gap="sm">
        {all.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity
          <Stack key={index} gap="xs" className="panel" p="xs">
            <ElementForm
              schema={schema}
              pointer={`${pointer}/${index}`}
              value={toObject(each)}
              flow={flow}
            />
            {!isReadOnly && (
              <ElementButtons
                name={t.numbered(field.title, index + 1)}
                index={index}
                count={all.length}
                pointer={pointer}
                onEmptied={field.isRequired ? undefined : () => onChange(undefined)}
              />
            )}
          </Stack>
        ))}
        <Button variant="default" size="compact-sm" disabled={isReadOnly} onClick={add}>
          {t.addNamed(field.title)}
        </Button>
      </Stack>
    </Fieldset>
  )
}

interface ElementButtonsProps {
  name: string
  index: number
  count: number
  /** Of the list. */
  pointer: string
  onEmptied: (() => void) | undefined
}

function ElementButtons({ name, index, count, pointer, onEmptied }: ElementButtonsProps) {
  const { edit } = useStudio()
  const move = (to: number) =>
    edit([{ op: 'move', from: `${pointer}/${index}`, pointer: `${pointer}/${to}` }])
  const remove = () => {
    if (count === 1 && onEmptied) onEmptied()
    else edit([{ op: 'remove', pointer: `${pointer}/${index}` }])
  }
  return <OrderButtons {...{ name, index, count }} onMove={move} onRemove={remove} />
}

interface ElementFormProps {
  schema: Schema
  pointer: string
  value: Record<string, unknown>
  flow: string | undefined
}

/** The fields of an object; of a union, after the choice of its shape. */
export function ElementForm({ schema, pointer, value, flow }: ElementFormProps) {
  const { edit, isEditor } = useStudio()
  const { ObjectForm } = useInnerForm()
  if (!schema.allOf) return <ObjectForm {...{ schema, pointer, value, flow }} />
  const { property, shapes } = toVariants(schema)
  const data = Object.keys(shapes).map((name) => ({
    value: name,
    label: t.names.shapes[name] ?? name,
  }))
  return (
    <Stack gap="sm">
      <Select
        label={t.kind}
        data={data}
        value={toText(value[property]) || null}
        allowDeselect={false}
        disabled={!isEditor}
        onChange={(chosen) => {
          const shape = shapes[chosen ?? ''] ?? {}
          const kept = Object.entries(value).filter(([name]) => shape.properties?.[name])
          const made = { ...(toInitial(shape) as object), ...Object.fromEntries(kept) }
          edit([{ op: 'set', pointer, value: { ...made, [property]: chosen } }])
        }}
      />
      <ObjectForm
        schema={toShape(schema, value)}
        pointer={pointer}
        value={value}
        flow={flow}
      />
    </Stack>
  )
}

/** A name for a new part of a map. */
function AddByName({ label, onAdd }: { label: string; onAdd: (name: string) => void }) {
  const [name, setName] = useState('')
  const add = () => {
    if (name.trim() === '') return
    onAdd(name.trim())
    setName('')
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        size="xs"
        label={label}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button size="xs" variant="default" onClick={add} disabled={name.trim() === ''}>
        {texts.common.add}
      </Button>
    </Group>
  )
}

/** Objects or texts by a name that the author chooses. */
export function MapField(props: FieldProps) {
  const { field, value, pointer, flow, isReadOnly, onChange } = props
  const { edit } = useStudio()
  const schema = toElementSchema(field.schema)
  const all = Object.entries(toObject(value))
  const add = (name: string) => {
    const made = toInitial(schema)
    if (!isObject(value)) return onChange({ [name]: made })
    if (!Object.hasOwn(value, name))
      edit([{ op: 'insert', pointer: pointer + toPointer(name), value: made }])
  }
  const remove = (name: string) => {
    if (all.length === 1 && !field.isRequired) onChange(undefined)
    else edit([{ op: 'remove', pointer: pointer + toPointer(name) }])
  }
  return (
    <Fieldset legend={field.title} variant="filled">
      <Legend props={props} />
      <Stack gap="sm">
        {all.map(([name, each]) => (
          <Group key={name} gap={4} wrap="nowrap" align="flex-end">
            <div style={{ flex: 1, minWidth: 0 }}>
              <MapElement {...{ name, schema, flow }} pointer={pointer} value={each} />
            </div>
            {!isReadOnly && <RemoveButton name={name} onClick={() => remove(name)} />}
          </Group>
        ))}
        {!isReadOnly && (
          <AddByName
            label={field.schema.newTitle ?? t.newName(field.title)}
            onAdd={add}
          />
        )}
      </Stack>
    </Fieldset>
  )
}

/** Pointers of parts of maps that nothing uses. */
export const UnusedParts = createContext<ReadonlySet<string>>(new Set())

interface MapElementProps {
  name: string
  schema: Schema
  /** Of the map. */
  pointer: string
  value: unknown
  flow: string | undefined
}

function MapElement({ name, schema, pointer, value, flow }: MapElementProps) {
  const at = pointer + toPointer(name)
  const { FieldView } = useInnerForm()
  const isUnused = useContext(UnusedParts).has(at)
  if (schema.properties || schema.allOf)
    return (
      <Stack gap="xs" className="panel" p="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} className="foreign">
            {name}
          </Text>
          {isUnused && (
            <Text size="xs" c="dimmed">
              {t.notUsed}
            </Text>
          )}
        </Group>
        <ElementForm schema={schema} pointer={at} value={toObject(value)} flow={flow} />
      </Stack>
    )
  return (
    <FieldView field={toTextField(name, schema)} pointer={at} value={value} flow={flow} />
  )
}

const toTextField = (name: string, schema: Schema): Field => {
  const isText = schema.type === 'string'
  const kind = isText ? 'template' : 'json'
  return {
    name,
    title: name,
    help: '',
    kind: schema.pattern ? 'variable' : kind,
    schema: isText ? schema : {},
    isRequired: true,
  }
}

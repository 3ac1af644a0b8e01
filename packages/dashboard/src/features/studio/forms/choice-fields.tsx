// Fields that choose: one of some words, or something that the document or the bot has.
import {
  Autocomplete,
  Button,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { listTimezones } from '../../../parts/forms/timezone-field.tsx'
import { texts } from '../../../texts/texts.ts'
import { toPointer } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import {
  findFlow,
  isObject,
  type Json,
  listFlows,
  listNodes,
  listVariables,
  toList,
  toObject,
} from '../flows/bot-document.ts'
import { nameFlow } from '../flows/names.ts'
import { toTarget } from '../flows/places.ts'
import { type FieldProps, toText, toValue } from './field-props.ts'
import { labels } from './labels.tsx'
import { toElementSchema } from './schema-fields.ts'

const t = texts.studio

interface ChoiceProps {
  props: FieldProps
  data: string[]
  toLabel?: (value: string) => string
}

function Choice({ props, data, toLabel = (value) => value }: ChoiceProps) {
  const value = toText(props.value)
  const all = value === '' || data.includes(value) ? data : [value, ...data]
  return (
    <Select
      {...labels(props)}
      data={all.map((each) => ({ value: each, label: toLabel(each) }))}
      value={value || null}
      onChange={(chosen) => props.onChange(toValue(chosen ?? '', props.field))}
      clearable={!props.field.isRequired}
      searchable={all.length > 8}
      limit={100}
      allowDeselect={false}
      nothingFoundMessage={texts.studio.nothingFound}
    />
  )
}

const toWord = (word: string) => t.names.words[word] ?? word

export const WordField = (props: FieldProps) => (
  <Choice props={props} data={props.field.schema.enum ?? []} toLabel={toWord} />
)

export const WordsField = (props: FieldProps) => (
  <MultiSelect
    {...labels(props)}
    data={(toElementSchema(props.field.schema).enum ?? []).map((value) => ({
      value,
      label: toWord(value),
    }))}
    value={toList(props.value).map(toText)}
    onChange={(chosen) => props.onChange(chosen.length === 0 ? undefined : chosen)}
  />
)

/** Several texts. One text alone stays one. */
export const TextsField = (props: FieldProps) => (
  <TagsInput
    {...labels(props)}
    value={(typeof props.value === 'string' ? [props.value] : toList(props.value)).map(
      toText,
    )}
    splitChars={[]}
    onChange={(written) => {
      if (written.length === 0) props.onChange(undefined)
      else
        props.onChange(
          written.length === 1 && props.field.schema.anyOf ? written[0] : written,
        )
    }}
  />
)

export function FlowField(props: FieldProps) {
  const { value } = useStudio()
  return <Choice props={props} data={listFlows(value)} toLabel={nameFlow} />
}

export const ZoneField = (props: FieldProps) => (
  <Choice props={props} data={listTimezones()} />
)

/** Events with a name in words, those that the bot declares, and any other by its name. */
export function EventField(props: FieldProps) {
  const { value: document } = useStudio()
  const event = toText(props.value)
  const known = [
    ...new Set([
      ...Object.keys(t.names.events),
      ...Object.keys(toObject(document.events)),
    ]),
  ]
  const isKnown = known.includes(event)
  const description = isKnown ? t.names.technicalName(event) : undefined
  return (
    <>
      <Select
        {...labels(props)}
        {...(description !== undefined && { description })}
        error={isKnown && props.error}
        data={[
          ...known.map((value) => ({ value, label: t.names.events[value] ?? value })),
          { value: '', label: t.names.otherEvent },
        ]}
        value={isKnown ? event : ''}
        allowDeselect={false}
        onChange={(chosen) => props.onChange(chosen ?? '')}
      />
      {!isKnown && (
        <TextInput
          label={t.names.eventName}
          required
          disabled={props.isReadOnly}
          error={props.error}
          value={event}
          onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
        />
      )}
    </>
  )
}

/** A node of the flow that a trigger starts. */
export function NodeField(props: FieldProps) {
  const { value } = useStudio()
  const nodes = listNodes(value, props.flow ?? '').filter(
    ([, { type }]) => type === 'trigger',
  )
  return <Choice props={props} data={nodes.map(([name]) => name)} />
}

export function TableField(props: FieldProps) {
  const { value } = useStudio()
  return <Choice props={props} data={Object.keys(toObject(value.tables))} />
}

export function BasesField(props: FieldProps) {
  const { value } = useStudio()
  return (
    <MultiSelect
      {...labels(props)}
      data={Object.keys(toObject(value.knowledgeBases))}
      value={toList(props.value).map(toText)}
      onChange={(chosen) => props.onChange(chosen.length === 0 ? undefined : chosen)}
    />
  )
}

export function ActionField(props: FieldProps) {
  const { value } = useStudio()
  const own = Object.entries(toObject(value.actions)).filter(
    ([, each]) => toObject(each).code,
  )
  const aliases = ['integrations', 'mcpServers'].flatMap((kind) =>
    Object.keys(toObject(value[kind])),
  )
  return (
    <Autocomplete
      {...labels(props)}
      data={[...own.map(([name]) => name), ...aliases.map((alias) => `${alias}:`)]}
      value={toText(props.value)}
      onChange={(written) => props.onChange(toValue(written, props.field))}
    />
  )
}

/** A node of this flow, or another flow. */
export function TargetField(props: FieldProps) {
  const { value: document } = useStudio()
  const flow = props.flow ?? ''
  const target = toTarget(props.value, flow)
  const nodes = listNodes(document, flow).map(([name]) => toKey({ flow, node: name }))
  const flows = listFlows(document)
    .filter((name) => name !== flow)
    .map((name) => toKey({ flow: name }))
  const key = target ? toKey(target) : null
  const isKnown = key === null || nodes.includes(key) || flows.includes(key)
  const toItem = (each: string) => {
    const { flow: to, node } = JSON.parse(each)
    return { value: each, label: to === flow ? node : t.inFlow(nameFlow(to), node) }
  }
  return (
    <Select
      {...labels(props)}
      data={[
        { group: t.steps, items: nodes.map(toItem) },
        { group: t.otherFlows, items: [...(isKnown ? [] : [key]), ...flows].map(toItem) },
      ]}
      value={key}
      searchable
      clearable={!props.field.isRequired}
      allowDeselect={false}
      onChange={(chosen) => {
        if (chosen === null) return props.onChange(undefined)
        const { flow: to, node } = JSON.parse(chosen)
        props.onChange(to === flow ? node : { flow: to, ...(node && { node }) })
      }}
    />
  )
}

const toKey = ({ flow, node }: { flow: string; node?: string | undefined }) =>
  JSON.stringify({ flow, ...(node !== undefined && { node }) })

/** A variable, which the field can declare. The document has it as `scope.name`; people write only the name. */
export function VariableField(props: FieldProps) {
  const { value: document, edit, isEditor } = useStudio()
  const known = listVariables(document, props.flow)
  const name = toText(props.value)
  const stored = toVariable(name)
  const [chosen, setChosen] = useState(
    props.flow === undefined ? 'conversation' : 'workflow',
  )
  const scope = stored?.scope ?? chosen
  const word = stored?.word ?? name
  const isName = /^[A-Za-z]\w{0,63}$/.test(word)
  const isNew = isEditor && isName && ownScopes.includes(scope) && !known.includes(name)
  const write = (written: string) => {
    const full = toVariable(written)
    if (full) setChosen(full.scope)
    props.onChange(
      toValue(full || written === '' ? written : `${scope}.${written}`, props.field),
    )
  }
  const remember = (wanted: string) => {
    setChosen(wanted)
    if (word !== '') props.onChange(`${wanted}.${word}`)
  }
  return (
    <Stack gap={4} align="stretch">
      <Autocomplete
        {...labels(props)}
        error={word === '' || isName ? props.error : t.variableForm}
        data={known}
        renderOption={({ option }) => toLabel(option.value)}
        placeholder={t.variableName}
        value={word}
        onChange={write}
      />
      <Select
        size="xs"
        label={t.remember}
        aria-label={t.remembers(props.field.title)}
        data={[...new Set([...ownScopes, scope])].map((value) => ({
          value,
          label: t.variableScopes[value] ?? value,
        }))}
        value={scope}
        allowDeselect={false}
        disabled={props.isReadOnly}
        onChange={(wanted) => wanted && remember(wanted)}
      />
      {isNew && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => edit(toDeclaration(document, scope, word, props.flow ?? ''))}
        >
          {t.declare(word)}
        </Button>
      )}
    </Stack>
  )
}

const ownScopes = ['workflow', 'conversation', 'user', 'bot']

/** Returns the parts of `scope.name`; null for a name alone. */
function toVariable(name: string) {
  const [, scope, word] =
    /^(workflow|conversation|user|bot|session)\.(.*)$/.exec(name) ?? []
  return scope === undefined ? null : { scope, word: word ?? '' }
}

const toLabel = (name: string) => {
  const { scope = '', word = name } = toVariable(name) ?? {}
  return t.inScope(word, t.variableScopes[scope] ?? scope)
}

function toDeclaration(document: Json, scope: string, word: string, flow: string) {
  const declared = { type: 'any' }
  const inFlow = scope === 'workflow'
  const parent = inFlow
    ? findFlow(document, flow).variables
    : toObject(document.variables)[scope]
  const pointer = inFlow
    ? toPointer('flows', flow, 'variables')
    : toPointer('variables', scope)
  if (isObject(parent))
    return [
      { op: 'insert' as const, pointer: pointer + toPointer(word), value: declared },
    ]
  if (inFlow || isObject(document.variables))
    return [{ op: 'insert' as const, pointer, value: { [word]: declared } }]
  return [
    {
      op: 'insert' as const,
      pointer: '/variables',
      value: { [scope]: { [word]: declared } },
    },
  ]
}

export const VariablesField = (props: FieldProps) => {
  const { value: document } = useStudio()
  return (
    <MultiSelect
      {...labels(props)}
      data={[
        ...new Set([
          ...listVariables(document, props.flow),
          ...toList(props.value).map(toText),
        ]),
      ].map((value) => ({ value, label: toLabel(value) }))}
      value={toList(props.value).map(toText)}
      onChange={(chosen) => props.onChange(chosen.length === 0 ? undefined : chosen)}
    />
  )
}

// Fields with a text: plain, with variables in braces, code and JSON.
import { Button, Group, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { isObject, listReadable } from '../flows/bot-document.ts'
import { type FieldProps, toText, toValue } from './field-props.ts'
import { InsertAnswer, noteVisit } from './insert-answer.tsx'
import { labels } from './labels.tsx'

const t = texts.studio

export const TextField = (props: FieldProps) => (
  <TextInput
    {...labels(props)}
    value={toText(props.value)}
    onChange={(event) => props.onChange(toValue(event.currentTarget.value, props.field))}
  />
)

export const NumberField = (props: FieldProps) => {
  const { minimum, maximum, type } = props.field.schema
  return (
    <NumberInput
      {...labels(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      {...(minimum !== undefined && { min: minimum })}
      {...(maximum !== undefined && { max: maximum })}
      allowDecimal={type === 'number'}
      hideControls
      onChange={(value) => {
        if (typeof value === 'number') props.onChange(value)
        else if (value === '')
          props.onChange(props.field.isRequired ? (minimum ?? 0) : undefined)
      }}
    />
  )
}

export const SwitchField = (props: FieldProps) => (
  <Switch
    {...labels(props)}
    required={false}
    checked={props.value === true}
    onChange={(event) => props.onChange(event.currentTarget.checked || undefined)}
  />
)

const maxSuggestions = 8
/** The beginning of a name after `{{` or `@`. */
const unfinished = /(?:\{\{\s*|@)([\w.]*)$/

interface TemplateInputProps {
  props: FieldProps
  autoFocus?: boolean
}

/** A text with variables, which are suggested while they are written. */
export function TemplateInput({ props, autoFocus = false }: TemplateInputProps) {
  const { value: document } = useStudio()
  const field = useRef<HTMLTextAreaElement>(null)
  const [begun, setBegun] = useState<string | null>(null)
  const text = toText(props.value)
  const write = (written: string, caret: number) => {
    props.onChange(toValue(written, props.field))
    setBegun(unfinished.exec(written.slice(0, caret))?.[1] ?? null)
  }
  const suggestions =
    begun === null
      ? []
      : listReadable(document, props.flow)
          .filter((name) => name.startsWith(begun) && name !== begun)
          .slice(0, maxSuggestions)
  const complete = (name: string) => {
    const caret = field.current!.selectionStart
    const before = text.slice(0, caret - begun!.length)
    const opened = /\{\{\s*$/.exec(before)
    const after = text.slice(caret)
    const closed = opened && !/^\s*\}\}/.test(after) ? ' }}' : ''
    const spaced = opened?.[0].endsWith('{') ? ' ' : ''
    const written = before + spaced + name + closed
    props.onChange(written + after)
    setBegun(null)
    field.current!.focus()
    requestAnimationFrame(() =>
      field.current?.setSelectionRange(written.length, written.length),
    )
  }
  return (
    <div>
      <Textarea
        {...labels(props)}
        ref={field}
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        {...(autoFocus && { 'data-autofocus': true })}
        onFocus={noteVisit}
        onChange={(event) =>
          write(event.currentTarget.value, event.currentTarget.selectionStart)
        }
      />
      <InsertAnswer
        props={props}
        area={field}
        write={(written) => props.onChange(toValue(written, props.field))}
      />
      {suggestions.length > 0 && (
        <Group gap={4} mt={4} role="group" aria-label={t.variables}>
          {suggestions.map((name) => (
            <Button
              key={name}
              size="compact-xs"
              variant="default"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => complete(name)}
            >
              {name}
            </Button>
          ))}
        </Group>
      )}
    </div>
  )
}

export const TemplateField = (props: FieldProps) => <TemplateInput props={props} />

const monospace = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 },
} as const

/** Code inside of the document. Code in a file of its author is only named. */
export function CodeField(props: FieldProps) {
  const file = isObject(props.value) ? toText(props.value.file) : undefined
  if (file !== undefined)
    return <TextInput {...labels(props)} description={t.codeFile} value={file} readOnly />
  return (
    <Textarea
      {...labels(props)}
      styles={monospace}
      autosize
      minRows={4}
      maxRows={24}
      spellCheck={false}
      value={toText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

/** Any value. A text that is no JSON is a text, unless the schema wants an object. */
export function JsonField(props: FieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const { type } = props.field.schema
  const area = useRef<HTMLTextAreaElement>(null)
  const change = (text: string) => {
    setTyped(text)
    const parsed = parse(text)
    const isText = parsed === undefined && type === undefined
    setWrong(text !== '' && parsed === undefined && !isText)
    if (text === '') props.onChange(props.field.isRequired ? '' : undefined)
    else if (isText) props.onChange(text)
    else if (parsed !== undefined) props.onChange(parsed)
  }
  return (
    <div>
      <Textarea
        {...labels(props)}
        {...(isWrong && { error: texts.common.errors.invalidJson })}
        ref={area}
        styles={monospace}
        autosize
        maxRows={16}
        spellCheck={false}
        value={typed ?? toText(props.value)}
        onFocus={noteVisit}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => !isWrong && setTyped(null)}
      />
      {type === undefined && <InsertAnswer props={props} area={area} write={change} />}
    </div>
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// A form that is made from a schema. Each input changes the document at once.
import { Stack } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { Folded } from '../../../parts/folded.tsx'
import { texts } from '../../../texts/texts.ts'
import { useProblemAt } from '../checks/checks.tsx'
import { toPointer } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import {
  ActionField,
  BasesField,
  EventField,
  FlowField,
  NodeField,
  TableField,
  TargetField,
  TextsField,
  VariableField,
  VariablesField,
  WordField,
  WordsField,
  ZoneField,
} from './choice-fields.tsx'
import { ExpressionField } from './expression-field.tsx'
import type { FieldProps } from './field-props.ts'
import { ElementForm, ListField, MapField, ObjectField } from './group-fields.tsx'
import { type FieldViewProps, InnerForm, type ObjectFormProps } from './inner-form.ts'
import { MessageField } from './message-field.tsx'
import { type Field, type FieldKind, listFields } from './schema-fields.ts'
import {
  CodeField,
  JsonField,
  NumberField,
  SwitchField,
  TemplateField,
  TextField,
} from './text-fields.tsx'

const VariantField = ({ field, pointer, value, flow }: FieldProps) => (
  <ElementForm
    schema={field.schema}
    pointer={pointer}
    value={toObject(value)}
    flow={flow}
  />
)

const views: Record<FieldKind, ComponentType<FieldProps>> = {
  template: TemplateField,
  text: TextField,
  expression: ExpressionField,
  number: NumberField,
  switch: SwitchField,
  choice: WordField,
  choices: WordsField,
  words: TextsField,
  message: MessageField,
  target: TargetField,
  variable: VariableField,
  variables: VariablesField,
  flow: FlowField,
  node: NodeField,
  table: TableField,
  knowledgeBases: BasesField,
  action: ActionField,
  timezone: ZoneField,
  event: EventField,
  code: CodeField,
  list: ListField,
  map: MapField,
  pairs: MapField,
  object: ObjectField,
  variant: VariantField,
  json: JsonField,
}

/** Kinds of fields with parts that show their problems themselves. */
const groups: FieldKind[] = ['list', 'map', 'pairs', 'object', 'variant']

function FieldView({ field, pointer, value, flow }: FieldViewProps) {
  const { edit, isEditor } = useStudio()
  const problem = useProblemAt(pointer, { withParts: !groups.includes(field.kind) })
  const View = views[field.kind]
  const change = (changed: unknown) => {
    if (changed !== undefined) edit([{ op: 'set', pointer, value: changed }])
    else if (value !== undefined) edit([{ op: 'remove', pointer }])
  }
  return (
    <View
      field={field}
      pointer={pointer}
      value={value}
      flow={flow}
      isReadOnly={!isEditor}
      error={problem}
      onChange={change}
    />
  )
}

const none: string[] = []

/** Optional fields without a value are folded. They stay there while the form is open. */
function ObjectForm({ schema, pointer, value, flow, without = none }: ObjectFormProps) {
  const fields = listFields(schema).filter(({ name }) => !without.includes(name))
  const [begun] = useState(
    () =>
      new Set(
        fields.filter(({ name }) => value[name] !== undefined).map(({ name }) => name),
      ),
  )
  const isFirst = ({ name, isRequired }: Field) => isRequired || begun.has(name)
  const led = typeof value.flow === 'string' && flow === undefined ? value.flow : flow
  const toView = (field: Field) => (
    <FieldView
      key={field.name}
      field={field}
      pointer={pointer + toPointer(field.name)}
      value={value[field.name]}
      flow={led}
    />
  )
  const others = fields.filter((field) => !isFirst(field))
  return (
    <Stack gap="sm">
      {fields.filter(isFirst).map(toView)}
      {others.length > 0 && (
        <Folded title={texts.common.moreFields(others.length)}>
          <Stack gap="sm">{others.map(toView)}</Stack>
        </Folded>
      )}
    </Stack>
  )
}

const parts = { FieldView, ObjectForm }

/** The form of an object of the document. */
export const SchemaForm = (props: ObjectFormProps) => (
  <InnerForm value={parts}>
    <ObjectForm {...props} />
  </InnerForm>
)

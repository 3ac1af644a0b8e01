// The forms of parts that are no flow: variables, triggers, hooks, settings.
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { texts } from '../../texts/texts.ts'
import { toPointer } from './draft/edits.ts'
import { useStudio } from './draft/use-draft.tsx'
import { findFlow } from './flows/bot-document.ts'
import { nameAsFlow } from './flows/names.ts'
import { describePlace } from './flows/places.ts'
import { findUnused } from './flows/unused-variables.ts'
import {
  flow as flowSchema,
  hook,
  settings,
  trigger,
  variable,
} from './forms/bot-schema.ts'
import { SchemaForm } from './forms/form.tsx'
import { UnusedParts } from './forms/group-fields.tsx'
import type { Schema } from './forms/schema-fields.ts'
import type { Part } from './parts-nav.tsx'
import styles from './studio.module.css'
import { TriggerWords } from './trigger-words.tsx'

const t = texts.studio

const toMap = (values: Schema, title: string, newTitle?: string): Schema => ({
  type: 'object',
  title,
  ...(newTitle && { newTitle }),
  additionalProperties: values,
})

const scopeNames = ['conversation', 'user', 'bot', 'configuration'] as const

const scopes: Schema = {
  type: 'object',
  title: t.partNames.variables,
  required: [...scopeNames],
  properties: Object.fromEntries(
    scopeNames.map((scope) => [
      scope,
      toMap(variable, t.scopes[scope], t.newInScope[scope]),
    ]),
  ),
}

const schemas: Record<Exclude<Part, 'texts'>, Schema> = {
  variables: scopes,
  triggers: toMap(trigger, t.partNames.triggers),
  hooks: { type: 'array', title: t.partNames.hooks, items: hook },
  settings: { ...settings, title: t.partNames.settings },
}

export function PartForm({ part, flow }: { part: Exclude<Part, 'texts'>; flow: string }) {
  const { value } = useStudio()
  const schema = { properties: { [part]: schemas[part] }, required: [part] }
  const form = (
    <form onSubmit={(event) => event.preventDefault()}>
      <SchemaForm schema={schema} pointer="" value={value} flow={undefined} />
    </form>
  )
  return (
    <div className={styles.form}>
      <Stack maw={720} gap="sm">
        <Text size="sm" c="dimmed">
          {t.partHints[part]}
        </Text>
        {part === 'triggers' && <TriggerWords />}
        {part === 'variables' ? <Variables flow={flow}>{form}</Variables> : form}
      </Stack>
    </div>
  )
}

/** The variables of the bot, and those of a flow. */
function Variables({ flow, children }: { flow: string; children: ReactNode }) {
  const { value } = useStudio()
  const unused = useMemo(() => new Set(findUnused(value)), [value])
  return (
    <UnusedParts value={unused}>
      <RemoveUnused pointers={[...unused]} />
      {children}
      <Title order={2} size="h5" className="foreign">
        {nameAsFlow(flow)}
      </Title>
      <SchemaForm
        key={flow}
        schema={flowSchema}
        pointer={toPointer('flows', flow)}
        value={findFlow(value, flow)}
        flow={flow}
      />
    </UnusedParts>
  )
}

/** One step of undo. */
function RemoveUnused({ pointers }: { pointers: string[] }) {
  const { value, edit, isEditor } = useStudio()
  if (pointers.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm" className="foreign">
        {t.unused(pointers.length)}{' '}
        {pointers
          .map((pointer) => describePlace(pointer, value))
          .join(texts.common.comma)}
      </Text>
      {isEditor && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => edit(pointers.map((pointer) => ({ op: 'remove', pointer })))}
        >
          {t.removeUnused}
        </Button>
      )}
    </Group>
  )
}

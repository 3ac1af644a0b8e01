// The forms of parts that are no flow: variables, triggers, hooks, settings.
import { Stack, Text, Title } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { toPointer } from './draft/edits.ts'
import { useStudio } from './draft/use-draft.tsx'
import { findFlow } from './flows/bot-document.ts'
import { flow as flowSchema, hook, settings, trigger, variable } from './forms/bot-schema.ts'
import { SchemaForm } from './forms/form.tsx'
import type { Schema } from './forms/schema-fields.ts'
import type { Part } from './parts-nav.tsx'
import styles from './studio.module.css'

const t = texts.studio

const toMap = (values: Schema, title: string): Schema => ({
  type: 'object',
  title,
  additionalProperties: values,
})

const scopes: Schema = {
  type: 'object',
  title: t.partNames.variables,
  required: ['conversation', 'user', 'bot', 'configuration'],
  properties: Object.fromEntries(
    Object.entries(t.scopes).map(([scope, title]) => [scope, toMap(variable, title)]),
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
  return (
    <div className={styles.form}>
      <Stack maw={720} gap="sm">
        <Text size="sm" c="dimmed">
          {t.partHints[part]}
        </Text>
        <form onSubmit={(event) => event.preventDefault()}>
          <SchemaForm schema={schema} pointer="" value={value} flow={undefined} />
        </form>
        {part === 'variables' && (
          <>
            <Title order={2} size="h5" className="foreign">
              {t.flowNamed(flow)}
            </Title>
            <SchemaForm
              key={flow}
              schema={flowSchema}
              pointer={toPointer('flows', flow)}
              value={findFlow(value, flow)}
              flow={flow}
            />
          </>
        )}
      </Stack>
    </div>
  )
}

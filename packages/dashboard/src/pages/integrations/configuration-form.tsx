// The configuration of an integration: the choice of its type, and the form of its schema.
import type { Integration } from '@botstead/contract'
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SchemaForm } from '../../parts/forms/later-schema-form.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations
/** Select has no value for null. */
const usual = ''

export interface Settings {
  configurationType: string | null
  configuration: Record<string, unknown>
}

interface ConfigurationFormProps {
  definition: Pick<Integration, 'configuration' | 'configurations'>
  value: Settings
  /** A field that another page edits. */
  hidden?: string | undefined
  button: string
  readOnly?: boolean
  isSaving: boolean
  /** Shows a button also for an integration without configuration. */
  hasButton?: boolean
  onSubmit: (settings: Settings) => void
}

export function ConfigurationForm({
  definition: { configuration, configurations },
  value,
  hidden,
  button,
  readOnly = false,
  isSaving,
  hasButton = false,
  onSubmit,
}: ConfigurationFormProps) {
  const [type, setType] = useState(value.configurationType)
  const others = Object.entries(configurations)
  const { schema } = (type === null ? configuration : configurations[type]) ?? {
    schema: {},
  }
  const hasFields =
    Object.keys((schema as { properties?: object }).properties ?? {}).length > 0
  const isTyped = type === value.configurationType
  const submit = (data: Record<string, unknown>) =>
    onSubmit({ configurationType: type, configuration: data })
  return (
    <Stack gap="sm">
      {others.length > 0 && (
        <Select
          label={t.configurationType}
          data={[
            { value: usual, label: configuration.title || t.usualType },
            ...others.map(([name, { title }]) => ({ value: name, label: title || name })),
          ]}
          value={type ?? usual}
          onChange={(chosen) => setType(chosen || null)}
          allowDeselect={false}
          readOnly={readOnly}
        />
      )}
      {hasFields ? (
        <SchemaForm
          key={type}
          schema={schema}
          value={isTyped ? value.configuration : {}}
          hidden={hidden}
          button={button}
          readOnly={readOnly}
          isSaving={isSaving}
          onSubmit={submit}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t.noConfiguration}
          </Text>
          {(hasButton || !isTyped) && !readOnly && (
            <Group justify="flex-end">
              <Button loading={isSaving} onClick={() => submit({})}>
                {button}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  )
}

// A form from a JSON Schema, as integrations and bots define their configuration.
import { Button, Group } from '@mantine/core'
import { withTheme } from '@rjsf/core'
import { generateTheme } from '@rjsf/mantine'
import type { RJSFSchema } from '@rjsf/utils'
import { useState } from 'react'
import { texts } from '../texts/texts.ts'
import { validator } from './schema-validator.ts'

const Form = withTheme(generateTheme())

interface SchemaFormProps {
  schema: unknown
  value: unknown
  readOnly?: boolean
  isSaving?: boolean
  onSubmit: (value: Record<string, unknown>) => void
}

export function SchemaForm({
  schema,
  value,
  readOnly = false,
  isSaving = false,
  onSubmit,
}: SchemaFormProps) {
  const [data, setData] = useState(value)
  return (
    <Form
      schema={schema as RJSFSchema}
      formData={data}
      validator={validator}
      readonly={readOnly}
      showErrorList={false}
      onChange={({ formData }) => setData(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
    >
      {readOnly ? (
        <span />
      ) : (
        <Group justify="flex-end" mt="sm">
          <Button type="submit" loading={isSaving}>
            {texts.common.save}
          </Button>
        </Group>
      )}
    </Form>
  )
}

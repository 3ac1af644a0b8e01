// A form from a JSON Schema, as integrations and bots define their configuration.
import { Button, Group, Title } from '@mantine/core'
import { withTheme } from '@rjsf/core'
import { generateTheme } from '@rjsf/mantine'
import { type ArrayFieldTitleProps, type RJSFSchema, titleId } from '@rjsf/utils'
import { useState } from 'react'
import { texts } from '../texts/texts.ts'
import { validator } from './schema-validator.ts'

const theme = generateTheme()
const Form = withTheme({
  ...theme,
  templates: { ...theme.templates, ArrayFieldTitleTemplate: ListTitle },
})

/** Forms are below a heading of the second level; the theme's own title is of the fourth. */
function ListTitle({ fieldPathId, title }: ArrayFieldTitleProps) {
  if (!title) return null
  return (
    <Title id={titleId(fieldPathId)} order={3} size="h5" fw="normal">
      {title}
    </Title>
  )
}

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

// Names with values, such as tags: shown, and changed by roles that may.
import { ActionIcon, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { IconX } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { ActionError } from '../action-error.tsx'
import classes from './tag-editor.module.css'

const t = texts.tags

interface TagEditorProps {
  /** For the names of its fields. */
  label: string
  tags: Record<string, string>
  empty: string
  /** Null removes a tag. Without it, nothing can be changed. */
  save?: ((changes: Record<string, string | null>) => Promise<unknown>) | undefined
}

export function TagEditor({ label, tags, empty, save }: TagEditorProps) {
  const change = useMutation({
    mutationFn: async (changes: Record<string, string | null>) => save?.(changes),
  })
  return (
    <Stack gap="xs">
      {Object.keys(tags).length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      <ul className={classes.list}>
        {Object.entries(tags).map(([name, value]) => (
          <li key={name}>
            <Badge
              component="div"
              variant="default"
              className={classes.tag}
              rightSection={
                // Tags of integrations are read-only.
                save &&
                !name.includes(':') && (
                  <ActionIcon
                    size="xs"
                    variant="transparent"
                    aria-label={t.remove(name)}
                    onClick={() => change.mutate({ [name]: null })}
                  >
                    <IconX size={12} aria-hidden="true" />
                  </ActionIcon>
                )
              }
            >
              <bdi>{name}</bdi>=<bdi>{value}</bdi>
            </Badge>
          </li>
        ))}
      </ul>
      {save && (
        <NewTag
          label={label}
          isSaving={change.isPending}
          onAdd={(name, value) => change.mutateAsync({ [name]: value })}
        />
      )}
      <ActionError error={change.error} />
    </Stack>
  )
}

interface NewTagProps {
  label: string
  isSaving: boolean
  onAdd: (name: string, value: string) => Promise<unknown>
}

function NewTag({ label, isSaving, onAdd }: NewTagProps) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const add = () =>
    onAdd(name.trim(), value).then(
      () => {
        setName('')
        setValue('')
      },
      () => {},
    )
  return (
    <form
      className={classes.form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <TextInput
        label={t.name}
        size="xs"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t.value}
        size="xs"
        value={value}
        maxLength={500}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Group>
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={isSaving}
          disabled={!name.trim() || !value}
        >
          {t.add}
        </Button>
      </Group>
    </form>
  )
}

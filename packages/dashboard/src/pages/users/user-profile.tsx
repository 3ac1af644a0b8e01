// The name and the picture of a user.
import type { User } from '@botstead/contract'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Fact } from '../../parts/objects/fact.tsx'
import { texts } from '../../texts/texts.ts'
import { useUserChange } from './change.ts'

const t = texts.users

export function UserProfile({ user }: { user: User }) {
  const isEditor = useMay()('data.write')
  if (isEditor) return <ProfileForm user={user} />
  return (
    <div>
      <Fact name={t.name}>{user.name ?? t.noName}</Fact>
      <Fact name={t.picture}>{user.pictureUrl ?? t.noPicture}</Fact>
    </div>
  )
}

/** A field shows the stored value until it is edited. */
function ProfileForm({ user }: { user: User }) {
  const [edited, setEdited] = useState<{ name?: string; pictureUrl?: string }>({})
  const change = useUserChange(user.id)
  useUnsaved(Object.keys(edited).length > 0)
  const save = useMutation({
    mutationFn: () =>
      change({
        ...(edited.name !== undefined && { name: edited.name.trim() || null }),
        ...(edited.pictureUrl !== undefined && {
          pictureUrl: edited.pictureUrl.trim() || null,
        }),
      }),
    onSuccess: () => {
      notifyDone(t.saved)
      setEdited({})
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t.name}
          value={edited.name ?? user.name ?? ''}
          maxLength={200}
          onChange={({ currentTarget: { value } }) =>
            setEdited({ ...edited, name: value })
          }
        />
        <TextInput
          label={t.picture}
          placeholder={texts.common.examples.picture}
          value={edited.pictureUrl ?? user.pictureUrl ?? ''}
          maxLength={40_000}
          onChange={({ currentTarget: { value } }) =>
            setEdited({ ...edited, pictureUrl: value })
          }
        />
        <ActionError error={save.error} />
        <Group justify="flex-end">
          <Button
            type="submit"
            disabled={Object.keys(edited).length === 0}
            loading={save.isPending}
          >
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

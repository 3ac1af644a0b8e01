// The dialog that creates an invitation link.
import type { Role } from '@botstead/contract'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { LocalOnly } from '../../parts/objects/local-only.tsx'
import { isLocalHost } from '../../parts/texts/local-host.ts'
import { texts } from '../../texts/texts.ts'
import { RoleChoice } from './role-choice.tsx'

export function Invite({ onClose }: { onClose: () => void }) {
  const { workspaceId, client } = useWorkspace()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const create = useMutation({
    mutationFn: () => client.platform.createInvitation({ body: { email, role } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members', workspaceId] }),
  })
  return (
    <Modal opened onClose={onClose} title={texts.members.inviteTitle}>
      {create.data ? (
        <Stack>
          <Text size="sm" role="status">
            {create.data.isMailed ? texts.members.mailed(email) : texts.members.created}
          </Text>
          <CopyField value={create.data.url} />
          {isLocalHost(new URL(create.data.url).hostname) && <LocalOnly />}
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.common.close}</Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm action={create} button={texts.members.create} onClose={onClose}>
          <TextInput
            label={texts.members.email}
            placeholder={texts.common.examples.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
            data-autofocus
          />
          <RoleChoice
            label={texts.members.role}
            description={texts.members.roleHints[role]}
            value={role}
            onChange={setRole}
          />
          <Text size="sm" c="dimmed">
            {texts.members.inboxRole}
          </Text>
        </DialogForm>
      )}
    </Modal>
  )
}

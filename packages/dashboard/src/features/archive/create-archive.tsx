// The dialog that starts an archive of the workspace.
import { Checkbox, PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.archives
const minLength = 12

export function CreateArchive({ onClose }: { onClose: () => void }) {
  const { workspaceId, client } = useWorkspace()
  const queries = useQueryClient()
  const [hasSecrets, setHasSecrets] = useState(true)
  const [passphrase, setPassphrase] = useState('')
  const create = useMutation({
    mutationFn: () =>
      client.platform.createArchive({
        body: { passphrase: hasSecrets ? passphrase : null },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['archives', workspaceId] })
      onClose()
    },
  })
  return (
    <FormModal title={t.createTitle} action={create} button={t.start} onClose={onClose}>
      <Checkbox
        label={t.withSecrets}
        description={t.withoutSecretsHint}
        checked={hasSecrets}
        onChange={(event) => setHasSecrets(event.currentTarget.checked)}
      />
      {hasSecrets && (
        <PasswordInput
          label={t.passphrase}
          description={t.passphraseHint}
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
          minLength={minLength}
          maxLength={1_000}
          required
          autoComplete="new-password"
          data-autofocus
        />
      )}
    </FormModal>
  )
}

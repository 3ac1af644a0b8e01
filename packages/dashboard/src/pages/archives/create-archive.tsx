// The dialog that starts an archive of the workspace.
import { Checkbox, Modal, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { Failed } from '../../parts/states.tsx'
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
      client.platform.createArchive({ body: { passphrase: hasSecrets ? passphrase : null } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['archives', workspaceId] })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={t.createTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Stack>
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
          {create.error && <Failed error={create.error} />}
          <FormButtons onCancel={onClose} loading={create.isPending}>
            {t.start}
          </FormButtons>
        </Stack>
      </form>
    </Modal>
  )
}

// Imports an archive of a workspace, with its bots.
import { Alert, Anchor, PasswordInput, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Imported, importArchive } from '../../api/import-archive.ts'
import { sessionQuery } from '../../api/session.ts'
import { toBytes } from '../../parts/files/bytes.ts'
import { FileDrop } from '../../parts/files/file-drop.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.bots.archive

export function ImportArchive({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [percent, setPercent] = useState(0)
  const sending = useMutation({
    mutationFn: (chosen: File) => importArchive(chosen, passphrase, setPercent),
    onMutate: () => setPercent(0),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  const choose = ([chosen]: Iterable<File>) => {
    if (!chosen || sending.isPending) return
    setFile(chosen)
    sending.reset()
  }
  if (sending.data) return <Result imported={sending.data} />
  return (
    <DialogForm
      action={{ ...sending, mutate: () => file && sending.mutate(file) }}
      button={t.import}
      isReady={file !== null && !sending.isPending}
      onClose={onClose}
    >
      <FileDrop
        accept=".botstead,.gz"
        isReading={sending.isPending}
        onFiles={choose}
        onDropped={({ files }) => choose(files)}
        isSingle
      >
        <Text {...(file && { fw: 600, className: 'foreign' })}>
          {file ? `${file.name}, ${toBytes(file.size)}` : t.drop}
        </Text>
        <Text size="sm" c="dimmed">
          {t.hint}
        </Text>
      </FileDrop>
      <PasswordInput
        label={t.passphrase}
        description={t.passphraseHint}
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
        disabled={sending.isPending}
        autoComplete="off"
      />
      {sending.isPending && <Sending percent={percent} />}
    </DialogForm>
  )
}

const Sending = ({ percent }: { percent: number }) => (
  <Stack gap={4} role="status">
    <Progress value={percent} animated aria-label={t.progress} />
    <Text size="sm">
      {percent < 100 ? texts.common.labelled(t.progress, `${percent} %`) : t.checking}
    </Text>
  </Stack>
)

function Result({
  imported: { workspace, hasSecrets, signer, rows },
}: {
  imported: Imported
}) {
  const session = useQuery(sessionQuery).data
  const isMember = session?.workspaces.some(({ id }) => id === workspace.id)
  return (
    <Alert color="pine" title={t.done(workspace.name, rows)} role="status">
      <Stack gap="xs" className="foreign">
        <Text size="sm">{t.signer(signer)}</Text>
        {!hasSecrets && <Text size="sm">{t.noSecrets}</Text>}
        {isMember ? (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/w/$workspaceId/bots"
                params={{ workspaceId: workspace.id }}
                {...props}
              />
            )}
          >
            {t.open}
          </Anchor>
        ) : (
          <Text size="sm">{t.notMember}</Text>
        )}
      </Stack>
    </Alert>
  )
}

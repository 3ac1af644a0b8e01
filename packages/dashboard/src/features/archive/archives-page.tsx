// Archives of the workspace: create, follow, download, delete.
import type { Archive } from '@botstead/contract'
import { Button, Code, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay, useMembership } from '../../api/session.ts'
import { command } from '../../page-values.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ArchiveList } from './archive-list.tsx'
import { CreateArchive } from './create-archive.tsx'

const t = texts.archives

/** Notes of the live stream come earlier, but none when a server stops. */
const refetchMs = 10_000

export function ArchivesPage() {
  const { workspaceId, client } = useWorkspace()
  const mayArchive = useMay()('workspace.archive')
  const [isCreating, creating] = useDisclosure(false)
  const [imported, setImported] = useState<Archive | null>(null)
  const query = usePages(
    ['archives', workspaceId],
    (page, options) => client.platform.listArchives({ query: page }, options),
    { refetchInterval: refetchMs },
  )
  const create = mayArchive && <Button onClick={creating.open}>{t.create}</Button>
  return (
    <Page title={t.title} actions={create} fills>
      <Text size="sm" c="dimmed" maw={720}>
        {t.hint} {t.importHow} <Code>{command} import</Code>
      </Text>
      <ArchiveList
        label={t.list}
        query={query}
        archivesOf={({ archives }) => archives}
        empty={<Empty title={t.empty} hint={t.emptyHint} />}
        link={(id) => client.platform.createArchiveLink({ params: { id } })}
        remove={(id) => client.platform.deleteArchive({ params: { id } })}
        use={t.import}
        nameOf={t.importOne}
        onUse={setImported}
      />
      {isCreating && <CreateArchive onClose={creating.close} />}
      {imported && <Import archive={imported} onClose={() => setImported(null)} />}
    </Page>
  )
}

function Import({
  archive: { fileName, hasSecrets },
  onClose,
}: {
  archive: Archive
  onClose: () => void
}) {
  const { name = '' } = useMembership() ?? {}
  const secrets = hasSecrets ? ' --passphrase-file passphrase.txt' : ''
  return (
    <Modal opened onClose={onClose} title={t.importOne(fileName)} size="lg">
      <Stack>
        <Text size="sm" className="foreign">
          {t.importText(name)}
        </Text>
        <CopyField value={`${command} import ${fileName}${secrets}`} />
        {hasSecrets && <Text size="sm">{t.importPassphrase}</Text>}
        <Text size="sm" c="dimmed">
          {t.importFirst}
        </Text>
      </Stack>
    </Modal>
  )
}

// Backups of the installation. Restoring is a matter of the command line: the page has the commands.
import type { Archive, Output, platform } from '@botstead/contract'
import { Box, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { command } from '../../page-values.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Fact } from '../../parts/objects/fact.tsx'
import { Section } from '../../parts/section.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { ArchiveList } from '../archive/archive-list.tsx'

const t = texts.backups
/** For pages of other workspaces: their stream has no notes of backups. */
const refetchMs = 10_000

const client = () => clientFor().platform

type Folders = Pick<Output<typeof platform.backups.listBackups>, 'folder' | 'keysFolder'>

type State = Output<typeof platform.installation.getInstallationState>['backups']

export function Backups({ state }: { state: State }) {
  const [restored, setRestored] = useState<Archive | null>(null)
  const query = usePages(
    // A note of any archive refetches it: those of backups name the first workspace.
    ['archives', 'backups'],
    (page, options) => client().listBackups({ query: page }, options),
    { refetchInterval: refetchMs },
  )
  const create = useMutation({
    mutationFn: () => client().createBackup(),
    onSettled: () => query.refetch(),
    onError: notifyFailed,
  })
  const [first] = query.data?.pages ?? []
  const isRunning = first?.backups.some(({ state }) => state === 'running') ?? false
  return (
    <Section
      title={t.title}
      hint={t.hint}
      link={
        <Button
          onClick={() => create.mutate()}
          loading={create.isPending}
          disabled={isRunning}
        >
          {t.create}
        </Button>
      }
    >
      <Schedule state={state} />
      {first && (
        <Text size="sm" c="dimmed" className="foreign">
          {t.folder} <Code>{first.folder}</Code>
          {first.keysFolder !== null && (
            <>
              <br />
              {t.keysFolder} <Code>{first.keysFolder}</Code>
            </>
          )}
        </Text>
      )}
      <Box display="flex">
        <ArchiveList
          label={t.list}
          query={query}
          archivesOf={({ backups }) => backups}
          empty={<Text size="sm">{t.empty}</Text>}
          link={(id) => client().createBackupLink({ params: { id } })}
          remove={(id) => client().deleteBackup({ params: { id } })}
          use={t.restore}
          nameOf={t.restoreOne}
          onUse={setRestored}
        />
      </Box>
      {restored && first && (
        <Restore
          {...first}
          fileName={restored.fileName}
          onClose={() => setRestored(null)}
        />
      )}
    </Section>
  )
}

function Schedule({ state }: { state: State }) {
  const { schedule, lastSuccessAt, lastVerifiedAt, nextAt, failure, isOverdue } = state
  return (
    <>
      {failure && (
        <Text size="sm" c="red.8" role="alert" className="foreign">
          {t.failed(exactTime(failure.at), failure.reason)}
        </Text>
      )}
      {isOverdue && (
        <Text size="sm" c="red.8" role="alert">
          {t.overdue}
        </Text>
      )}
      <Group gap="xl">
        <Fact name={t.lastSuccess}>{toTime(lastSuccessAt)}</Fact>
        <Fact name={t.lastVerified}>{toTime(lastVerifiedAt)}</Fact>
        <Fact name={t.next}>{schedule === null ? t.notScheduled : toTime(nextAt)}</Fact>
      </Group>
    </>
  )
}

const toTime = (time: string | null) => (time === null ? t.never : exactTime(time))

const target = '/srv/new'

function Restore({
  folder,
  keysFolder,
  fileName,
  onClose,
}: Folders & { fileName: string; onClose: () => void }) {
  const restore = `${command} restore ${shellWord(`${folder}/${fileName}`)}`
  return (
    <Modal opened onClose={onClose} title={t.restoreOne(fileName)} size="lg">
      <Stack>
        <Text size="sm">{t.restoreText}</Text>
        {keysFolder === null ? (
          <Text size="sm">{t.restoreSettings}</Text>
        ) : (
          <div>
            <Text size="sm">{t.keys}</Text>
            <CopyField
              value={`mkdir -m 700 ${target} ${target}/keys && cp ${shellWord(keysFolder)}/* ${target}/keys/`}
            />
          </div>
        )}
        <div>
          <Text size="sm">{t.command}</Text>
          <CopyField value={`BOTSTEAD_DATA=${target} ${restore}`} />
        </div>
        <Text size="sm">{t.restoreDatabase}</Text>
      </Stack>
    </Modal>
  )
}

/** Quotes a path for a shell where it has special characters. */
const shellWord = (text: string) =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

// Backups or archives with their state and progress: download, use, stop and delete their files.
import type { Archive } from '@botstead/contract'
import { Badge, Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toBytes } from '../../parts/files/bytes.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.archives

interface ArchiveListProps<Page> {
  label: string
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  archivesOf: (page: Page) => Archive[]
  empty: ReactNode
  /** Returns a link to the file. */
  link: (id: string) => Promise<{ url: string }>
  remove: (id: string) => Promise<unknown>
  /** The button that shows the commands for a file. */
  use: string
  /** Its name for screen readers. */
  nameOf: (file: string) => string
  onUse: (archive: Archive) => void
}

export function ArchiveList<Page>(props: ArchiveListProps<Page>) {
  const { label, query, archivesOf, empty, remove } = props
  const [removed, setRemoved] = useState<Archive | null>(null)
  const isRunning = removed?.state === 'running'
  return (
    <>
      <RowList
        label={label}
        query={query}
        getRows={archivesOf}
        getKey={({ id }) => id}
        columns={toColumns(props, setRemoved)}
        empty={empty}
      />
      {removed && (
        <Confirm
          title={(isRunning ? t.stopOne : t.deleteOne)(removed.fileName)}
          button={isRunning ? t.stop : t.delete}
          onConfirm={async () => {
            await remove(removed.id)
            await query.refetch()
          }}
          onClose={() => setRemoved(null)}
        >
          {isRunning ? t.stopText : t.deleteText}
        </Confirm>
      )}
    </>
  )
}

const toColumns = <Page,>(
  { link, use, nameOf, onUse }: ArchiveListProps<Page>,
  onRemove: (archive: Archive) => void,
): Column<Archive>[] => [
  {
    title: t.started,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: (archive) => <Started archive={archive} />,
  },
  {
    title: t.state,
    width: 'minmax(0, 2fr)',
    cell: (archive) => <State archive={archive} />,
  },
  {
    title: t.size,
    width: '90px',
    wideOnly: true,
    cell: ({ bytes, state }) =>
      state !== 'failed' && bytes > 0 && <Text size="sm">{toBytes(bytes)}</Text>,
  },
  {
    title: t.actions,
    width: '280px',
    fullLine: true,
    cell: (archive) => (
      <Group gap={6} justify="flex-end">
        {archive.state === 'done' && (
          <>
            <Download archive={archive} link={link} />
            <Action
              label={nameOf(archive.fileName)}
              text={use}
              onClick={() => onUse(archive)}
            />
          </>
        )}
        <Remove archive={archive} onRemove={onRemove} />
      </Group>
    ),
  },
]

interface ActionProps {
  /** For screen readers; contains the text. */
  label: string
  text: string
  onClick: () => void
  loading?: boolean
}

const Action = ({ label, text, onClick, loading = false }: ActionProps) => (
  <Button
    variant="default"
    size="compact-sm"
    aria-label={label}
    onClick={onClick}
    loading={loading}
  >
    {text}
  </Button>
)

function Started({
  archive: { fileName, createdAt, createdBy, hasSecrets },
}: {
  archive: Archive
}) {
  return (
    <Stack gap={0}>
      <Text size="sm" component="div">
        <Moment at={createdAt} />
      </Text>
      <Text size="xs" c="dimmed" className="foreign one-line" title={fileName}>
        {fileName}
      </Text>
      <Text size="xs" c="dimmed" className="foreign">
        {[createdBy && t.by(createdBy), !hasSecrets && t.withoutSecrets]
          .filter(Boolean)
          .join(texts.common.comma)}
      </Text>
    </Stack>
  )
}

function State({ archive }: { archive: Archive }) {
  const { state, progress, failure, fileName } = archive
  const percent = Math.floor(progress * 100)
  if (state === 'running')
    return (
      <Stack gap={4} maw={220}>
        <Text size="sm">{`${t.states.running} · ${t.progress(percent)}`}</Text>
        <Progress value={percent} animated aria-label={t.progressOf(fileName)} />
      </Stack>
    )
  return (
    <Stack gap={2} align="flex-start">
      <Badge {...(state === 'done' ? { variant: 'default' } : { color: 'red.8' })}>
        {t.states[state]}
      </Badge>
      {failure && (
        <Text size="xs" className="foreign">
          {failure}
        </Text>
      )}
    </Stack>
  )
}

/** The browser writes the file to the disk as it arrives. */
function Download({
  archive: { id, fileName },
  link,
}: {
  archive: Archive
  link: ArchiveListProps<never>['link']
}) {
  const download = useMutation({
    mutationFn: () => link(id),
    onSuccess: ({ url }) => {
      const anchor = document.createElement('a')
      anchor.href = url
      anchor.download = ''
      anchor.click()
    },
    onError: notifyFailed,
  })
  return (
    <Action
      label={t.downloadOne(fileName)}
      text={t.download}
      loading={download.isPending}
      onClick={() => download.mutate()}
    />
  )
}

function Remove({
  archive,
  onRemove,
}: {
  archive: Archive
  onRemove: (archive: Archive) => void
}) {
  const isRunning = archive.state === 'running'
  const label = (isRunning ? t.stopOne : t.deleteOne)(archive.fileName)
  const text = isRunning ? t.stop : t.delete
  return <Action label={label} text={text} onClick={() => onRemove(archive)} />
}

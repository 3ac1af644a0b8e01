// Versions of a bot: the running one, and save, compare, rename, return to one; deploy files.

import type { Output, platform, SavedVersion } from '@botstead/contract'
import { ActionIcon, Badge, Button, Group, Menu, Modal, Paper, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Moment } from '../../parts/moment.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import {
  DeleteVersion,
  DeployFiles,
  RenameVersion,
  ReturnToVersion,
  SaveVersion,
} from './version-dialogs.tsx'

const Comparison = lazy(() =>
  import('./version-comparison.tsx').then((module) => ({ default: module.VersionComparison })),
)

const t = texts.versions

type Running = Output<typeof platform.versions.listVersions>['running']
type Dialog =
  | { kind: 'save' | 'deploy' }
  | { kind: 'return' | 'compare' | 'rename' | 'delete'; version: SavedVersion }

export function VersionsPage() {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const query = useQuery({
    queryKey: ['versions', botId, 'list'],
    queryFn: ({ signal }) => client.platform.listVersions({ params: { botId } }, { signal }),
  })
  const actions = isEditor && (
    <>
      <Button variant="default" onClick={() => setDialog({ kind: 'save' })}>
        {t.save}
      </Button>
      <Button onClick={() => setDialog({ kind: 'deploy' })}>{t.deployFiles}</Button>
    </>
  )
  return (
    <Page title={t.title} actions={actions}>
      <Loaded query={query}>
        {({ versions, running }) =>
          versions.length === 0 ? (
            <Empty title={t.empty} hint={t.emptyHint} />
          ) : (
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {versions.map((version) => (
                <Version
                  key={version.id}
                  version={version}
                  running={running}
                  open={(kind) => setDialog({ kind, version })}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {dialog && (
        <OpenDialog
          dialog={dialog}
          isSaved={query.data?.running?.isModified === false}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  )
}

interface OpenDialogProps {
  dialog: Dialog
  isSaved: boolean
  onClose: () => void
}

function OpenDialog({ dialog, isSaved, onClose }: OpenDialogProps) {
  switch (dialog.kind) {
    case 'save':
      return <SaveVersion onClose={onClose} />
    case 'deploy':
      return <DeployFiles onClose={onClose} />
    case 'return':
      return <ReturnToVersion version={dialog.version} isSaved={isSaved} onClose={onClose} />
    case 'rename':
      return <RenameVersion version={dialog.version} onClose={onClose} />
    case 'delete':
      return <DeleteVersion version={dialog.version} onClose={onClose} />
    case 'compare':
      return (
        <Modal opened onClose={onClose} size="90%" title={t.compareTitle(dialog.version.name)}>
          <Suspense fallback={<Loading />}>
            <Comparison version={dialog.version} />
          </Suspense>
        </Modal>
      )
  }
}

interface VersionProps {
  version: SavedVersion
  running: Running
  open: (kind: 'return' | 'compare' | 'rename' | 'delete') => void
}

function Version({ version, running, open }: VersionProps) {
  const isEditor = useMay()('bots.update')
  const isLast = running?.versionId === version.id
  const isRunning = isLast && !running.isModified
  return (
    <Paper component="li" className="panel" p="md">
      <Group justify="space-between" gap="sm">
        <Heading version={version} isLast={isLast} isModified={running?.isModified ?? false} />
        <Group gap="xs">
          {!isRunning && (
            <Button size="compact-sm" variant="default" onClick={() => open('compare')}>
              {t.compare}
            </Button>
          )}
          {isEditor && !isRunning && (
            <Button size="compact-sm" variant="default" onClick={() => open('return')}>
              {t.return}
            </Button>
          )}
          <More version={version} open={open} />
        </Group>
      </Group>
    </Paper>
  )
}

interface HeadingProps {
  version: SavedVersion
  isLast: boolean
  isModified: boolean
}

function Heading({ version, isLast, isModified }: HeadingProps) {
  const { number, name, description, createdAt, author, deployedAt } = version
  return (
    <div style={{ minWidth: 0 }}>
      <Group gap="xs">
        {number !== undefined && (
          <Text c="dimmed" ff="monospace" size="sm">
            #{number}
          </Text>
        )}
        <Text fw={600} className="foreign">
          {name}
        </Text>
        {isLast && (
          <Badge variant={isModified ? 'default' : 'filled'} color="pine">
            {isModified ? t.modified : t.running}
          </Badge>
        )}
      </Group>
      {description && (
        <Text size="sm" className="foreign">
          {description}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="foreign">
        <Moment at={createdAt} />
        {author && ` ${t.by(author)}`}
        {isLast && deployedAt !== createdAt && (
          <>
            {` · ${t.deployedAgain} `}
            <Moment at={deployedAt} />
          </>
        )}
      </Text>
    </div>
  )
}

function More({ version, open }: Omit<VersionProps, 'running'>) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const download = async () => {
    // The URL expires, so it is requested when it is used.
    const params = { id: botId, versionId: version.id }
    const { url } = await client.admin.getBotVersion({ params })
    location.assign(url)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t.more(version.name)}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void download().catch(notifyFailed)}>{t.download}</Menu.Item>
        {isEditor && <Menu.Item onClick={() => open('rename')}>{t.rename}</Menu.Item>}
        {isEditor && (
          <Menu.Item c="var(--bad)" onClick={() => open('delete')}>
            {texts.common.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

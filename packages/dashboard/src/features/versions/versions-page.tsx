// Versions of a bot: the running one, and save, compare, rename, roll back to one; deploy files.

import type { Output, platform, SavedVersion } from '@botstead/contract'
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Menu,
  Paper,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery, useDeployment } from '../../api/bot-query.ts'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconDots } from '../../icons/icons.tsx'
import { saveFile } from '../../parts/files/save-file.ts'
import { notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import {
  DeleteVersion,
  DeployFiles,
  RenameVersion,
  RollBack,
  SaveVersion,
  useVersionsChanged,
} from './version-dialogs.tsx'
import { findDocument } from './version-documents.ts'
import { VersionView } from './version-view.tsx'

const t = texts.versions

type Running = Output<typeof platform.versions.listVersions>['running']
type Dialog =
  | { kind: 'save' | 'deploy' }
  | { kind: 'rollback' | 'rename' | 'delete'; version: SavedVersion }

export function VersionsPage() {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [compared, compare] = useFilter('compare')
  const [shown, show] = useFilter('version')
  const query = useQuery({
    queryKey: ['versions', botId, 'list'],
    queryFn: ({ signal }) =>
      client.platform.listVersions({ params: { botId } }, { signal }),
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
      <Text size="sm" c="dimmed">
        {t.intro} {isEditor && t.saveHint}
      </Text>
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
                  former={listFormer(versions, running)}
                  open={(kind, of = version) => setDialog({ kind, version: of })}
                  compare={() => compare(version.id)}
                  show={() => show(version.id)}
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
      {query.data && (
        <OpenVersion
          id={compared || shown}
          {...query.data}
          initial={compared ? 'current' : 'contents'}
          onClose={() => (compared ? compare : show)('')}
        />
      )}
    </Page>
  )
}

/** The version that ran before the last deployment, or the last one before it that loads. */
const listFormer = (versions: SavedVersion[], running: Running) =>
  versions
    .filter(({ id, loadError }) => id !== running?.versionId && !loadError)
    .toSorted((one, other) => other.deployedAt.localeCompare(one.deployedAt))[0]

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
    case 'rollback':
      return <RollBack version={dialog.version} isSaved={isSaved} onClose={onClose} />
    case 'rename':
      return <RenameVersion version={dialog.version} onClose={onClose} />
    case 'delete':
      return <DeleteVersion version={dialog.version} onClose={onClose} />
  }
}

interface OpenVersionProps
  extends Pick<Parameters<typeof VersionView>[0], 'initial' | 'onClose'> {
  id: string | undefined
  /** Newest first. */
  versions: SavedVersion[]
  running: Running
}

/** The version that the address names. */
function OpenVersion({ id, versions, running, ...view }: OpenVersionProps) {
  const position = versions.findIndex((version) => version.id === id)
  const version = versions[position]
  if (!version) return null
  const isRunning = running?.versionId === version.id && !running.isModified
  const former = versions[position + 1] ?? null
  return (
    <VersionView
      key={id}
      version={version}
      former={former}
      isRunning={isRunning}
      {...view}
    />
  )
}

interface VersionProps {
  version: SavedVersion
  running: Running
  former: SavedVersion | undefined
  /** A dialog about this version, or another one. */
  open: (kind: 'rollback' | 'rename' | 'delete', of?: SavedVersion) => void
  compare: () => void
  /** Opens its document or code. */
  show: () => void
}

function Version({ version, running, former, open, compare, show }: VersionProps) {
  const isEditor = useMay()('bots.update')
  const isLast = running?.versionId === version.id
  const isRunning = isLast && !running.isModified
  return (
    <Paper component="li" className="panel" p="md">
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <Group justify="space-between" align="flex-start" gap="sm" flex={1} miw={0}>
          <Heading
            version={version}
            isLast={isLast}
            isModified={running?.isModified ?? false}
            show={show}
          />
          <Group gap="xs">
            {!isRunning && (
              <Button size="compact-sm" variant="default" onClick={compare}>
                {t.compare}
              </Button>
            )}
            {isEditor && isRunning && version.loadError && (
              <>
                {former && (
                  <Button size="compact-sm" onClick={() => open('rollback', former)}>
                    {t.rollbackTo(former)}
                  </Button>
                )}
                <ReloadVersion version={version} />
              </>
            )}
            {isEditor && !isRunning && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => open('rollback')}
              >
                {t.rollback}
              </Button>
            )}
          </Group>
        </Group>
        <More version={version} isLast={isLast} open={open} />
      </Group>
    </Paper>
  )
}

/** Loading may have failed for a passing reason: a busy machine, or a missing secret. */
function ReloadVersion({ version }: { version: SavedVersion }) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const load = useMutation({
    mutationFn: async () => {
      const body = { versionId: version.id }
      await client.admin.deployBotVersion({ params: { id: botId }, body })
      await changed(t.deployed(version.name), version.name)
    },
    onError: notifyFailed,
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={load.isPending}
      onClick={() => load.mutate()}
    >
      {t.loadAgain}
    </Button>
  )
}

interface HeadingProps {
  version: SavedVersion
  isLast: boolean
  isModified: boolean
  show: () => void
}

function Heading({ version, isLast, isModified, show }: HeadingProps) {
  const { data } = useDeployment()
  const { number, name, description, createdAt, author, deployedAt } = version
  // The code of the running version may have changed since.
  const loadError = isLast ? data?.deployment?.loadError : version.loadError
  return (
    <div style={{ minWidth: 0 }}>
      <Group gap="xs">
        {number !== undefined && (
          <Text c="dimmed" ff="monospace" size="sm">
            #{number}
          </Text>
        )}
        <UnstyledButton onClick={show}>
          <Text fw={600} className="foreign" td="underline">
            {name}
          </Text>
        </UnstyledButton>
        {isLast && !loadError && <RunningBadge isModified={isModified} />}
        {loadError && <Badge color="red.8">{t.broken}</Badge>}
      </Group>
      {loadError && (
        <Text size="sm" c="var(--bad)" className="foreign">
          {loadError}
        </Text>
      )}
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

function RunningBadge({ isModified }: { isModified: boolean }) {
  if (isModified) return <Badge variant="default">{t.modified}</Badge>
  return <Badge color="pine">{t.running}</Badge>
}

/** Such as `echo-bot-3.json`. */
function toFileName(botName: string, { number, name }: SavedVersion): string {
  const words = `${botName} ${number ?? name}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [
    'bot',
  ]
  return `${words.join('-')}.json`
}

interface MoreProps
  extends Omit<VersionProps, 'running' | 'former' | 'compare' | 'show'> {
  isLast: boolean
}

/** Without the version that was deployed last, another one would be listed as running. */
function More({ version, isLast, open }: MoreProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const bot = useBotQuery().data?.bot
  const download = async () => {
    const document = JSON.stringify(
      await findDocument(client, botId, version.id),
      null,
      2,
    )
    const name = toFileName(bot?.name ?? 'bot', version)
    saveFile(name, new Blob([document], { type: 'application/json' }))
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t.more(version.name)}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void download().catch(notifyFailed)}>
          {t.download}
        </Menu.Item>
        {isEditor && <Menu.Item onClick={() => open('rename')}>{t.rename}</Menu.Item>}
        {isEditor && !isLast && (
          <Menu.Item c="var(--bad)" onClick={() => open('delete')}>
            {texts.common.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

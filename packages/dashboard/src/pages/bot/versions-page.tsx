// Versions of a bot: save, compare, return to one; deploy a file.

import type { Client } from '@botstead/client'
import type { BotVersion } from '@botstead/contract'
import {
  Anchor,
  Button,
  FileButton,
  Group,
  Modal,
  Paper,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { deployFile } from '../../parts/deploy-file.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed, Loaded, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const Comparison = lazy(() =>
  import('./version-comparison.tsx').then((module) => ({ default: module.VersionComparison })),
)

type Dialog = { kind: 'save' } | { kind: 'deploy' | 'compare'; version: BotVersion }

export function VersionsPage() {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const query = useQuery({
    queryKey: ['versions', botId, 'list'],
    queryFn: ({ signal }) => client.admin.listBotVersions({ params: { id: botId } }, { signal }),
  })
  const actions = isEditor && (
    <>
      <DeployFile />
      <Button onClick={() => setDialog({ kind: 'save' })}>{texts.versions.save}</Button>
    </>
  )
  return (
    <Page title={texts.versions.title} actions={actions}>
      <Loaded query={query}>
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty title={texts.versions.empty} hint={texts.versions.emptyHint} />
          ) : (
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {versions.map((version) => (
                <Version
                  key={version.id}
                  version={version}
                  open={(kind) => setDialog({ kind, version })}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {dialog?.kind === 'save' && <SaveVersion onClose={close} />}
      {dialog?.kind === 'deploy' && <DeployVersion version={dialog.version} onClose={close} />}
      {dialog?.kind === 'compare' && (
        <Modal
          opened
          onClose={close}
          size="xl"
          title={texts.versions.compareTitle(dialog.version.name)}
        >
          <Suspense fallback={<Loading />}>
            <Comparison version={dialog.version} />
          </Suspense>
        </Modal>
      )}
    </Page>
  )
}

interface VersionProps {
  version: BotVersion
  open: (kind: 'deploy' | 'compare') => void
}

function Version({ version: { id, name, description }, open }: VersionProps) {
  const isEditor = useMay()('bots.update')
  return (
    <Paper component="li" className="panel" p="md">
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} className="foreign">
            {name}
          </Text>
          {description && (
            <Text size="sm" c="dimmed" className="foreign">
              {description}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Download id={id} />
          <Button size="compact-sm" variant="default" onClick={() => open('compare')}>
            {texts.versions.compare}
          </Button>
          {isEditor && (
            <Button size="compact-sm" onClick={() => open('deploy')}>
              {texts.versions.deploy}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  )
}

/** Asks for the URL when it is used, because it expires. */
function Download({ id }: { id: string }) {
  const { botId, client } = useBot()
  const download = async () => {
    const { url } = await client.admin.getBotVersion({ params: { id: botId, versionId: id } })
    location.assign(url)
  }
  return (
    <Anchor component="button" size="sm" onClick={() => void download().catch(notifyFailed)}>
      {texts.versions.download}
    </Anchor>
  )
}

function useVersionsChanged() {
  const { botId } = useBot()
  const queries = useQueryClient()
  return async (message: string) => {
    notifyDone(message)
    await queries.invalidateQueries({ queryKey: ['versions', botId] })
    await queries.invalidateQueries({ queryKey: ['bots', botId] })
  }
}

function DeployFile() {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const deploy = useMutation({
    mutationFn: async (file: File) => {
      await saveRunning(client, botId, file.name)
      await deployFile(client, botId, file)
    },
    onSuccess: () => changed(texts.versions.fileDeployed),
    onError: notifyFailed,
  })
  return (
    <FileButton accept=".cjs,.js,.json" onChange={(file) => file && deploy.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={deploy.isPending}
          title={texts.versions.deployFileHint}
        >
          {texts.versions.deployFile}
        </Button>
      )}
    </FileButton>
  )
}

/** Saves the deployed state, so that the user can return to it. */
async function saveRunning(client: Client, botId: string, next: string) {
  const { deployment } = await client.platform.getBotDeployment({ params: { botId } })
  if (!deployment) return
  const name = texts.versions.backupName(next).slice(0, 200)
  await client.admin.createBotVersion({ params: { id: botId }, body: { name } })
}

function SaveVersion({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const save = useMutation({
    mutationFn: () =>
      client.admin.createBotVersion({
        params: { id: botId },
        body: { name: name.trim(), ...(description.trim() && { description }) },
      }),
    onSuccess: async ({ version }) => {
      onClose()
      await changed(texts.versions.saved(version.name))
    },
  })
  return (
    <Modal opened onClose={onClose} title={texts.versions.saveTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{texts.versions.saveText}</Text>
          <TextInput
            label={texts.versions.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            data-autofocus
          />
          <Textarea
            label={texts.versions.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={2000}
            autosize
          />
          {save.error && <Failed error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={save.isPending}>
              {texts.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function DeployVersion({
  version: { id, name },
  onClose,
}: {
  version: BotVersion
  onClose: () => void
}) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const [savesFirst, setSavesFirst] = useState(true)
  return (
    <Confirm
      title={texts.versions.rollback(name)}
      button={texts.versions.deploy}
      harmless
      onConfirm={async () => {
        const params = { id: botId }
        if (savesFirst) await saveRunning(client, botId, name)
        await client.admin.deployBotVersion({ params, body: { versionId: id } })
        await changed(texts.versions.deployed(name))
      }}
      onClose={onClose}
    >
      <Text>{texts.versions.rollbackText}</Text>
      <Switch
        label={texts.versions.saveFirst}
        checked={savesFirst}
        onChange={(event) => setSavesFirst(event.currentTarget.checked)}
      />
    </Confirm>
  )
}

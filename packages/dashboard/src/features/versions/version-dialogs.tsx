// Dialogs of the page Versions: save, rename, deploy files, roll back to a version, delete one.
import type { Client } from '@botstead/client'
import type { SavedVersion } from '@botstead/contract'
import { Alert, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import type { BotSource } from '../../parts/files/bot-files.ts'
import { BotSourceField } from '../../parts/files/bot-source-field.tsx'
import { deploy, findLoadError } from '../../parts/files/deploy.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { FormButtons } from '../../parts/forms/form-buttons.tsx'
import { InputError } from '../../parts/forms/input-error.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ChangeList } from './change-list.tsx'
import { type Change, changesBetween } from './document-changes.ts'
import { useDocuments } from './version-documents.ts'

const t = texts.versions

/** With `deployedName`, the message is a warning if the code does not load. */
export function useVersionsChanged() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return async (message: string, deployedName?: string) => {
    const loadError =
      deployedName === undefined ? undefined : await findLoadError(client, botId)
    await queries.invalidateQueries({ queryKey: ['versions', botId] })
    await queries.invalidateQueries({ queryKey: ['bots', botId] })
    if (loadError === undefined) notifyDone(message)
    else notifyFailed(new InputError(t.deployedBroken(deployedName!), loadError))
  }
}

/** Saves the current state unless a version has it, so that nothing is lost. */
async function saveUnsaved(client: Client, botId: string, name: string) {
  const [{ running }, { deployment }] = await Promise.all([
    client.platform.listVersions({ params: { botId } }),
    client.platform.getBotDeployment({ params: { botId } }),
  ])
  if (running ? !running.isModified : !deployment) return
  await client.admin.createBotVersion({ params: { id: botId }, body: { name } })
}

interface NameFormProps {
  title: string
  hint?: string
  button: string
  /** Above the fields. */
  children?: ReactNode
  name: string
  description?: string
  isReady?: boolean
  size?: string
  onSubmit: (values: { name: string; description: string }) => Promise<unknown>
  onClose: () => void
}

/** A dialog with the name and the description of a version. */
function NameForm({
  title,
  hint,
  button,
  children,
  isReady = true,
  size,
  ...form
}: NameFormProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [description, setDescription] = useState(form.description ?? '')
  const name = (typed ?? form.name).trim()
  const save = useMutation({
    mutationFn: () => form.onSubmit({ name, description: description.trim() }),
    onSuccess: form.onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && name !== '') save.mutate()
  }
  return (
    <Modal opened onClose={form.onClose} title={title} {...(size && { size })}>
      <form onSubmit={submit}>
        <Stack>
          {hint && <Text size="sm">{hint}</Text>}
          {children}
          <TextInput
            label={t.versionName}
            value={typed ?? form.name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            required
            maxLength={200}
            data-autofocus
          />
          <Textarea
            label={t.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={2000}
            autosize
          />
          {save.error && <Failed error={save.error} />}
          <FormButtons
            onCancel={form.onClose}
            disabled={!isReady || name === ''}
            loading={save.isPending}
          >
            {button}
          </FormButtons>
        </Stack>
      </form>
    </Modal>
  )
}

export function SaveVersion({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  return (
    <NameForm
      title={t.saveTitle}
      hint={t.saveText}
      button={texts.common.save}
      name=""
      onSubmit={async ({ name, description }) => {
        const body = { name, ...(description && { description }) }
        await client.admin.createBotVersion({ params: { id: botId }, body })
        await changed(t.saved(name))
      }}
      onClose={onClose}
    />
  )
}

interface VersionDialogProps {
  version: SavedVersion
  onClose: () => void
}

export function RenameVersion({ version, onClose }: VersionDialogProps) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  return (
    <NameForm
      title={t.renameTitle(version)}
      button={texts.common.save}
      name={version.name}
      description={version.description ?? ''}
      onSubmit={async (body) => {
        await client.platform.updateVersion({
          params: { botId, versionId: version.id },
          body,
        })
        await changed(t.renamed(body.name))
      }}
      onClose={onClose}
    />
  )
}

export function DeployFiles({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const [source, setSource] = useState<BotSource | null>(null)
  return (
    <NameForm
      title={t.deployTitle}
      hint={t.deployText}
      button={t.deploy}
      size="lg"
      name={source?.file ?? ''}
      isReady={source !== null}
      onSubmit={async (named) => {
        await saveUnsaved(client, botId, t.savedBeforeDeployment)
        await deploy(client, botId, source!, named)
        await changed(t.deployed(named.name), named.name)
      }}
      onClose={onClose}
    >
      <BotSourceField onChange={setSource} />
    </NameForm>
  )
}

export function RollBack({
  version,
  isSaved,
  onClose,
}: VersionDialogProps & { isSaved: boolean }) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  const query = useDocuments(version)
  return (
    <Confirm
      title={t.rollbackTitle(version)}
      button={t.rollbackNow}
      harmless
      onConfirm={async () => {
        await saveUnsaved(client, botId, t.savedBeforeRollback)
        const params = { id: botId }
        await client.admin.deployBotVersion({ params, body: { versionId: version.id } })
        await changed(t.rolledBack(version), version.name)
      }}
      onClose={onClose}
    >
      <Text>{t.rollbackText}</Text>
      <Loaded query={query}>
        {(documents) => {
          const changes = changesBetween(documents.other, documents.version)
          if (changes.length === 0) return <Text>{t.rollbackSame}</Text>
          const removals = changes.flatMap(toRemoval)
          const others = changes.filter((change) => toRemoval(change).length === 0)
          return (
            <>
              {removals.length > 0 && (
                <Alert color="yellow" variant="light" className="foreign">
                  {removals.map((removal) => (
                    <Text key={removal} size="sm">
                      {removal}
                    </Text>
                  ))}
                </Alert>
              )}
              {others.length > 0 && (
                <ChangeList title={t.rollbackChanges} changes={others} />
              )}
            </>
          )
        }}
      </Loaded>
      <Text>{isSaved ? t.rollbackKept : t.rollbackSaves}</Text>
    </Confirm>
  )
}

/** In words, for parts that lose their settings. */
function toRemoval({ kind, path }: Change): string[] {
  const [part = '', alias = path] = path.split(/\.(.*)/s)
  const sentence = t.removed[part]
  return kind === 'removed' && sentence ? [sentence(alias)] : []
}

export function DeleteVersion({ version, onClose }: VersionDialogProps) {
  const { botId, client } = useBot()
  const changed = useVersionsChanged()
  return (
    <Confirm
      title={t.deleteTitle(version)}
      button={texts.common.delete}
      onConfirm={async () => {
        await client.platform.deleteVersion({ params: { botId, versionId: version.id } })
        await changed(t.deleted(version))
      }}
      onClose={onClose}
    >
      {t.deleteText}
    </Confirm>
  )
}

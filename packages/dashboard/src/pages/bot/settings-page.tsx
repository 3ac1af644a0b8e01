// Settings of a bot: name, configuration, secrets, keys, signing secret, transfer and deletion.

import type { Bot } from '@botstead/contract'
import {
  Button,
  Group,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery, useDeployment } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { WithContents } from '../../parts/contents.tsx'
import { saveFile } from '../../parts/files/save-file.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { SchemaForm } from '../../parts/forms/later-schema-form.tsx'
import { ReadOnlyHint } from '../../parts/forms/read-only-hint.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { ShownOnce } from '../../parts/texts/shown-once.tsx'
import { texts } from '../../texts/texts.ts'
import { ApiKeys, useApiKeys } from './api-keys.tsx'
import { Bursts, useBurstRules } from './burst-rules.tsx'
import { Danger } from './danger.tsx'

export function SettingsPage() {
  const may = useMay()
  const query = useBotQuery()
  // Requested beside the bot, not after it.
  useApiKeys()
  useBurstRules()
  // The secret signs calls of a URL only.
  const isSigned = useDeployment().data?.atUrl === true && may('bots.update')
  return (
    <Page title={texts.settings.title}>
      <ReadOnlyHint needs="bots.update" />
      <Loaded query={query}>
        {({ bot }) => (
          <WithContents state={isSigned ? 'signed' : ''}>
            <General bot={bot} />
            <Configuration bot={bot} />
            <Bursts />
            <Secrets names={bot.secrets} />
            {may('keys.read') && <ApiKeys />}
            {isSigned && <SigningSecret />}
            <Export name={bot.name} />
            <Danger bot={bot} />
          </WithContents>
        )}
      </Loaded>
    </Page>
  )
}

/** Returns a function that updates the bot. */
function useUpdate(done: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (
      body: NonNullable<Parameters<typeof client.admin.updateBot>[0]['body']>,
    ) => client.admin.updateBot({ params: { id: botId }, body }),
    onSuccess: () => {
      notifyDone(done)
      return queries.invalidateQueries({ queryKey: ['bots', botId] })
    },
    onError: notifyFailed,
  })
}

function General({ bot }: { bot: Bot }) {
  const isReadOnly = !useMay()('bots.update')
  const [name, setName] = useState(bot.name)
  const [description, setDescription] = useState(bot.description ?? '')
  const [seconds, setSeconds] = useState<string | number>(bot.maxExecutionTime ?? '')
  useUnsaved(
    name.trim() !== bot.name ||
      description !== (bot.description ?? '') ||
      seconds !== (bot.maxExecutionTime ?? ''),
  )
  const update = useUpdate(texts.common.saved)
  return (
    <Section title={texts.settings.general}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({
            name: name.trim(),
            description,
            ...(typeof seconds === 'number' && { maxExecutionTime: seconds }),
          })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={texts.settings.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required={!isReadOnly}
            maxLength={200}
            readOnly={isReadOnly}
          />
          <Textarea
            label={texts.settings.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            autosize
            readOnly={isReadOnly}
          />
          <NumberInput
            label={texts.settings.maxExecutionTime}
            value={seconds}
            onChange={setSeconds}
            min={1}
            readOnly={isReadOnly}
            hideControls={isReadOnly}
          />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={update.isPending}
                disabled={name.trim() === ''}
              >
                {texts.common.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  )
}

function Configuration({ bot: { configuration } }: { bot: Bot }) {
  const update = useUpdate(texts.common.saved)
  const isReadOnly = !useMay()('bots.update')
  const properties = (configuration.schema as { properties?: object }).properties ?? {}
  return (
    <Section title={texts.settings.configuration}>
      {Object.keys(properties).length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.settings.noConfiguration}
        </Text>
      ) : (
        <SchemaForm
          schema={configuration.schema}
          value={configuration.data}
          readOnly={isReadOnly}
          isSaving={update.isPending}
          onSubmit={(data) => update.mutate({ configuration: { data } })}
        />
      )}
    </Section>
  )
}

function Secrets({ names }: { names: string[] }) {
  const may = useMay()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [removed, setRemoved] = useState<string | null>(null)
  const set = useUpdate(texts.settings.secretSet(name))
  const remove = useUpdate(texts.settings.secretRemoved(removed ?? ''))
  return (
    <Section title={texts.settings.secrets} hint={texts.settings.secretsHint}>
      {names.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.settings.noSecrets}
        </Text>
      )}
      {names.map((each) => (
        <Group key={each} justify="space-between">
          <Text ff="monospace" size="sm" className="foreign">
            {each}
          </Text>
          {may('bots.update') && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setRemoved(each)}
              aria-label={texts.settings.removeSecret(each)}
            >
              {texts.common.delete}
            </Button>
          )}
        </Group>
      ))}
      {may('bots.update') && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            set.mutate(
              { secrets: { [name]: value } },
              {
                onSuccess: () => {
                  setName('')
                  setValue('')
                },
              },
            )
          }}
        >
          <Group align="flex-end">
            <TextInput
              label={texts.settings.secretName}
              placeholder={texts.settings.secretExample}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              flex="1 1 180px"
              maw={360}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              autoComplete="off"
              required
            />
            <TextInput
              label={texts.settings.secretValue}
              type="password"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              flex="1 1 180px"
              maw={360}
              autoComplete="new-password"
              required
            />
            <Button type="submit" variant="default" loading={set.isPending}>
              {texts.settings.setSecret}
            </Button>
          </Group>
        </form>
      )}
      {removed !== null && (
        <Confirm
          title={texts.settings.removeSecret(removed)}
          button={texts.common.delete}
          onConfirm={() => remove.mutateAsync({ secrets: { [removed]: null } })}
          onClose={() => setRemoved(null)}
        />
      )}
    </Section>
  )
}

function SigningSecret() {
  const { botId, client } = useBot()
  const rotate = useMutation({
    mutationFn: () =>
      client.admin.rotateBotSigningSecrets({ params: { id: botId }, body: {} }),
    onError: notifyFailed,
  })
  return (
    <Section title={texts.settings.signing} hint={texts.settings.signingHint}>
      <ShownOnce hint={texts.settings.rotated} value={rotate.data?.newSigningSecret} />
      <Group>
        <Button
          variant="default"
          loading={rotate.isPending}
          onClick={() => rotate.mutate()}
        >
          {texts.settings.rotate}
        </Button>
      </Group>
    </Section>
  )
}

function Export({ name }: { name: string }) {
  const { botId, client } = useBot()
  const download = useMutation({
    mutationFn: async () => {
      const document = await client.admin.getBotJson({ params: { id: botId } })
      const text = JSON.stringify(document, null, 2)
      saveFile(`${toFileName(name)}.json`, new Blob([text], { type: 'application/json' }))
    },
    onError: notifyFailed,
  })
  return (
    <Section title={texts.settings.export} hint={texts.settings.exportHint}>
      <Group>
        <Button
          variant="default"
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {texts.settings.exportBot}
        </Button>
      </Group>
    </Section>
  )
}

const toFileName = (name: string) =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase() || 'bot'

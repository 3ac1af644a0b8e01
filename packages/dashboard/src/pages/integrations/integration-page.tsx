// One installed integration: state, configuration, last requests, and its removal.
import type { Installation } from '@botstead/contract'
import {
  Alert,
  Button,
  Group,
  Paper,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ChannelPanel } from '../../features/channels/channel-panel.tsx'
import { useChannels } from '../../features/channels/queries.ts'
import { WebhookRequests } from '../../features/webhook-diary/webhook-requests.tsx'
import { WithContents } from '../../parts/contents.tsx'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { ReadOnlyHint } from '../../parts/forms/read-only-hint.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { Sentence } from '../../parts/texts/sentence.tsx'
import { texts } from '../../texts/texts.ts'
import { isChat } from './chat.ts'
import { ConfigurationForm, type Settings } from './configuration-form.tsx'
import { useDefinition } from './definition-query.ts'
import {
  InstallationStatus,
  toName,
  useInstallations,
  WebhookAddress,
} from './integrations-page.tsx'
import { notifyRegistration } from './registration.ts'
import { ownsChat, Remove } from './remove-integration.tsx'
import { Sandbox } from './sandbox.tsx'

const t = texts.integrations

export function IntegrationPage() {
  const { alias = '' } = useParams({ strict: false })
  const may = useMay()
  const [isRemoving, removing] = useDisclosure(false)
  const query = useInstallations()
  const actions = may('bots.update') && (
    <Button variant="default" c="var(--bad)" onClick={removing.open}>
      {t.remove}
    </Button>
  )
  return (
    <Page title={alias} actions={actions}>
      <Loaded query={query}>
        {({ bot: { integrations } }) => {
          const installation = Object.hasOwn(integrations, alias)
            ? integrations[alias]
            : undefined
          if (!installation)
            return (
              <Empty
                title={texts.common.errors.gone}
                hint={texts.common.errors.goneHint}
              />
            )
          return (
            <Sections installation={installation}>
              <State alias={alias} installation={installation} />
              <ChannelPanel alias={alias} />
              <SetupLink alias={alias} installation={installation} />
              <Section title={t.configuration}>
                <ReadOnlyHint needs="bots.update" />
                <Configuration alias={alias} installation={installation} />
              </Section>
              <SharedAddress alias={alias} installation={installation} />
              {may('data.read') && (
                <Section
                  title={t.requests}
                  {...(!isChat(installation) && { hint: t.requestsHint })}
                >
                  {isChat(installation) ? (
                    <Text size="sm" c="dimmed">
                      <Sentence text={t.requestsNotRecorded}>
                        <BotLink page="conversations">
                          {texts.conversations.title}
                        </BotLink>
                      </Sentence>
                    </Text>
                  ) : (
                    <WebhookRequests alias={alias} />
                  )}
                </Section>
              )}
            </Sections>
          )
        }}
      </Loaded>
      {isRemoving && <Remove alias={alias} onClose={removing.close} />}
    </Page>
  )
}

interface InstalledProps {
  alias: string
  installation: Installation
}

interface Change {
  enabled?: boolean
  configuration?: Record<string, unknown>
  configurationType?: string | null
}

/** Returns the changed bot, which has the result of the registration. */
function useUpdate(alias: string, id: string, done: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) =>
      client.admin.updateBot({
        params: { id: botId },
        body: { integrations: { [alias]: { ...change, integrationId: id } } },
      }),
    onSuccess: ({ bot }) => notifyRegistration(done, bot, alias),
    onError: notifyFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots', botId] }),
  })
}

function State({ alias, installation }: InstalledProps) {
  const isEditor = useMay()('bots.update')
  const { id, enabled, status, updatedAt } = installation
  const toggle = useUpdate(alias, id, enabled ? t.isDisabled : t.isEnabled)
  const register = useUpdate(alias, id, t.isRegistered)
  // The page of a channel says what belongs to its address.
  const isChannel =
    useChannels().data?.channels.some((one) => one.alias === alias) ?? true
  return (
    <Paper className="panel" p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" c="dimmed" className="foreign">
            {toName(installation, alias)}
          </Text>
          <Group gap="xs">
            <Text size="sm" c="dimmed" component="span">
              {t.changed} <Moment at={updatedAt} />
            </Text>
            <InstallationStatus installation={installation} />
          </Group>
        </Group>
        <FailedRegistration installation={installation}>
          {isEditor && status === 'registration_failed' && (
            <Button
              variant="default"
              loading={register.isPending}
              onClick={() => register.mutate({})}
            >
              {t.registerAgain}
            </Button>
          )}
        </FailedRegistration>
        {isEditor ? (
          <Switch
            label={t.enabled}
            checked={enabled}
            disabled={toggle.isPending}
            onChange={(event) => toggle.mutate({ enabled: event.currentTarget.checked })}
          />
        ) : (
          <Text size="sm">{enabled ? t.enabled : t.disabled}</Text>
        )}
        {!isChannel && <WebhookAddress installation={installation} />}
      </Stack>
    </Paper>
  )
}

/** Where a person connects the integration to an account of the third party. */
function SetupLink({ alias, installation }: InstalledProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const definition = useDefinition(installation).data
  const { configurationType, updatedAt } = installation
  const chosen = configurationType
    ? definition?.configurations[configurationType]
    : definition?.configuration
  const hasLink = Boolean(chosen?.identifier?.linkTemplateScript)
  const query = useQuery({
    queryKey: ['bots', botId, 'setupLink', alias, configurationType, updatedAt],
    queryFn: ({ signal }) =>
      client.platform.getIntegrationSetupLink({ params: { botId, alias } }, { signal }),
    enabled: hasLink && isEditor,
  })
  if (!hasLink || !isEditor) return null
  return (
    <Section title={t.setup} hint={t.setupHint}>
      {installation.identifier && (
        <Text size="sm" className="foreign">
          {t.connectedAs(installation.identifier)}
        </Text>
      )}
      <Loaded query={query}>
        {({ url }) =>
          url === null ? null : (
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              style={{ alignSelf: 'start' }}
            >
              {installation.identifier ? t.setUpAgain : t.setUp}
            </Button>
          )
        }
      </Loaded>
    </Section>
  )
}

interface FailedRegistrationProps {
  installation: Installation
  children: ReactNode
}

/** The message of the integration, and a button to try again. */
function FailedRegistration({ installation, children }: FailedRegistrationProps) {
  const { status, statusReason, enabled } = installation
  if (!enabled || !status.endsWith('failed')) return null
  return (
    <Alert color="red" title={t.statuses[status]}>
      <Text size="sm" className="foreign" mb="xs">
        {statusReason ?? t.noReason}
      </Text>
      {children}
    </Alert>
  )
}

/** Asks the provider of a channel whether it accepts the settings. Returns the problem; null if there is none. */
function useSettingsCheck(alias: string) {
  const { botId, client } = useBot()
  const channels = useChannels()
  return useMutation({
    mutationFn: async ({ configuration }: Settings) => {
      const known = channels.data ?? (await channels.refetch({ throwOnError: true })).data
      const name = known?.channels.find((one) => one.alias === alias)?.name
      if (name === undefined) return null
      const params = { botId, name }
      const body = { configuration, alias }
      return (await client.platform.checkChannel({ params, body })).problem
    },
    onError: notifyFailed,
  })
}

function Configuration({ alias, installation }: InstalledProps) {
  const isEditor = useMay()('bots.update')
  const save = useUpdate(alias, installation.id, t.saved)
  const check = useSettingsCheck(alias)
  const query = useDefinition(installation)
  const { configuration, configurationType } = installation
  const bot = useBotQuery().data?.bot
  // The form keeps its fields when the integration is disabled.
  const isShownInChat = bot !== undefined && ownsChat(bot.integrations, alias)
  return (
    <Loaded query={query}>
      {(definition) => (
        <>
          {isShownInChat && (
            <Text size="sm" c="dimmed">
              <Sentence text={installation.enabled ? t.appearance : t.appearanceDisabled}>
                <BotLink page="chat">{texts.chat.title}</BotLink>
              </Sentence>
            </Text>
          )}
          <ConfigurationForm
            definition={definition}
            value={{ configuration, configurationType }}
            hidden={isShownInChat ? 'appearance' : undefined}
            button={texts.common.save}
            readOnly={!isEditor}
            isSaving={check.isPending || save.isPending}
            onSubmit={(settings) =>
              check.mutate(settings, {
                onSuccess: (problem) => problem === null && save.mutate(settings),
              })
            }
          />
          {check.data && check.variables && (
            <Alert role="alert" color="red" title={texts.channels.refused}>
              <Text size="sm" className="foreign" mb="xs">
                <CodedText text={check.data} />
              </Text>
              <Button
                variant="default"
                loading={save.isPending}
                onClick={() => {
                  save.mutate(check.variables)
                  check.reset()
                }}
              >
                {texts.channels.saveAnyway}
              </Button>
            </Alert>
          )}
        </>
      )}
    </Loaded>
  )
}

/** The definition tells which sections there are. */
function Sections({
  installation,
  children,
}: {
  installation: Installation
  children: ReactNode
}) {
  const { status } = useDefinition(installation)
  return <WithContents state={status}>{children}</WithContents>
}

/** Only integrations with an address that all their bots share use an identifier. */
function SharedAddress({ alias, installation }: InstalledProps) {
  const query = useDefinition(installation)
  if (!query.data) return null
  const { identifier, sandbox, name } = query.data
  const isShared =
    identifier.extractScript !== undefined || installation.identifier !== undefined
  return (
    <>
      {isShared && (
        <Section title={t.identifier} hint={t.identifierHint}>
          <CopyField
            value={new URL(`/integration/global/${name}`, installation.webhookUrl).href}
          />
          <Identifier alias={alias} identifier={installation.identifier ?? ''} />
        </Section>
      )}
      {sandbox?.identifierExtractScript !== undefined && (
        <Sandbox alias={alias} installation={installation} />
      )}
    </>
  )
}

function Identifier({ alias, identifier }: { alias: string; identifier: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? identifier
  const save = useMutation({
    mutationFn: () =>
      client.platform.setIntegrationIdentifier({
        params: { botId, alias },
        body: { identifier: value.trim() || null },
      }),
    onSuccess: async () => {
      notifyDone(value.trim() ? t.identifierSaved : t.identifierRemoved)
      setTyped(null)
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
    },
    onError: notifyFailed,
  })
  return (
    <Group align="end">
      <TextInput
        label={t.identifierOfBot}
        value={value}
        placeholder={t.noIdentifier}
        onChange={(event) => setTyped(event.currentTarget.value)}
        readOnly={!isEditor}
        maxLength={200}
      />
      {isEditor && (
        <Button
          variant="default"
          onClick={() => save.mutate()}
          loading={save.isPending}
          disabled={value.trim() === identifier}
        >
          {texts.common.save}
        </Button>
      )}
    </Group>
  )
}
